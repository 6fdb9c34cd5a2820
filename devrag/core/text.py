"""Text hygiene shared by parsing, embedding and display."""

from __future__ import annotations

import re
import unicodedata

_SURROGATES = re.compile("[\ud800-\udfff]")
_SLUG_GAPS = re.compile(r"[^a-z0-9]+")


def clean_text(text: str) -> str:
    """Replace what databases and tokenizers cannot hold: NUL, lone surrogates."""
    return _SURROGATES.sub("\ufffd", text.replace("\x00", "\ufffd"))


def normalise_newlines(text: str) -> str:
    """Return the text with `\\n` line ends only."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def slugify_ascii(text: str, fallback: str = "page") -> str:
    """Return an ASCII slug of lower-case letters, digits and single hyphens."""
    decomposed = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _SLUG_GAPS.sub("-", decomposed.lower()).strip("-") or fallback


def shorten(text: str, limit: int) -> str:
    """Cut at a word end within `limit` characters, marking the cut with an ellipsis."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    head = flat[: limit - 1]
    return (head.rsplit(" ", 1)[0] if " " in head else head).rstrip(",;:") + "…"
