"""Order what the lists found by what its features are worth; each says why.

First each candidate is valued on its own, by weights.py; what defines a name that was
asked for gains beside it. Then the best of each file gains by what else of its file is
nearly as good, and each next one of a file loses: several definitions of one file lead
where they fit best, and no file crowds out the others. Length alone gains nothing: what
is much worse than the best adds nothing to it.
"""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from math import exp, inf, log1p
from operator import mul
from typing import NamedTuple

from devrag.parsing.path_roles import (
    is_aside,
    is_changelog,
    is_end_of_file_name,
    is_test,
)
from devrag.search.candidates import CandidateChunk
from devrag.search.features import Features, FileKey, file_of
from devrag.search.headings import heading_worth
from devrag.search.query_intent import Question
from devrag.search.weights import (
    CERTAIN,
    DEFINITIONS,
    GENERAL,
    JAPANESE,
    POSSIBLE,
    Weights,
)

# What a definition of the name itself gains, in a sentence and alone.
_DEFINED, _DEFINED_ALONE = 3.0, 12.0
# What uses a name that was asked for alone gains, and what only writes it; how far
# these stay behind its definition.
_USES, _WRITES, _BEHIND = 7.0, 3.5, 2.5
# What documents gain where instructions are asked for.
_GUIDE = 4.0
_TYPES = frozenset({"class", "interface", "enum", "type", "namespace", "module"})
_LESSER = {"method": 0.6, "variable": 0.6, "extension": 0.5}
_OTHER_KINDS = 0.8
# What examples and other people's code lose. No set asks where they are.
_ASIDE = 1.5
# What other files lose to words where so many candidates are documents.
_TOOLING, _MOSTLY_DOCUMENTS = 8.0, 0.8
# A year costs an entry so much; however old, it loses no more.
_PER_YEAR, _OLDEST, _OLDEST_RELEASE, _DAYS_OF_YEAR = 0.2, 0.8, 3.0, 365
_GOOD, _MOST, _NEAREST = 0.5, 0.75, 0.9
# Within so many units of the best, others of its file count; how many are several.
_SPREAD, _MANY = 2.0, 1.0

DEFINES = "matches the definition"
NAMED = "name matches"
USES = "uses this name"
GUIDE = "documentation for a how-to question"
WORDS = "strong keyword match"
MEANING = "semantically close"
COHERENCE = "several matches in this file"
FILE_NAME = "file name matches"
TEST = "test (ranked lower)"
ASIDE = "example or vendored code (ranked lower)"
TITLED = "heading matches"
TOOLING = "tooling of documents (ranked lower)"
OLDER = "older entry (ranked slightly lower)"
REASONS = (
    *(DEFINES, USES, GUIDE, NAMED, WORDS, MEANING, COHERENCE, FILE_NAME),
    *(TITLED, TEST, ASIDE, TOOLING, OLDER),
)


class Ranked(NamedTuple):
    """A candidate in its final place. score: 0 to 1, never more than the one before.

    It is an estimate of how likely the candidate answers the question. copies: what
    says nearly the same in other files.
    """

    spot: CandidateChunk
    score: float
    features: Features
    rules: tuple[str, ...] = ()
    copies: tuple[CandidateChunk, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is where it is, in words."""
        return (*self.rules, *_reasons(self.features))


def rank(
    candidates: Sequence[CandidateChunk],
    features: Sequence[Features],
    question: Question,
    *,
    are_definitions: bool = False,
    users: Collection[int] = (),
) -> list[Ranked]:
    """Return candidates in final order, with the reasons that applied.

    features: of each candidate. are_definitions: only definitions were asked for, so
    that several of one file are as welcome as of several files. users: chunks that use
    the name which was asked for alone.
    """
    weights = (
        JAPANESE
        if question.is_japanese
        else DEFINITIONS
        if are_definitions
        else GENERAL
    )
    newest = max((c.date for c in candidates if c.date), default=None)
    valued = [
        _value(spot, found, question, weights, newest)
        for spot, found in zip(candidates, features, strict=True)
    ]
    if question.is_name:
        valued = _with_uses(valued, question, users)
    elif _are_documents(candidates) and not question.names:
        valued = list(map(_without_tooling, valued))
    files: dict[FileKey, list[_Valued]] = defaultdict(list)
    for each in valued:
        files[file_of(each.spot)].append(each)
    ordered = [each for of in files.values() for each in _in_file(of, weights)]
    ordered.sort(key=_Valued.order)
    return [
        Ranked(each.spot, _likelihood(each.value), each.features, each.rules)
        for each in ordered
    ]


def _are_documents(candidates: Sequence[CandidateChunk]) -> bool:
    """Return whether nearly all that was found are documents: the rest is tooling."""
    return sum(map(_is_document, candidates)) >= _MOSTLY_DOCUMENTS * len(candidates)


def _is_document(spot: CandidateChunk) -> bool:
    return spot.file_kind == "doc" or spot.kind == "entry"


class _Valued(NamedTuple):
    spot: CandidateChunk
    value: float
    features: Features
    rules: tuple[str, ...]

    def order(self) -> tuple[float, str, str, int]:
        spot = self.spot
        return -self.value, spot.source_name, spot.path, spot.chunk_id


def _value(
    spot: CandidateChunk,
    found: Features,
    question: Question,
    weights: Weights,
    newest: datetime.date | None,
) -> _Valued:
    worth = weights.code if is_code(spot) else weights.document
    value = sum(map(mul, found, worth))
    value += 0.0 if is_code(spot) else weights.document_bias
    defined, age = _definition(question, spot), _age(spot, newest)
    aside = _ASIDE if is_aside(spot.path) else 0.0
    titled = 0.0 if is_code(spot) else heading_worth(question, spot)
    guide = _GUIDE if question.is_how_to and _is_document(spot) else 0.0
    gains = ((defined, DEFINES), (titled, TITLED), (guide, GUIDE))
    losses = ((aside, ASIDE), (age, OLDER))
    rules = tuple(reason for applies, reason in (*gains, *losses) if applies)
    value += sum(gain for gain, _ in gains) - sum(loss for loss, _ in losses)
    return _Valued(spot, value, found, rules)


def _without_tooling(valued: _Valued) -> _Valued:
    if _is_document(valued.spot):
        return valued
    rules = (*valued.rules, TOOLING)
    return valued._replace(value=valued.value - _TOOLING, rules=rules)


def _with_uses(
    valued: Sequence[_Valued], question: Question, users: Collection[int]
) -> list[_Valued]:
    """Let what uses the name follow its definition, then what only writes it.

    Definitions in tests follow those elsewhere.
    """
    [name] = question.names
    written = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    defining = [each for each in valued if DEFINES in each.rules]
    own = [each for each in defining if not _is_aside_test(each, question)] or defining
    best = max((each.value for each in own), default=inf)
    leading = {each.spot.chunk_id for each in own}

    def weigh(each: _Valued) -> _Valued:
        if each.spot.chunk_id in leading:
            return each
        if DEFINES in each.rules:
            return each._replace(value=min(each.value, best - _BEHIND))
        gain, rules = 0.0, each.rules
        if each.spot.chunk_id in users:
            gain, rules = _USES, (USES, *rules)
        elif written.search(each.spot.text):
            gain = _WRITES
        value = min(each.value + gain, best - _BEHIND) if gain else each.value
        return each._replace(value=value, rules=rules)

    return list(map(weigh, valued))


def _is_aside_test(valued: _Valued, question: Question) -> bool:
    return not question.is_about_tests and is_test(valued.spot.path)


def _in_file(valued: list[_Valued], weights: Weights) -> list[_Valued]:
    """Let the best of a file speak for it, and each next one weigh less."""
    valued.sort(key=_Valued.order)
    best = valued[0]
    if len(valued) == 1:
        return valued
    others = sum(exp((each.value - best.value) / _SPREAD) for each in valued[1:])
    gain = weights.coherence * _SPREAD * log1p(others)
    rules = (*best.rules, COHERENCE) if others > _MANY else best.rules
    rest = [
        each._replace(value=each.value - weights.next_of_file * place)
        for place, each in enumerate(valued[1:], start=1)
    ]
    return [best._replace(value=best.value + gain, rules=rules), *rest]


def is_code(spot: CandidateChunk) -> bool:
    """Return whether the weights of code apply, not those of documents and data."""
    return spot.file_kind == "code" and spot.kind != "entry"


def _definition(question: Question, spot: CandidateChunk) -> float:
    """Go to definition: the name itself, types before what belongs to them.

    Only its first piece defines it. The file `res.redirect.js` is no `redirect`.
    """
    if spot.symbol_name not in question.names or not spot.is_first:
        return 0.0
    is_file = spot.symbol_kind == "module"
    if is_file and is_end_of_file_name(spot.symbol_name, spot.path):
        return 0.0
    worth = _DEFINED_ALONE if question.is_name else _DEFINED
    usual = 1.0 if spot.symbol_kind in _TYPES else _OTHER_KINDS
    return worth * _LESSER.get(spot.symbol_kind, usual)


def _age(spot: CandidateChunk, newest: datetime.date | None) -> float:
    """Of two entries that say the same, the newer one still holds.

    Releases lose by every year: their entries say nearly the same for decades.
    """
    if spot.date is None or newest is None:
        return 0.0
    years = (newest - spot.date).days / _DAYS_OF_YEAR
    most = _OLDEST_RELEASE if is_changelog(spot.path) else _OLDEST
    return min(most, _PER_YEAR * years)


def _reasons(found: Features) -> tuple[str, ...]:
    said = (
        (found.name >= _GOOD, NAMED),
        (found.words > _MOST, WORDS),
        (found.meaning_rank > _NEAREST, MEANING),
        (found.file_name >= _GOOD, FILE_NAME),
        (found.is_test > 0, TEST),
    )
    return tuple(reason for applies, reason in said if applies)


def _likelihood(value: float) -> float:
    """Return a value as a likelihood, even where it is POSSIBLE, high from CERTAIN."""
    return 1.0 / (1.0 + exp(-(value - POSSIBLE) * 2.0 / (CERTAIN - POSSIBLE)))
