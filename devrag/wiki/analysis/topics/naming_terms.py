"""The terms that the names in a topic's files bear: directories, files and types."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.analysis.topics.material import TopicInput
from devrag.wiki.analysis.topics.subjects import Subject
from devrag.wiki.analysis.topics.titles import terms_of_name
from devrag.wiki.analysis.topics.words import is_telling, split_name, words_in

_MODIFIER_WEIGHT = 0.4  # of a word that is not the last of a type's name
_ERROR_ENDINGS = ("Error", "Exception", "Warning")
_FUNCTION_WEIGHT, _FEWEST_FUNCTIONS = 0.7, 5
_STEM_WEIGHT, _TYPE_WEIGHT, _FOLDER_WEIGHT = 0.8, 0.4, 0.8
TYPE_KINDS = frozenset({"class", "interface", "type", "enum"})


class TermReader:
    """Reads the terms of files. everywhere: terms that tell no topic from another."""

    def __init__(self, found: TopicInput) -> None:
        self._found = found
        self.everywhere = _words_everywhere(found.files)
        self._inner = {
            symbol.id
            for file in found.files
            for symbol in found.symbols.get(file.id, ())
            if symbol.kind in TYPE_KINDS
        }

    def of_subject(self, subject: Subject) -> dict[str, float]:
        """Return term → share of the topic whose names bear it."""
        shares: dict[str, float] = defaultdict(float)
        for file in subject.files:
            for term, clarity in self._of_file(file).items():
                shares[term] += clarity * subject.weights[file.id]
        return shares

    def is_outer(self, symbol: SurveySymbol) -> bool:
        """Return whether a type stands by itself and is no error."""
        is_error = symbol.name.endswith(_ERROR_ENDINGS)
        return not is_error and symbol.parent not in self._inner

    def _of_file(self, file: SurveyFile) -> dict[str, float]:
        """Return term → how clearly the file bears it, at most 1."""
        shares: dict[str, float] = defaultdict(float)
        for folder in file.directory.split("/")[-2:]:
            for term in terms_of_name(folder) - self.everywhere:
                shares[term] = _FOLDER_WEIGHT
        is_error = file.stem.endswith(_ERROR_ENDINGS)
        stem = _STEM_WEIGHT * (_MODIFIER_WEIGHT if is_error else 1.0)
        for term in terms_of_name(file.stem):
            shares[term] = max(shares[term], stem)
        types = [
            symbol.name
            for symbol in self._found.symbols.get(file.id, ())
            if symbol.kind in TYPE_KINDS and self.is_outer(symbol)
        ]
        for name in types:
            for term, weight in _terms_of_type(name):
                share = shares[term] + _TYPE_WEIGHT * weight / len(types)
                shares[term] = min(1.0, share)
        for term, share in self._of_functions(file).items():
            shares[term] = min(1.0, shares[term] + _FUNCTION_WEIGHT * share)
        return shares

    def _of_functions(self, file: SurveyFile) -> dict[str, float]:
        """Return word → share of the functions of a file of functions named so."""
        own = self._found.symbols.get(file.id, ())
        names = [s.name for s in own if s.kind == "function" and s.parent is None]
        if len(names) < _FEWEST_FUNCTIONS:
            return {}
        counted = Counter(
            word for name in names for word in set(words_in(name)) if is_telling(word)
        )
        return {word: n / len(names) for word, n in counted.items() if n > 1}


def _terms_of_type(name: str) -> Iterator[tuple[str, float]]:
    """Yield the terms of a type's name; what it is stands at its end."""
    words = [word.lower() for word in split_name(name)]
    for term in terms_of_name(name):
        if " " not in term:
            yield term, 1.0 if term == words[-1] else _MODIFIER_WEIGHT
        elif len(words) == 2:
            yield term, 1.0


def _words_everywhere(files: Sequence[SurveyFile]) -> set[str]:
    """Return the terms of directories that half of all files are in."""
    counted = Counter(
        term
        for file in files
        for term in set().union(*map(terms_of_name, file.directory.split("/")))
    )
    return {term for term, count in counted.items() if 2 * count > len(files)}
