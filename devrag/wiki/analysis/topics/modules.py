"""Groups a small product by its files, where its authors made one for each subject.

A library of few files in one directory is divided already: `request`, `response` and
`view` are what its readers look for. A file of some size, or with a document of its
name, is a subject, together with what belongs to it: a private file of its name, and
what hardly another file uses.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.grouping import Group
from devrag.wiki.analysis.topics.ties import Material
from devrag.wiki.analysis.topics.words import SHARED_STEMS, words_in, words_of_name

_FEWEST_LINES, _MOST_FILES = 1500, 40  # of all code
_FLAT_SHARE = 0.6  # of the lines, in one directory
_LEAST_SHARE, _LEAST_LINES = 0.02, 50  # of a subject
_FEWEST_LINES_DOCUMENTED = 30
_FEWEST, _MOST = 3, 14  # subjects
_FAMILY, _LARGEST_FAMILY = 3, 0.4
_FEW_USERS = 2  # subjects that use what is no utility
_FRONTS = frozenset({"__init__", "__main__", "index", "mod", "lib", "main", "doc"})
_UTILITIES = frozenset({"util", "utils", "utility", "helper", "helpers"})


@dataclass(frozen=True)
class _Modules:
    """The files of a product, those of one name beside each other as one module."""

    files: Sequence[SurveyFile]
    edges: Mapping[int, Mapping[int, float]]
    ignored: frozenset[str]
    documented: frozenset[str]

    @cached_property
    def members(self) -> list[list[SurveyFile]]:
        found: dict[tuple[str, str], list[SurveyFile]] = defaultdict(list)
        for file in sorted(self.files, key=lambda f: f.path):
            found[file.directory, file.stem].append(file)
        return list(found.values())

    @cached_property
    def lines(self) -> list[int]:
        return [sum(file.lines for file in held) for held in self.members]

    @cached_property
    def total(self) -> int:
        return max(1, sum(self.lines))

    @cached_property
    def home(self) -> str:
        """The directory with most lines directly in it."""
        lines = Counter[str]()
        for file in self.files:
            lines[file.directory] += file.lines
        return min(lines, key=lambda name: (-lines[name], name), default="")

    @cached_property
    def ties(self) -> list[Counter[int]]:
        """Module → module → how often the one uses the other, either way."""
        place = {f.id: n for n, held in enumerate(self.members) for f in held}
        found = [Counter[int]() for _ in self.members]
        for source, targets in self.edges.items():
            for target, uses in targets.items():
                a, b = place.get(source), place.get(target)
                if a is not None and b is not None and a != b:
                    found[a][b] += int(uses) or 1
                    found[b][a] += int(uses) or 1
        return found

    def stem(self, number: int) -> str:
        return self.members[number][0].stem

    def share(self, numbers: Iterable[int]) -> float:
        return sum(self.lines[number] for number in numbers) / self.total

    def is_at_home(self, number: int) -> bool:
        return self.members[number][0].directory == self.home

    def is_utility(self, numbers: Iterable[int]) -> bool:
        """Return whether one of these is called a utility, which all may use."""
        return any(self.stem(n).lower() in _UTILITIES for n in numbers)

    def is_documented(self, number: int) -> bool:
        """Return whether a document bears the name of a module, which is no scrap."""
        is_scrap = self.lines[number] < _FEWEST_LINES_DOCUMENTED
        return not is_scrap and self.stem(number).lower() in self.documented

    def is_front(self, number: int) -> bool:
        """Return whether a module puts the others together: its name tells nothing."""
        words = set(words_in(self.stem(number)))
        return self.stem(number) in _FRONTS or bool(words and words <= self.ignored)


def module_groups(
    material: Material,
    ignored: frozenset[str],
    documented: frozenset[str] = frozenset(),
) -> list[Group]:
    """Return the groups; [] where files are no such division.

    What has to do with most others comes first, utilities come last. ignored: the words
    of the product's name. documented: names of files that have a document each.
    """
    modules = _Modules(material.files, material.edges, ignored, documented)
    if not _is_divided(modules):
        return []
    subjects = _subjects(modules)
    if len(subjects) < _FEWEST:
        return []
    _join_rest(modules, subjects)
    core = subjects[_core(modules, subjects)]
    subjects.sort(
        key=lambda s: (
            s is not core,
            modules.is_utility(s),
            -modules.share(s),
            min(s),
        )
    )
    groups = [
        [file.id for number in sorted(numbers) for file in modules.members[number]]
        for numbers in subjects
    ]
    return _with_documents(groups, material.mentions)


def _is_divided(modules: _Modules) -> bool:
    """Return whether most of a small product of one source is in one directory."""
    if len({file.source for file in modules.files}) != 1:
        return False
    at_home = [n for n in range(len(modules.members)) if modules.is_at_home(n)]
    is_small = len(modules.members) <= _MOST_FILES and modules.total >= _FEWEST_LINES
    return is_small and modules.share(at_home) >= _FLAT_SHARE


def _subjects(modules: _Modules) -> list[set[int]]:
    """Return the modules that are subjects: large ones, families, directories."""
    least = max(_LEAST_LINES, _LEAST_SHARE * modules.total)
    numbers = range(len(modules.members))
    named = [n for n in numbers if modules.is_at_home(n) and _is_subject(modules, n)]
    families = _families(modules, named)
    taken = set[int]().union(*families) if families else set()
    single = [
        {n}
        for n in named
        if n not in taken and (modules.lines[n] >= least or modules.is_documented(n))
    ]
    folders: dict[str, set[int]] = defaultdict(set)
    for number in numbers:
        folder = modules.members[number][0].directory
        if folder.startswith(f"{modules.home}/" if modules.home else ""):
            folders[folder].add(number)
    folders.pop(modules.home, None)
    large = [held for _, held in sorted(folders.items())]
    large = [held for held in large if modules.share(held) * modules.total >= least]
    found = sorted(
        [*families, *single, *large], key=lambda s: (-modules.share(s), min(s))
    )
    return sorted(found[:_MOST], key=min)


def _is_subject(modules: _Modules, number: int) -> bool:
    return not modules.stem(number).startswith("_") and not modules.is_front(number)


def _families(modules: _Modules, named: Sequence[int]) -> list[set[int]]:
    """Return modules whose names are one word with others: `zsh_completions`.

    Where they are too much for one subject, the one that is called by the bare word
    stands alone.
    """
    bearing: dict[str, set[int]] = defaultdict(set)
    for number in named:
        for word in set(words_of_name(modules.stem(number))) - modules.ignored:
            bearing[word].add(number)
    found: list[set[int]] = []
    for word, held in sorted(bearing.items(), key=lambda b: (-len(b[1]), b[0])):
        free = held - set[int]().union(*found) if found else set(held)
        if modules.share(free) > _LARGEST_FAMILY:
            free = {n for n in free if words_in(modules.stem(n)) != [word]}
        if len(free) >= _FAMILY and modules.share(free) <= _LARGEST_FAMILY:
            found.append(free)
    return found


def _join_rest(modules: _Modules, subjects: list[set[int]]) -> None:
    """Join each module that is no subject with the one that it belongs to."""
    rest = set(range(len(modules.members))) - set[int]().union(*subjects)
    core = _core(modules, subjects)
    for number in sorted(rest):
        place = (
            core if modules.is_front(number) else _namesake(modules, subjects, number)
        )
        if place is not None:
            subjects[place].add(number)
            rest.discard(number)
    while rest:
        number = max(rest, key=lambda n: (_tied(modules, subjects, n), -n))
        subjects[_home_of(modules, subjects, number, core)].add(number)
        rest.discard(number)


def _core(modules: _Modules, subjects: Sequence[set[int]]) -> int:
    """Return the subject that has to do with most others, utilities aside."""

    def weight(place: int) -> tuple[bool, int, float, int]:
        own = subjects[place]
        around = set[int]().union(*(modules.ties[n].keys() for n in own))
        others = sum(1 for other in subjects if other is not own and around & other)
        is_shared = any(modules.stem(n).lower() in SHARED_STEMS for n in own)
        return not is_shared, others, modules.share(own), -place

    return max(range(len(subjects)), key=weight)


def _namesake(
    modules: _Modules, subjects: Sequence[set[int]], number: int
) -> int | None:
    """Return the subject whose name a module bears: `_termui_impl` is of `termui`."""
    words = set(words_in(modules.stem(number)))
    for place, own in enumerate(subjects):
        stems = [set(words_in(modules.stem(n))) for n in sorted(own)]
        if any(_is_of(words, stem) for stem in stems):
            return place
    return None


def _is_of(words: set[str], stem: set[str]) -> bool:
    """Return whether a name of these words belongs to another: `_utils` to `utils`."""
    is_part = bool(stem) and stem <= words
    return stem == words or (is_part and not stem & SHARED_STEMS)


def _tied(modules: _Modules, subjects: Sequence[set[int]], number: int) -> int:
    """Return how often a module uses subjects or is used by them."""
    inside = set[int]().union(*subjects)
    return sum(uses for other, uses in modules.ties[number].items() if other in inside)


def _home_of(
    modules: _Modules, subjects: Sequence[set[int]], number: int, core: int
) -> int:
    """Return the subject of a module: what many have to do with is a utility."""
    votes = Counter[int]()
    for place, own in enumerate(subjects):
        uses = sum(modules.ties[number][other] for other in own)
        if uses:
            votes[place] = uses
    shared = [place for place, own in enumerate(subjects) if modules.is_utility(own)]
    if len(votes) > _FEW_USERS and shared:
        return shared[0]
    return min(votes, key=lambda p: (-votes[p], p), default=core)


def _with_documents(
    groups: Sequence[Sequence[int]], mentions: Sequence[Mapping[int, float]]
) -> list[Group]:
    """Return the groups, each document with the one of which it tells most."""
    home = {file: n for n, files in enumerate(groups) for file in files}
    documents: dict[int, list[int]] = defaultdict(list)
    for number, shares in enumerate(mentions):
        votes: dict[int, float] = defaultdict(float)
        for file, share in shares.items():
            if file in home:
                votes[home[file]] += share
        if votes:
            documents[min(votes, key=lambda n: (-votes[n], n))].append(number)
    return [Group(tuple(f), tuple(documents[n])) for n, f in enumerate(groups)]
