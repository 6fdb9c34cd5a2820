"""What of a hit is shown: its beginning, the memo entry that was meant, or all."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from devrag.parsing.text import find_entries

Strategy = Literal["snippet", "entry", "full"]
STRATEGIES: tuple[Strategy, ...] = ("snippet", "entry", "full")
SNIPPET_CHARACTERS = 150
MAX_CHARACTERS = 5_000


def extract(
    text: str,
    strategy: Strategy,
    *,
    terms: Collection[str] = (),
    max_characters: int = MAX_CHARACTERS,
) -> str:
    """Return what the strategy shows of a text, counted in characters.

    entry: the first dated entry with one of the terms, the first of all without; a text
    that has no entries is one.
    """
    if strategy == "snippet":
        return text[:SNIPPET_CHARACTERS]
    if strategy == "entry":
        text = _entry(text, [term.lower() for term in terms])
    return text[:max_characters]


def _entry(text: str, terms: Collection[str]) -> str:
    lines = text.split("\n")
    entries = [
        "\n".join(lines[entry.start_line - 1 : entry.end_line]).strip("\n")
        for entry in find_entries(lines)
    ]
    meant = (e for e in entries if any(term in e.lower() for term in terms))
    return next(meant, entries[0] if entries else text)
