"""What ranking knows of each candidate, as numbers, most of them from 0 to 1.

Words are compared by their stems; a word that few of the candidates have says more than
one that most of them have. `benchmarks/search_weights.py` fits what each is worth.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import log, log2, sqrt
from statistics import fmean
from typing import NamedTuple

from devrag.core.identifiers import words_of
from devrag.parsing.path_roles import is_test, name_words
from devrag.search.candidates import TEXT_CHARS, CandidateChunk
from devrag.search.fusion import RRF_K
from devrag.search.lexical.stemming import stem
from devrag.search.lexical.terms import counterparts
from devrag.search.query_intent import Question

_NAME_WORDS = 4
_MIN_PREFIX = 3
_MOST_LINES_LOG = 10.0
_NEXT_CHUNK = 0.5
_CHUNKS_OF_A_FILE = 5
_ALIKE = 1e-6
_PAGES = frozenset({"page", "attachment"})
_INFLECTION = re.compile(r"(?<=[\u3400-\u9fff])[\u3041-\u3096]+$")


# Source, path, and of an entry its chunk.
FileKey = tuple[str, str, int]


class Features(NamedTuple):
    """Numbers of one candidate; each 0 where it does not apply.

    words: its score in the list, as a part of the best; …_rank: by its place. cosine:
    that of its text and the question, less the mean of all candidates; cosine_spread:
    the same in standard deviations.
    name, text, file_name, folders: the share of the question's words there. name_only:
    the share of the name's words that are in the question. file: how much of its file
    fits, file_words: the best words score of its file.
    """

    words: float
    words_rank: float
    cosine: float
    cosine_spread: float
    meaning_rank: float
    name: float
    name_only: float
    text: float
    file_name: float
    folders: float
    file: float
    file_words: float
    is_test: float
    is_definition: float
    is_further_piece: float
    is_entry: float
    is_foreign: float
    is_page: float
    is_ticket: float
    lines: float


@dataclass(frozen=True, slots=True)
class Ranks:
    """Scores of the lists by chunk id, best first, and what each weighs fused.

    cosines: of all candidates that have a vector.
    """

    words: Mapping[int, float]
    meaning: Mapping[int, float]
    fused: Mapping[int, float]
    cosines: Mapping[int, float]


def read_features(
    question: Question, candidates: Sequence[CandidateChunk], ranks: Ranks
) -> list[Features]:
    """Return the features of each candidate, in their order."""
    forms = {word: forms_of(word) for word in question.stems}
    roots = [(_root(form), word) for word, of in forms.items() for form in of]
    present = [_present(each.text[:TEXT_CHARS].lower(), roots) for each in candidates]
    worth = _worth(forms, present)
    asked = {form: word for word, of in forms.items() for form in of}
    files = _files(candidates, ranks)
    words, cosines = _shares(ranks.words), _cosines(candidates, ranks.cosines)
    spread = _deviation(cosines)
    words_rank, meaning_rank = _places(ranks.words), _places(ranks.meaning)
    of_path = {
        path: _of_path(path, question, worth, asked)
        for path in {each.path for each in candidates}
    }
    found = []
    for each, there, cosine in zip(candidates, present, cosines, strict=True):
        key, by_path = each.chunk_id, of_path[each.path]
        name = _stems(each.symbol_name)
        named = {asked[part] for part in name if part in asked}
        file = files[file_of(each)]
        found.append(
            Features(
                words=words.get(key, 0.0),
                words_rank=words_rank.get(key, 0.0),
                cosine=cosine,
                cosine_spread=cosine / spread,
                meaning_rank=meaning_rank.get(key, 0.0),
                name=sum(map(worth.__getitem__, named)),
                name_only=len(named) / len(name) if name else 0.0,
                text=sum(map(worth.__getitem__, there)),
                file_name=by_path.file_name,
                folders=by_path.folders,
                file=file.fitting,
                file_words=file.words,
                is_test=by_path.is_test,
                is_definition=float(bool(each.symbol_name)),
                is_further_piece=float(bool(each.symbol_name) and not each.is_first),
                is_entry=float(each.kind == "entry"),
                is_foreign=float(each.is_foreign),
                is_page=float(each.document_kind in _PAGES),
                is_ticket=float(each.document_kind == "ticket"),
                lines=log2(each.end_line - each.start_line + 1) / _MOST_LINES_LOG,
            )
        )
    return found


def file_of(spot: CandidateChunk) -> FileKey:
    """An entry of a memo is a document of its own."""
    return spot.source_name, spot.path, spot.chunk_id if spot.kind == "entry" else 0


# -- lists --------------------------------------------------------------------------


def _shares(scores: Mapping[int, float]) -> dict[int, float]:
    best = max(scores.values(), default=0.0)
    if best <= 0:
        return dict.fromkeys(scores, 0.0)
    return {key: score / best for key, score in scores.items()}


def _cosines(
    candidates: Sequence[CandidateChunk], known: Mapping[int, float]
) -> list[float]:
    """Return by how much the cosine of each is above their mean.

    Cosines of short texts lie close together, and as high as the question makes them. A
    text that has no vector yet is as far as the farthest.
    """
    lowest = min(known.values(), default=0.0)
    found = [known.get(each.chunk_id, lowest) for each in candidates]
    mean = fmean(found) if found else 0.0
    return [cosine - mean for cosine in found]


def _deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of values whose mean is 0, 1 if all are alike."""
    spread = sqrt(fmean(value**2 for value in values)) if values else 0.0
    return spread if spread > _ALIKE else 1.0


def _places(order: Iterable[int]) -> dict[int, float]:
    first = RRF_K + 1
    return {key: first / (RRF_K + rank) for rank, key in enumerate(order, start=1)}


# -- words --------------------------------------------------------------------------


def _present(text: str, roots: Iterable[tuple[str, str]]) -> Collection[str]:
    """Return the words of which the text has a root, each once, in their order."""
    return dict.fromkeys([word for root, word in roots if root in text])


def _worth(
    words: Iterable[str], present: Sequence[Collection[str]]
) -> dict[str, float]:
    """Return what each word of the question says, all together 1.

    present: those that each candidate has.
    """
    having = Counter(chain.from_iterable(present))
    total = len(present) + 1
    found = {word: log(1 + total / (having[word] + 1)) for word in words}
    whole = sum(found.values()) or 1.0
    return {word: worth / whole for word, worth in found.items()}


@lru_cache(maxsize=10_000)
def forms_of(word: str) -> tuple[str, ...]:
    """Return a word of the question, and stems of what the other language calls it."""
    return word, *map(stem, counterparts(word))


@lru_cache(maxsize=10_000)
def _root(word: str) -> str:
    """Return what any form of the word begins with: quer of query and queries."""
    if word.isascii():
        return word[:-1] if word.endswith("i") and len(word) > _MIN_PREFIX else word
    return _INFLECTION.sub("", word) or word


def _share(
    worth: Mapping[str, float], asked: Mapping[str, str], words: Collection[str]
) -> float:
    return sum(worth[word] for word in {asked[each] for each in words if each in asked})


@lru_cache(maxsize=100_000)
def _stems(written: str) -> frozenset[str]:
    return frozenset(stem(part.lower()) for part in words_of(written))


@lru_cache(maxsize=100_000)
def _folder_stems(path: str) -> frozenset[str]:
    return _stems(path.rpartition("/")[0])


class _OfPath(NamedTuple):
    """What all candidates of a file have in common."""

    file_name: float
    folders: float
    is_test: float


def _of_path(
    path: str, question: Question, worth: Mapping[str, float], asked: Mapping[str, str]
) -> _OfPath:
    return _OfPath(
        file_name=_name_share(path, question),
        folders=_share(worth, asked, _folder_stems(path)),
        is_test=float(not question.is_about_tests and is_test(path)),
    )


def _name_share(path: str, question: Question) -> float:
    """Return which part of the question's words the file's name has, 0 to 1."""
    stems = _name_stems(path)
    # Two words that the name writes as one: URL-encoded and urlencoded.
    found = len(stems & question.stems) + 2 * (not stems.isdisjoint(question.pairs))
    if not found and not _heads(stems).isdisjoint(_heads(question.stems)):
        found = sum(_begins(asked, stems) for asked in question.stems)
    return min(1.0, found / min(max(1, len(question.stems)), _NAME_WORDS))


@lru_cache(maxsize=100_000)
def _name_stems(path: str) -> frozenset[str]:
    words = name_words(path)
    return frozenset([*map(stem, words), stem("".join(words))])


@lru_cache(maxsize=100_000)
def _heads(stems: frozenset[str]) -> frozenset[str]:
    """Return how they begin: what differs here is no beginning of the other."""
    return frozenset(each[:_MIN_PREFIX] for each in stems if len(each) >= _MIN_PREFIX)


def _begins(asked: str, stems: Iterable[str]) -> bool:
    """Return whether one is the beginning of the other: utility and util."""
    if len(asked) < _MIN_PREFIX:
        return False
    for each in stems:
        is_long = len(each) >= _MIN_PREFIX
        if is_long and (each.startswith(asked) or asked.startswith(each)):
            return True
    return False


# -- files --------------------------------------------------------------------------


class _File(NamedTuple):
    fitting: float
    words: float


def _files(candidates: Sequence[CandidateChunk], ranks: Ranks) -> dict[FileKey, _File]:
    """Return how much the best chunks of each file weigh, as a part of the best."""
    chunks: dict[FileKey, list[int]] = defaultdict(list)
    for each in candidates:
        chunks[file_of(each)].append(each.chunk_id)
    words = _shares(ranks.words)
    sums = {
        key: _sum(sorted((ranks.fused.get(c, 0.0) for c in of), reverse=True))
        for key, of in chunks.items()
    }
    best = max(sums.values(), default=0.0) or 1.0
    return {
        key: _File(sums[key] / best, max(words.get(chunk, 0.0) for chunk in of))
        for key, of in chunks.items()
    }


def _sum(weights: Sequence[float]) -> float:
    total = 0.0
    for weight in reversed(weights[:_CHUNKS_OF_A_FILE]):
        total = weight + _NEXT_CHUNK * total
    return total
