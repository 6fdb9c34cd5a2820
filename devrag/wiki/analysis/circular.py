"""Sentences that explain a name by the name itself, and so tell nothing."""

from __future__ import annotations

import re

from devrag.wiki.analysis.topics.assignment import words_of

_JUST_THAT = re.compile(r"^\S+ (?:is|are) (?:just|exactly) (?:that|what (?:it|they))\b")
_IS = re.compile(
    r"^(?:(?:an?|the) )?[\w` ]{1,40}? (?:is|are) (?P<what>(?:an?|the) .+)$", re.I
)
_EMPTY = re.compile(
    r"\b(?:an?|the|that|which|can|may|be|is|are|used|use|using|for|of|to|by|in|on|with"
    r"|your|our|its|this|it|and|or|as|from)\b",
    re.IGNORECASE,
)
_MOST_OTHERS = 1  # words of the explanation that are not the name's


def is_circular(sentence: str, name: str) -> bool:
    """Return whether a sentence on a name says no more than the name.

    `Completion is a string that can be used for completions.`
    """
    if _JUST_THAT.match(sentence):
        return True
    found = _IS.match(sentence.rstrip("."))
    if found is None:
        return False
    own = words_of(name).keys()
    said = words_of(_EMPTY.sub(" ", found["what"])).keys()
    return bool(own & said) and len(said - own) <= _MOST_OTHERS
