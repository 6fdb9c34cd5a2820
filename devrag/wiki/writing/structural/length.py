"""How long a page is for its reader."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NO_WORDS = re.compile(r"```.*?```|\[\[E\d+\]\]|\]\([^)]*\)", re.DOTALL)
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_CHARACTERS_PER_WORD = 2


def count_words(blocks: Iterable[str]) -> int:
    """Return the words of Markdown, its code and the targets of its links apart.

    Two characters of Japanese count as a word.
    """
    text, characters = _JAPANESE.subn(" ", _NO_WORDS.sub(" ", "\n\n".join(blocks)))
    words = sum(1 for piece in text.split() if any(map(str.isalnum, piece)))
    return words + characters // _CHARACTERS_PER_WORD
