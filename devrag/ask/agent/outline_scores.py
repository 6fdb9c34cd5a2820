"""What definitions of files weigh in an outline: pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from devrag.ask.types import Location
from devrag.core.identifiers import words_of

# What a location weighs by its place, and a name by how much of it the question has.
_FIRST_PLACE, _BY_NAME = 5, 0.05
# Of its best member for a class; of a class for each of its members, less where there
# are more of them.
_OF_MEMBER, _OF_CLASS, _MEMBERS = 0.5, 0.2, 12
_STEM, _LEAST = 5, 3
FileKey = tuple[str, str]  # source, path


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition of a file. ordinal: within the file; parent: that of what holds it.

    bases: of the class that it is or belongs to. calls: as they are written.
    """

    source: str
    path: str
    kind: str
    name: str
    qualified_name: str
    start_line: int
    end_line: int
    uuid: UUID
    ordinal: int
    parent: int | None
    bases: list[str] = field(default_factory=list, compare=False)
    calls: list[str] = field(default_factory=list, compare=False)

    @property
    def file(self) -> FileKey:
        return self.source, self.path

    @property
    def location(self) -> Location:
        return Location(
            self.source,
            self.path,
            self.start_line,
            self.end_line,
            self.qualified_name,
            self.uuid,
        )


@dataclass(slots=True)
class Scores:
    """What definitions weigh, and lines that are of none."""

    of: dict[Definition, float] = field(default_factory=lambda: defaultdict(float))
    loose: dict[Location, float] = field(default_factory=dict)

    def ordered(self) -> list[Definition | Location]:
        """Return all that weighs something, the most first."""
        weights: list[tuple[Definition | Location, float]]
        weights = [*self.of.items(), *self.loose.items()]
        ordered = sorted(weights, key=lambda pair: -pair[1])
        return [each for each, weight in ordered if weight > 0]


def score_definitions(
    found: Iterable[Location],
    definitions: Mapping[FileKey, Sequence[Definition]],
    question: str,
) -> Scores:
    """Return what definitions weigh: by what was found, by name and by their class.

    found: the best first.
    """
    scores = Scores()
    for place, each in enumerate(found):
        weight = 1 / (_FIRST_PLACE + place)
        definition = _definition_of(each, definitions[each.source, each.path])
        if definition is None:
            scores.loose.setdefault(each, weight)
        else:
            scores.of[definition] += weight
    asked = _stems(question)
    for of_file in definitions.values():
        for definition in of_file:
            scores.of[definition] += _BY_NAME * _share(definition.name, asked)
        _add_of_classes(scores, of_file)
    return scores


def _add_of_classes(scores: Scores, of_file: Iterable[Definition]) -> None:
    """Let members have a part of what their class weighs."""
    classes = {each.ordinal: each for each in of_file if each.kind == "class"}
    members: dict[int, list[Definition]] = defaultdict(list)
    for each in of_file:
        if each.parent in classes:
            members[each.parent].append(each)
    for ordinal, inside in members.items():
        best = max(scores.of[member] for member in inside)
        weight = scores.of[classes[ordinal]] + _OF_MEMBER * best
        part = _OF_CLASS * weight / max(1.0, len(inside) / _MEMBERS)
        for member in inside:
            scores.of[member] += part


def _definition_of(
    location: Location, definitions: Sequence[Definition]
) -> Definition | None:
    """Return the definition that a location is of, else the innermost around it."""
    named = [each for each in definitions if each.qualified_name == location.title]
    around = [
        each
        for each in named or definitions
        if each.start_line <= location.start_line <= each.end_line
    ]
    return around[-1] if around else None


def _share(name: str, asked: frozenset[str]) -> float:
    """Return how much of a name the question has and of that the name, from 0 to 2."""
    own = _stems(name)
    both = len(own & asked)
    return both / max(1, len(own)) + both / max(1, len(asked))


def _stems(text: str) -> frozenset[str]:
    words = words_of(text)
    return frozenset(w.lower()[:_STEM] for w in words if len(w) >= _LEAST)
