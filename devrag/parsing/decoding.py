"""Bytes to clean Unicode text: UTF-8 first, then UTF-16, Japanese and Latin-1."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from devrag.core.text import clean_text, normalise_newlines

BINARY_PROBE_BYTES = 1024  # S0-4.1.3-2
_SAMPLE_BYTES = 64 * 1024
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Seven-bit: valid UTF-8 too, so only its escape sequences tell it.
_ISO_2022_JP = re.compile(rb"\x1b\$[@B]|\x1b\([IJ]")
_WIDE = re.compile(rb"[\x80-\xff]")
_CANDIDATES = ["cp932", "euc_jp", "cp1252", "latin_1"]
# So many sound multi-byte characters for each broken one say: UTF-8 with some damage.
_SOUND_PER_BROKEN = 10


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text with `\\n` line ends; encoding is Python's codec name."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Bytes without text. reason: for people; details stand in brackets at its end."""

    reason: str


def decode(data: bytes) -> Decoded | None:
    """Return the bytes as text, or None when they are binary (T18)."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decode_with(data, encoding)
    if b"\x00" in data[:BINARY_PROBE_BYTES]:
        return None
    if _ISO_2022_JP.search(data):
        return _decode_with(data, "iso2022_jp")
    try:
        return Decoded(_clean(data.decode("utf-8")), "utf-8")
    except UnicodeDecodeError:
        return _decode_other(data)


def _clean(text: str) -> str:
    return clean_text(normalise_newlines(text))


def _decode_with(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(_clean(data.decode(encoding)), encoding)
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
        return Decoded(_clean(text), encoding, (_damage(encoding, text),))


def _damage(encoding: str, text: str) -> str:
    count = text.count("\ufffd")
    return f"{count} undecodable bytes were replaced while reading as {encoding}"


def _decode_other(data: bytes) -> Decoded:
    repaired = data.decode("utf-8", "replace")
    broken = repaired.count("\ufffd")
    sound = sum(1 for character in repaired if character > "\x7f") - broken
    if sound < _SOUND_PER_BROKEN * broken:
        guess = from_bytes(_sample(data), cp_isolation=_CANDIDATES).best()
        if guess is not None:
            return _decode_with(data, guess.encoding)
    return Decoded(_clean(repaired), "utf-8", (_damage("utf-8", repaired),))


def _first_wide(data: bytes) -> int:
    found = _WIDE.search(data)
    return found.start() if found else 0


def _sample(data: bytes) -> bytes:
    """Return whole lines around the first byte beyond ASCII, to guess from."""
    first = _first_wide(data)
    start = data.rfind(b"\n", 0, first) + 1
    piece = data[start : start + _SAMPLE_BYTES]
    end = piece.rfind(b"\n")
    return piece[: end + 1] if end > 0 and len(data) > start + _SAMPLE_BYTES else piece
