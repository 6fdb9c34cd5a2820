"""What to look for in lines that may bear a sentence: its names and words, weighed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from devrag.search.api import is_japanese
from devrag.wiki.checking.shown_names import CODE
from devrag.wiki.evidence.blocks import plain

_WORD = re.compile(r"[A-Za-z][a-z]{3,}|[A-Z]{2,}|\d{2,}")
_PART = re.compile(r"[A-Za-z_]\w*")
_KANJI = re.compile("[\u30a1-\u30fe\u3400-\u9fff]{2,}")
_STOP = {
    *("this", "that", "with", "from", "into", "when", "which", "what", "they", "their"),
    *("each", "have", "been", "more", "than", "then", "them", "also", "used", "uses"),
}
_ENDINGS = ("ing", "ed", "es", "s")
_LEAST_STEM = 4
_OF_A_NAME = 3.0
_PER_LINE = 0.04  # what a line must add to be worth citing


def terms_of(sentence: str) -> dict[str, float]:
    """Return what to look for, lower-cased, with its weight.

    Of a name in backticks these are the whole and its parts.
    """
    bare = plain(sentence)
    spans = [m.group(2).strip().removesuffix("()") for m in CODE.finditer(bare)]
    names = [part for span in spans for part in (span, *_PART.findall(span))]
    prose = CODE.sub(" ", bare)
    words = [_stem(w.casefold()) for w in _WORD.findall(prose)]
    if is_japanese(prose):
        words += [
            run[i : i + 2] for run in _KANJI.findall(prose) for i in range(len(run) - 1)
        ]
    found = dict.fromkeys((word for word in words if word not in _STOP), 1.0)
    return found | dict.fromkeys((n.casefold() for n in names), _OF_A_NAME)


def is_name(weight: float) -> bool:
    """Return whether a term of this weight is a name."""
    return weight >= _OF_A_NAME


def shown_terms(terms: Mapping[str, float], lines: Sequence[str]) -> dict[str, float]:
    """Return the terms that lines show, with their weights."""
    text = "\n".join(lines).casefold()
    return {term: weight for term, weight in terms.items() if term in text}


def best_window(
    terms: Mapping[str, float], lines: Sequence[str], most: int
) -> tuple[int, int]:
    """Return first and last line (from 0) of those that show most, the rare counting.

    Of equal windows the shortest; without any term the first lines. most: lines.
    """
    held = [shown_terms(terms, [line]) for line in lines]
    common = Counter(term for line in held for term in line)
    weights = {term: terms[term] * (1 + 1 / common[term]) for term in common}
    best, at = 0.0, (0, min(len(lines), most) - 1)
    for start, shown in enumerate(held):
        if not shown:
            continue
        seen: set[str] = set()
        worth = 0.0
        for end in range(start, min(start + most, len(lines))):
            worth += sum(weights[term] for term in held[end].keys() - seen)
            seen |= held[end].keys()
            value = worth - _PER_LINE * (end - start)
            if value > best + 1e-9:
                best, at = value, (start, end)
    return at


def _stem(word: str) -> str:
    """Return a word without an ending, where enough of it is left."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word.removesuffix(ending)
    return word[:12]
