"""Order what the lists found by rules that any repository shares; each names itself.

Scores stay as fusion made them; rules only order. First the chunks are weighed, then
the files they are in, because who asks wants a place to read: several good chunks speak
for a file, and so do its name and the words that it has alone. What each rule is worth
is measured by `benchmarks/search_quality.py`.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import isclose

from devrag.parsing.path_roles import is_aside, is_test, name_words
from devrag.search.candidates import CandidateChunk
from devrag.search.lexical.stemming import stem
from devrag.search.query_intent import Question

# The places that nearly everybody looks at: no file stands there twice.
FIRST = 10
_NEXT_CHUNK = 0.5
_CHUNKS_OF_A_FILE = 5
# In parts of what the best file weighs.
_NAME_WORTH = 0.4
_WORDS_WORTH = 0.4
_NAME_WORDS = 4
_MIN_PREFIX = 3
_GOOD_WORDS = 0.75
# A year costs an entry as much as some ranks; however old, it loses no more.
_PER_YEAR, _OLDEST, _DAYS_OF_YEAR = 0.05, 0.8, 365
_TYPES = frozenset({"class", "interface", "enum", "type", "namespace", "module"})
_LESSER = {"method": 0.6, "variable": 0.6, "extension": 0.5}

Ranked = tuple[CandidateChunk, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class WeightedCandidate:
    """A spot with its weight by ranks, by words and by meaning; each 0 to 1 = best."""

    spot: CandidateChunk
    weight: float
    words: float = 0.0
    meaning: float = 0.0


@dataclass(frozen=True, slots=True)
class Rule:
    """worth: what a boost adds, in parts of the best weight; a penalty multiplies."""

    reason: str
    worth: Callable[[Question, CandidateChunk], float]


def _definition(question: Question, spot: CandidateChunk) -> float:
    """Go to definition: the name itself, types before what belongs to them."""
    if not spot.symbol_name or spot.symbol_name not in question.names:
        return 0.0
    worth = 2.0 if question.is_name else 0.5
    return worth * _LESSER.get(spot.symbol_kind, _of_kind(spot))


def _of_kind(spot: CandidateChunk) -> float:
    return 1.0 if spot.symbol_kind in _TYPES else 0.8


def _named(question: Question, spot: CandidateChunk) -> float:
    """A word of a sentence that names a definition is a hint, no more."""
    name = spot.symbol_name
    is_hint = not question.is_name and name not in question.names
    return 0.1 if is_hint and name.lower() in question.words else 0.0


def _test(question: Question, spot: CandidateChunk) -> float:
    """Tests repeat the words of what they test."""
    return 0.3 if is_test(spot.path) and not question.is_about_tests else 1.0


def _aside(_question: Question, spot: CandidateChunk) -> float:
    """Examples, other people's code and what is kept for old times' sake."""
    return 0.5 if is_aside(spot.path) else 1.0


def _document(_question: Question, spot: CandidateChunk) -> float:
    """Documents name everything; what they tell of is in the code beside them."""
    return 1.0 if spot.kind == "entry" or spot.file_kind == "code" else 0.8


def _older(newest: datetime.date, _question: Question, spot: CandidateChunk) -> float:
    """Of two entries that say the same, the newer one still holds."""
    if spot.date is None:
        return 1.0
    years = (newest - spot.date).days / _DAYS_OF_YEAR
    return max(_OLDEST, 1.0 - _PER_YEAR * years)


BOOSTS = (
    Rule("defines what was asked for", _definition),
    Rule("named in the question", _named),
)
PENALTIES = (
    Rule("a test, ranked lower", _test),
    Rule("example or vendored, ranked lower", _aside),
    Rule("a document, ranked a little lower", _document),
)
FOREIGN = "in another language: its meaning alone counts"
OLDER = "an older entry, ranked a little lower"
COHERENCE = "several places of this file fit"
FILE_NAME = "file name matches"
WORDS = "hardly any other file has these words"


@dataclass(slots=True)
class _Weighed:
    spot: CandidateChunk
    weight: float
    words: float
    reasons: tuple[str, ...]

    @property
    def order(self) -> tuple[float, int]:
        return -self.weight, self.spot.chunk_id


def rank(found: Sequence[WeightedCandidate], question: Question) -> list[Ranked]:
    """Return spots in final order with the reasons of the rules that applied."""
    best = max((each.weight for each in found), default=0.0) or 1.0
    dates = [each.spot.date for each in found if each.spot.date]
    penalties = (
        (*PENALTIES, Rule(OLDER, partial(_older, max(dates)))) if dates else PENALTIES
    )
    weighed = [_weigh(question, each, best, penalties) for each in found]
    weighed.sort(key=lambda each: each.order)
    first = _best_of_files(weighed, question)[:FIRST]
    taken = {id(each) for each in first}
    rest = [each for each in weighed if id(each) not in taken]
    return [(each.spot, each.reasons) for each in (*first, *rest)]


def _weigh(
    question: Question, found: WeightedCandidate, best: float, penalties: Sequence[Rule]
) -> _Weighed:
    spot, words, reasons = found.spot, found.words, []
    weight = _by_meaning(found, best) if spot.is_foreign else found.weight
    if weight != found.weight:
        reasons.append(FOREIGN)
    for rule in BOOSTS:
        if worth := rule.worth(question, spot):
            weight += best * worth
            reasons.append(rule.reason)
    for rule in penalties:
        if (worth := rule.worth(question, spot)) != 1.0:
            weight, words = weight * worth, words * worth
            reasons.append(rule.reason)
    return _Weighed(spot, weight, words, tuple(reasons))


def _by_meaning(found: WeightedCandidate, best: float) -> float:
    """What is in English hardly has a word of a Japanese question.

    So it weighs at least what it would if the words agreed with the meaning.
    """
    alone = best * found.meaning
    # Where nothing but the meaning was asked, both are the same but for rounding.
    return found.weight if isclose(alone, found.weight) else max(alone, found.weight)


def _best_of_files(weighed: Sequence[_Weighed], question: Question) -> list[_Weighed]:
    """Return the best chunk of each file, the best file first."""
    files: dict[tuple[str, str, int], list[_Weighed]] = defaultdict(list)
    for each in weighed:
        files[_file_of(each.spot)].append(each)
    weights = {key: _sum(chunks) for key, chunks in files.items()}
    best = max(weights.values(), default=0.0)
    for key, chunks in files.items():
        name = _name_share(key[1], question)
        # Most words of a Japanese sentence are in any text.
        words = 0.0 if question.is_japanese else max(each.words for each in chunks)
        weights[key] += best * (_NAME_WORTH * name + _WORDS_WORTH * words)
        chunks[0].reasons += _reasons(len(chunks), name, words)
    order = sorted(files, key=lambda key: (-weights[key], key))
    return [files[key][0] for key in order]


def _reasons(chunks: int, name: float, words: float) -> tuple[str, ...]:
    said = (
        (chunks > 1, COHERENCE),
        (name > 0, FILE_NAME),
        (words > _GOOD_WORDS, WORDS),
    )
    return tuple(reason for applies, reason in said if applies)


def _file_of(spot: CandidateChunk) -> tuple[str, str, int]:
    """An entry of a memo is a document of its own."""
    return spot.source_name, spot.path, spot.chunk_id if spot.kind == "entry" else 0


def _sum(chunks: Sequence[_Weighed]) -> float:
    total = 0.0
    for each in reversed(chunks[:_CHUNKS_OF_A_FILE]):
        total = each.weight + _NEXT_CHUNK * total
    return total


def _name_share(path: str, question: Question) -> float:
    """Return which part of the question's words the file's name has, 0 to 1."""
    stems = _name_stems(path)
    # Two words that the name writes as one: URL-encoded and urlencoded.
    found = len(stems & question.stems) + 2 * (not stems.isdisjoint(question.pairs))
    if not found:
        found = sum(_begins(asked, stems) for asked in question.stems)
    return min(1.0, found / min(max(1, len(question.stems)), _NAME_WORDS))


@lru_cache(maxsize=100_000)
def _name_stems(path: str) -> frozenset[str]:
    words = name_words(path)
    return frozenset([*map(stem, words), stem("".join(words))])


def _begins(asked: str, stems: Iterable[str]) -> bool:
    """Return whether one is the beginning of the other: utility and util."""
    if len(asked) < _MIN_PREFIX:
        return False
    for each in stems:
        is_long = len(each) >= _MIN_PREFIX
        if is_long and (each.startswith(asked) or asked.startswith(each)):
            return True
    return False
