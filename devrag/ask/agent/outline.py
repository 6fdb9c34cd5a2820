"""An outline of what was found: definitions by file, from which a model chooses.

Names and lines cost a tenth of the text, and show what the best results leave out:
the other methods of a class, its bases, what a function calls.
"""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count

from devrag.ask.agent.outline_scores import (
    Definition,
    FileKey,
    Scores,
    score_definitions,
)
from devrag.ask.agent.reach import Reach
from devrag.ask.types import Location
from devrag.navigation.symbol_search import current_symbols
from devrag.parsing.path_roles import is_test
from devrag.parsing.tokens import token_weight

MOST_TOKENS = 1_500
_MOST_FILES = 30
_NOT_LISTED = ("module", "section", "variable")
# Of the best definitions the bases and calls are shown, too.
_DETAILED, _MOST_BASES, _MOST_CALLS, _SHORT_NAME = 24, 3, 10, 4
# A name that more definitions have says too little, as do those of built-in types.
_MOST_OF_NAME = 8
_BUILT_IN = frozenset(
    name for each in (builtins, str, list, dict, set) for name in dir(each)
)


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A line of an outline. number: from 1, by which a model names it.

    detail: of a class its bases, of a function what it calls.
    """

    number: int
    location: Location
    depth: int
    name: str
    kind: str
    detail: str = ""

    @property
    def text(self) -> str:
        lines = f"{self.location.start_line}-{self.location.end_line}"
        named = self.name
        if self.kind == "class":
            named = f"class {self.name}" + (f"({self.detail})" if self.detail else "")
        text = f"{'  ' * self.depth}{self.number} {named} {lines}"
        is_calling = self.detail and self.kind != "class"
        return f"{text} calls {self.detail}" if is_calling else text


@dataclass(frozen=True, slots=True)
class Outline:
    """Entries by file, the most wanted files first."""

    entries: tuple[OutlineEntry, ...]

    def text(self, only_source: str) -> str:
        """Return it as a model reads it. only_source: the one that needs no name."""
        lines: list[str] = []
        file: FileKey | None = None
        for entry in self.entries:
            at = entry.location
            if file != (at.source, at.path):
                file = at.source, at.path
                named = "" if at.source == only_source else f" (source {at.source})"
                lines.append(f"{at.path}{named}")
            lines.append(entry.text)
        return "\n".join(lines)


def make_outline(question: str, nearby: Sequence[Location], reach: Reach) -> Outline:
    """Return what is near a question, within MOST_TOKENS and the details of the best.

    nearby: what search found and what stands around it, the best first; what reach
    does not have is left out. Queries: 2.
    """
    sources = {source.name for source in reach.sources}
    found = [
        each
        for each in nearby
        if each.source in sources and each.path.startswith(reach.path)
    ]
    files = list(dict.fromkeys((e.source, e.path) for e in found))[:_MOST_FILES]
    found = [each for each in found if (each.source, each.path) in set(files)]
    definitions = _definitions(files, reach)
    scores = score_definitions(found, definitions, question)
    return Outline(
        tuple(_numbered(_taken(definitions, scores), _details(scores, reach)))
    )


def _definitions(
    files: Sequence[FileKey], reach: Reach
) -> dict[FileKey, list[Definition]]:
    """Return the definitions of files in their order. Queries: 1."""
    columns = (
        *("file__source__name", "file__path", "kind", "name", "qualified_name"),
        *("start_line", "end_line", "uuid", "ordinal", "parent_ordinal"),
        *("class_hierarchy", "called_functions"),
    )
    rows = current_symbols(reach.source_ids).filter(
        file__path__in={path for _, path in files}
    )
    by_file: dict[FileKey, list[Definition]] = {file: [] for file in files}
    ordered = rows.exclude(kind__in=_NOT_LISTED).order_by("start_line", "-end_line")
    for values in ordered.values_list(*columns):
        each = Definition(*values)
        if each.file in by_file:
            by_file[each.file].append(each)
    return by_file


def _taken(
    definitions: dict[FileKey, list[Definition]], scores: Scores
) -> dict[FileKey, list[Definition | Location]]:
    """Return the best until the tokens are used, each with what is around it."""
    by_ordinal = {
        (file, each.ordinal): each
        for file, some in definitions.items()
        for each in some
    }
    taken: dict[FileKey, dict[Definition | Location, None]] = {}
    left = float(MOST_TOKENS)
    for each in scores.ordered():
        file = each.source, each.path
        wanted = [each]
        while isinstance(each, Definition) and each.parent is not None:
            around = by_ordinal.get((file, each.parent))
            if around is None:
                break
            wanted.append(each := around)
        new = [one for one in wanted if one not in taken.get(file, {})]
        left -= sum(map(_cost, new))
        left -= 0 if file in taken else token_weight(file[1]) + 1
        if left < 0:
            break
        taken.setdefault(file, {}).update(dict.fromkeys(new))
    return {file: list(some) for file, some in taken.items()}


def _cost(each: Definition | Location) -> float:
    name = each.name if isinstance(each, Definition) else each.title
    return token_weight(name) + 6


def _details(scores: Scores, reach: Reach) -> dict[Definition, str]:
    """Return the bases and calls of the best definitions. Queries: 1."""
    found = [e for e in scores.ordered() if isinstance(e, Definition)]
    best = [each for each in found if not is_test(each.path)][:_DETAILED]
    called = {e: tuple(call.rpartition(".")[2] for call in e.calls) for e in best}
    known = _known_names({name for names in called.values() for name in names}, reach)
    details = {}
    for each, names in called.items():
        if each.kind == "class":
            bases = [base for base in each.bases if base != each.name]
            details[each] = ", ".join(bases[-_MOST_BASES:])
        else:
            shown = [name for name in dict.fromkeys(names) if name in known]
            details[each] = ", ".join(shown[:_MOST_CALLS])
    return details


def _known_names(names: Collection[str], reach: Reach) -> frozenset[str]:
    """Return which names few definitions of the sources have. Queries: 1."""
    wanted = [n for n in names if len(n) >= _SHORT_NAME and n not in _BUILT_IN]
    rows = current_symbols(reach.source_ids).filter(name__in=wanted).order_by()
    counted = rows.values("name").annotate(count=Count("pk"))
    few = counted.filter(count__lte=_MOST_OF_NAME)
    return frozenset(few.values_list("name", flat=True))


def _numbered(
    taken: dict[FileKey, list[Definition | Location]], details: dict[Definition, str]
) -> Iterable[OutlineEntry]:
    number = 0
    for of_file in taken.values():
        around: list[Definition] = []
        for each in sorted(of_file, key=lambda one: one.start_line):
            number += 1
            if isinstance(each, Location):
                yield OutlineEntry(number, each, 0, each.title, "")
                continue
            while around and around[-1].ordinal != each.parent:
                around.pop()
            entry = OutlineEntry(
                number, each.location, len(around), each.name, each.kind
            )
            yield replace(entry, detail=details.get(each, ""))
            around.append(each)
