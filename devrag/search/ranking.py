"""Order fused hits by rules that any repository shares; each names itself on the hit.

Scores stay as fusion made them; rules only order (DESIGN §4). First the chunks are
weighed, then the files they are in, because who asks wants a place to read: several
good chunks speak for a file, and so does its name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from devrag.search.lexical.stemming import stem
from devrag.search.paths import ASIDE_PATHS, HISTORY_PATHS, TEST_PATHS, name_words
from devrag.search.question import Question
from devrag.search.types import Hit

# The places that nearly everybody looks at: no file stands there twice.
FIRST = 10
_NEXT_CHUNK = 0.5
_CHUNKS_OF_A_FILE = 10
_NAME_WORTH = 0.3
_NAME_WORDS = 4
_MIN_PREFIX = 3
_TYPES = frozenset({"class", "interface", "enum", "type", "namespace", "module"})
_LESSER = {"method": 0.6, "variable": 0.6, "extension": 0.5}

Ranked = tuple[Hit, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Rule:
    """Changes the weight of a hit. apply: (question, hit, weight, best weight)."""

    reason: str
    apply: Callable[[Question, Hit, float, float], float]


def _definition(question: Question, hit: Hit, weight: float, best: float) -> float:
    """Go to definition: the name itself, types before what belongs to them."""
    last = hit.symbol_name.rpartition(".")[2]
    if not last or last not in question.names:
        return weight
    worth = 2.0 if question.is_name else 0.5
    return weight + best * worth * _LESSER.get(hit.symbol_kind, _of_kind(hit))


def _of_kind(hit: Hit) -> float:
    return 1.0 if hit.symbol_kind in _TYPES else 0.8


def _named(question: Question, hit: Hit, weight: float, best: float) -> float:
    """A word of a sentence that names a definition is a hint, no more."""
    last = hit.symbol_name.rpartition(".")[2]
    is_hint = not question.is_name and last not in question.names
    return weight + 0.1 * best if is_hint and last.lower() in question.words else weight


def _test(question: Question, hit: Hit, weight: float, _best: float) -> float:
    """Tests repeat the words of what they test."""
    is_test = not question.is_about_tests and TEST_PATHS.search(hit.path)
    return weight * 0.3 if is_test else weight


def _aside(_question: Question, hit: Hit, weight: float, _best: float) -> float:
    """Examples, other people's code and what is kept for old times' sake."""
    return weight * 0.5 if ASIDE_PATHS.search(hit.path) else weight


def _document(_question: Question, hit: Hit, weight: float, _best: float) -> float:
    """Documents name everything; what they tell of is in the code beside them."""
    if hit.kind == "entry" or hit.file_kind == "code":
        return weight
    return weight * (0.4 if HISTORY_PATHS.search(hit.path) else 0.8)


RULES = (
    Rule("defines what was asked for", _definition),
    Rule("named in the question", _named),
    Rule("a test, ranked lower", _test),
    Rule("example or vendored, ranked lower", _aside),
    Rule("a document, ranked a little lower", _document),
)
COHERENCE = "several places of this file fit"
FILE_NAME = "file name matches"


@dataclass(slots=True)
class _Weighed:
    hit: Hit
    weight: float
    reasons: tuple[str, ...]

    @property
    def order(self) -> tuple[float, int]:
        return -self.weight, self.hit.chunk_id


def rank(fused: Sequence[tuple[Hit, float]], question: Question) -> list[Ranked]:
    """Return hits in final order with the reasons of the rules that applied.

    fused: hits with what they weigh by their ranks, 0 to 1.
    """
    best = max((weight for _, weight in fused), default=0.0) or 1.0
    weighed = [_weigh(question, hit, weight, best) for hit, weight in fused]
    weighed.sort(key=lambda each: each.order)
    first = _best_of_files(weighed, question)[:FIRST]
    taken = {id(each) for each in first}
    rest = [each for each in weighed if id(each) not in taken]
    return [(each.hit, each.reasons) for each in (*first, *rest)]


def _weigh(question: Question, hit: Hit, weight: float, best: float) -> _Weighed:
    reasons = []
    for rule in RULES:
        changed = rule.apply(question, hit, weight, best)
        if changed != weight:
            weight = changed
            reasons.append(rule.reason)
    return _Weighed(hit, weight, tuple(reasons))


def _best_of_files(weighed: Sequence[_Weighed], question: Question) -> list[_Weighed]:
    """Return the best chunk of each file, the best file first."""
    files: dict[tuple[str, str, int], list[_Weighed]] = defaultdict(list)
    for each in weighed:
        files[_file_of(each.hit)].append(each)
    weights = {key: _sum(chunks) for key, chunks in files.items()}
    best = max(weights.values(), default=0.0)
    for key, chunks in files.items():
        top = chunks[0]
        if len(chunks) > 1:
            top.reasons += (COHERENCE,)
        share = _name_share(key[1], question)
        if share:
            weights[key] += best * _NAME_WORTH * share
            top.reasons += (FILE_NAME,)
    order = sorted(files, key=lambda key: (-weights[key], key))
    return [files[key][0] for key in order]


def _file_of(hit: Hit) -> tuple[str, str, int]:
    """An entry of a memo is a document of its own."""
    return hit.source_name, hit.path, hit.chunk_id if hit.kind == "entry" else 0


def _sum(chunks: Sequence[_Weighed]) -> float:
    first = chunks[:_CHUNKS_OF_A_FILE]
    return sum(each.weight * _NEXT_CHUNK**n for n, each in enumerate(first))


def _name_share(path: str, question: Question) -> float:
    """Return which part of the question's words the file's name has, 0 to 1."""
    words = name_words(path)
    stems = {*map(stem, words), stem("".join(words))}
    found = len(stems & question.stems)
    if not found:
        found = sum(_begins(asked, stems) for asked in question.stems)
    return min(1.0, found / min(max(1, len(question.stems)), _NAME_WORDS))


def _begins(asked: str, stems: set[str]) -> bool:
    """Say whether one is the beginning of the other: utility and util."""
    return len(asked) >= _MIN_PREFIX and any(
        len(each) >= _MIN_PREFIX and (each.startswith(asked) or asked.startswith(each))
        for each in stems
    )
