"""Text hygiene shared by parsing, embedding and display."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from decimal import Decimal

_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# What comes along with a pasted text: controls but white space, soft hyphens, spaces
# of no width, marks of direction. Joiners are letters of some scripts.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u200e\u200f"
    "\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)
_MARKUP = frozenset("\\`*_[]<>#|~&")
_SLUG_GAPS = re.compile(r"[^a-z0-9]+")


def clean_text(text: str) -> str:
    """Replace what databases and tokenizers cannot hold: NUL, lone surrogates."""
    return _SURROGATES.sub("\ufffd", text.replace("\x00", "\ufffd"))


def drop_invisible(text: str) -> str:
    """Return the text without signs that nobody sees and that no word has.

    >>> drop_invisible("to\\u200bken\\ufeff")
    'token'
    """
    return _INVISIBLE.sub("", text)


def normalise_newlines(text: str) -> str:
    """Return the text with `\\n` line ends only."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def slugify_ascii(text: str, fallback: str = "page") -> str:
    """Return an ASCII slug of lower-case letters, digits and single hyphens."""
    decomposed = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _SLUG_GAPS.sub("-", decomposed.lower()).strip("-") or fallback


def one_line(text: str) -> str:
    """Show control characters as `\\xNN`: a name must not steer a terminal."""
    return _CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def code_text(text: str) -> str:
    """Return text that can stand between Markdown's backticks, on one line."""
    return " ".join(text.replace("`", "'").split())


def escape_markdown(text: str) -> str:
    """Return text on one line that Markdown shows as it is."""
    escaped = "".join(f"\\{each}" if each in _MARKUP else each for each in text)
    return " ".join(escaped.split())


def iso_time(at: datetime) -> str:
    """Return a moment in UTC as REST writes it: thousandths where there are any."""
    spec = "milliseconds" if at.microsecond >= 1000 else "seconds"
    return at.isoformat(timespec=spec).replace("+00:00", "Z")


def dollars(amount: Decimal) -> str:
    """Return an amount as people read it; small ones with their small change."""
    return f"${amount:,.2f}" if amount >= 1 or not amount else f"${amount:.4f}"


def shorten(text: str, limit: int) -> str:
    """Cut at a word end within `limit` characters, marking the cut with an ellipsis."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    head = flat[: limit - 1]
    return (head.rsplit(" ", 1)[0] if " " in head else head).rstrip(",;:") + "…"
