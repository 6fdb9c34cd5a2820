"""Which of several texts say most about a subject, without saying it twice.

Texts are bags of words weighted by rarity. A text is central when it resembles both
the subject and the other texts (the degree centrality of LexRank, Erkan & Radev 2004);
chosen ones are kept apart by maximal marginal relevance (Carbonell & Goldstein 1998).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from devrag.wiki.analysis.topics.assignment import words_of

_SUBJECT_SHARE = 0.65
_DEFINITION = 0.25
_BREVITY = 0.2
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_NOVELTY = 0.55
_LEAST_SHARE = 0.3  # of the best text's weight
_SHORT, _LONG = 6, 60  # words of a sentence that is read easily
_SHORT_JAPANESE = 16  # characters
_DEFINES = re.compile(
    r"^(?:the |an? |`)?(?P<subject>[\w`.\- ]{2,60}?)`? "
    r"(?:is|are|provides?|represents?|defines?"
    r"|implements?|handles?|manages?|describes?|contains?|lets?|allows?|enables?|offers?"
    r"|supports?|reads?|writes?|creates?|builds?|holds?|keeps?) "
    r"|^(?P<japanese>[^。]{1,30}?)(?:は|とは)",
    re.IGNORECASE,
)


def weigh_texts(texts: Sequence[str], subject: Mapping[str, int]) -> list[float]:
    """Return for each text how central it is to the subject's words, 0 to about 1."""
    bags = [words_of(text) for text in texts]
    rarity = _rarity([*bags, Counter(subject)])
    vectors = [_vector(bag, rarity) for bag in bags]
    aim = _vector(Counter(subject), rarity)
    centre = _mean(vectors)
    return [
        _SUBJECT_SHARE * _dot(vector, aim)
        + (1 - _SUBJECT_SHARE) * _dot(vector, centre)
        - _brevity(text)
        + (_DEFINITION if _DEFINES.match(text) else 0.0) * (0.3 + _dot(vector, aim))
        for text, vector in zip(texts, vectors, strict=True)
    ]


def choose_central(
    texts: Sequence[str],
    subject: Mapping[str, int],
    most: int,
    bonus: Sequence[float] = (),
) -> list[int]:
    """Return the places of the most central texts, the best first, none like another.

    A text that looks like a definition of the subject is preferred. bonus: added to
    each text's weight. Texts far below the best are not chosen.
    """
    weights = weigh_texts(texts, subject)
    if bonus:
        weights = [a + b for a, b in zip(weights, bonus, strict=True)]
    bags = [words_of(text) for text in texts]
    rarity = _rarity(bags)
    vectors = [_vector(bag, rarity) for bag in bags]
    near = [n for n, bag in enumerate(bags) if bag.keys() & subject.keys()]
    known = {*near, *(n for n, more in enumerate(bonus) if more > 0)}
    left = [n for n, text in enumerate(texts) if n in known and _is_fit(text)]
    chosen: list[int] = []
    while left and len(chosen) < most:
        best = max(
            left,
            key=lambda n: (
                weights[n]
                - _NOVELTY
                * max((_dot(vectors[n], vectors[c]) for c in chosen), default=0.0),
                -n,
            ),
        )
        if chosen and weights[best] < _LEAST_SHARE * weights[chosen[0]]:
            break
        chosen.append(best)
        left.remove(best)
    return chosen


def is_definition(sentence: str) -> bool:
    """Return whether a sentence says what something is or does."""
    return bool(_DEFINES.match(sentence))


def subject_of_definition(sentence: str) -> str:
    """Return what a sentence defines, '' where it defines nothing."""
    match = _DEFINES.match(sentence)
    return (match["subject"] or match["japanese"] or "") if match else ""


def _is_fit(text: str) -> bool:
    words = len(text.split())
    return words <= _LONG


def _brevity(text: str) -> float:
    """Return what a text loses that is too short to tell much."""
    is_japanese = bool(_JAPANESE.search(text))
    is_short = (
        len(text) < _SHORT_JAPANESE if is_japanese else len(text.split()) < _SHORT
    )
    return _BREVITY if is_short else 0.0


def _rarity(bags: Sequence[Mapping[str, int]]) -> dict[str, float]:
    used = Counter(word for bag in bags for word in bag)
    return {word: math.log(1 + len(bags) / n) for word, n in used.items()}


def _vector(bag: Mapping[str, int], rarity: Mapping[str, float]) -> dict[str, float]:
    found = {w: (1 + math.log(n)) * rarity[w] for w, n in bag.items() if w in rarity}
    length = math.sqrt(sum(v * v for v in found.values())) or 1.0
    return {word: value / length for word, value in found.items()}


def _mean(vectors: Sequence[Mapping[str, float]]) -> dict[str, float]:
    total: dict[str, float] = defaultdict(float)
    for vector in vectors:
        for word, value in vector.items():
            total[word] += value
    length = math.sqrt(sum(v * v for v in total.values())) or 1.0
    return {word: value / length for word, value in total.items()}


def _dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(value * other[word] for word, value in one.items() if word in other)
