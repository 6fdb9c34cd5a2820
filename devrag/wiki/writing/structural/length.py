"""How long a page is for its reader."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NO_WORDS = re.compile(r"```.*?```|\[\[E\d+\]\]|\]\([^)]*\)", re.DOTALL)


def count_words(blocks: Iterable[str]) -> int:
    """Return the words of Markdown, its code and the targets of its links apart."""
    pieces = (piece for block in blocks for piece in _NO_WORDS.sub(" ", block).split())
    return sum(1 for piece in pieces if any(map(str.isalnum, piece)))
