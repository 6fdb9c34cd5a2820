"""Bytes to clean Unicode text: UTF-8 first, then UTF-16, Japanese and Latin-1."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from devrag.core.text import clean_text, normalise_newlines

BINARY_PROBE_BYTES = 1024  # a NUL byte among them means binary
_SAMPLE_BYTES = 64 * 1024
# UTF-32 first: its little-endian mark begins with that of UTF-16.
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Seven-bit: valid UTF-8 too, so only its escape sequences tell it.
_ISO_2022_JP = re.compile(rb"\x1b\$[@B]|\x1b\([IJ]")
_WIDE = re.compile(rb"[\x80-\xff]")
_CANDIDATES = ["cp932", "euc_jp", "cp1252", "latin_1"]
# ASCII, Latin, typography, kana, kanji, hangul, full-width forms and line ends: what
# text is made of. A third of all 16-bit numbers, so that chance does not look like it.
_PLAIN = re.compile(
    "[\t-\r -~\u00a0-\u024f\u0370-\u04ff\u2010-\u2030\u3000-\u30ff\u4e00-\u9fff"
    "\uac00-\ud7a3\uff00-\uffef]+"
)
_PLAIN_SHARE = 0.9
_UTF_16_CHARACTERS = 8
# Half of an ASCII text's bytes are NUL then; a single NUL in ASCII is no UTF-16.
_NOT_ASCII = re.compile(rb"[\x00\x80-\xff]")
_BEYOND_ASCII_SHARE = 0.15
_TWO_WIDE = re.compile(r"[^\x00-\x7f]{2}")
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
    """Return the bytes as text, or None when they are binary."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decode_with(data, encoding)
    if b"\x00" in data[:BINARY_PROBE_BYTES]:
        return _decode_utf_16(data)
    if _ISO_2022_JP.search(data):
        return _decode_with(data, "iso2022_jp")
    try:
        return Decoded(_clean(data.decode("utf-8")), "utf-8")
    except UnicodeDecodeError:
        return _decode_other(data)


def _decode_utf_16(data: bytes) -> Decoded | None:
    """Return UTF-16 without a byte order mark; None for everything else with NULs."""
    beyond_ascii = len(_NOT_ASCII.findall(data[:BINARY_PROBE_BYTES]))
    if (
        len(data) % 2
        or len(data) < 2 * _UTF_16_CHARACTERS
        or beyond_ascii < _BEYOND_ASCII_SHARE * min(len(data), BINARY_PROBE_BYTES)
    ):
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        # A surrogate pair cut in two at the end of the probe is no fault.
        probe = data[:BINARY_PROBE_BYTES].decode(encoding, "ignore")
        plain = sum(map(len, _PLAIN.findall(probe)))
        if "\x00" not in probe and plain >= _PLAIN_SHARE * max(1, len(probe)):
            return _decode_with(data, encoding)
    return None


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
    if sound < _SOUND_PER_BROKEN * broken and (encoding := _guess(data)):
        return _decode_with(data, encoding)
    return Decoded(_clean(repaired), "utf-8", (_damage("utf-8", repaired),))


def _guess(data: bytes) -> str:
    """Return the encoding that a sample speaks for, '' when none does."""
    sample = _sample(data)
    guess = from_bytes(sample, cp_isolation=_CANDIDATES).best()
    # Single wide characters between ASCII are accents and signs, not Japanese.
    if guess is not None and (
        guess.encoding != "cp932" or _TWO_WIDE.search(str(guess))
    ):
        return guess.encoding
    try:
        sample.decode("cp1252")
    except UnicodeDecodeError:
        return guess.encoding if guess is not None else ""
    return "cp1252"


def _first_wide(data: bytes) -> int:
    found = _WIDE.search(data)
    return found.start() if found else 0


def _sample(data: bytes) -> bytes:
    """Return what surrounds the first byte beyond ASCII, whole lines if they are short.

    A cut within a long line falls on ASCII, where no character can be torn.
    """
    first = _first_wide(data)
    start = max(data.rfind(b"\n", 0, first) + 1, first - _SAMPLE_BYTES // 2)
    piece = data[start : start + _SAMPLE_BYTES]
    end = piece.rfind(b"\n")
    return piece[: end + 1] if end > 0 and len(data) > start + _SAMPLE_BYTES else piece
