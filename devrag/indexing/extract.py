"""The bytes of a file as text, or the reason why it has none."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.parsing.decoding import decode


@dataclass(frozen=True, slots=True)
class Extracted:
    """Text of a file; reason: why there is none, '' when there is."""

    text: str = ""
    encoding: str = ""
    warnings: tuple[str, ...] = ()
    reason: str = ""


def extract_text(_path: str, data: bytes) -> Extracted:
    """Return a file's text; binary files have none."""
    decoded = decode(data)
    if decoded is None:
        return Extracted(reason="binary")
    return Extracted(decoded.text, decoded.encoding, tuple(decoded.warnings))
