"""Sentences of a document that another sentence of it denies.

“Click is internally based on `optparse`”, where it also says that Click “does not use
`optparse`”. Which of them holds cannot be told from the document; what is denied in so
many words is most often what was true before.
"""

from __future__ import annotations

import re
from functools import lru_cache

_CLAIMS = re.compile(
    r"\b(?:is|are)(?: (?!not\b)\w+)? (?:based|built) on (?:top of )?`(?P<one>[^`]+)`"
    r"|\b(?:uses|relies on|depends on) `(?P<other>[^`]+)`"
)
_DENIES = re.compile(
    r"\b(?:does|do|is|are) not (?:use|rely on|depend on|need|based on|built on)\b"
    r"(?P<what>[^.;]{1,160})"
)
_SPACE = re.compile(r"\s+")
_NAME = re.compile(r"[\w.+-]*\w")


def is_denied(sentence: str, document: str) -> bool:
    """Return whether a document denies what one of its sentences says."""
    match = _CLAIMS.search(sentence)
    if match is None:
        return False
    return (match["one"] or match["other"]) in _denied(document)


@lru_cache(maxsize=64)
def _denied(document: str) -> frozenset[str]:
    """Return the words behind “does not use” in a document."""
    text = _SPACE.sub(" ", document)
    return frozenset(
        name
        for match in _DENIES.finditer(text)
        for name in _NAME.findall(match["what"])
    )
