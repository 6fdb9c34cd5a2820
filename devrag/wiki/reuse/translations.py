"""Lines of a published translation that a new one may take, whatever their numbers.

A line is known by its words and by which of its citations are the same, so that a
sentence with evidence, added above, leaves those below it translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from devrag.wiki.evidence.citations import CITATION, after_punctuation

_NUMBER = re.compile(r"\[(\d+)\]\(cite:\1\)")


class Memory:
    """Remembers how lines were translated. pairs: a line and its translation."""

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._said = {_shape(text): (_numbers(text), said) for text, said in pairs}

    def recall(self, text: str) -> str:
        """Return the translation with the numbers of this line, '' for none."""
        if _shape(text) not in self._said:
            return ""
        numbers, said = self._said[_shape(text)]
        now = dict(zip(numbers, _numbers(text), strict=True))
        return _NUMBER.sub(
            lambda m: f"[{now.get(m[1], m[1])}](cite:{now.get(m[1], m[1])})", said
        )


def _numbers(text: str) -> list[str]:
    """Return the citations of a line, each once."""
    return list(dict.fromkeys(_NUMBER.findall(after_punctuation(text))))


def _shape(text: str) -> str:
    """Return a line with its citations counted from one."""
    text = after_punctuation(text)
    place = {number: at for at, number in enumerate(_numbers(text), 1)}
    return CITATION.sub(lambda m: f"[{place[m[1]]}]", text)
