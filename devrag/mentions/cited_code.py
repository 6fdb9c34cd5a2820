"""The code that many documents mention, found in a few queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from devrag.mentions.names import (
    FILE_NAME,
    MOST_DEFINITIONS,
    current,
    is_telling,
    means,
)
from devrag.parsing.types import MENTION
from devrag.sources.models import File, Reference, Symbol

_MOST_OF_A_DOCUMENT = 500
# Rows of one name that are looked at: a more frequent one tells nothing.
_MOST_OF_A_NAME = 50
_ROWS = 5_000


@dataclass(frozen=True, slots=True)
class CitedCode:
    """A file of code that a document names, or a definition in it.

    symbol: its qualified name, '' for the file itself. names: of the definition and
    those inside it. line: of the first mention in the document.
    """

    source_id: int
    path: str
    symbol: str
    names: frozenset[str]
    line: int


@dataclass(frozen=True, slots=True)
class _Written:
    document: int
    name: str
    line: int


@dataclass(frozen=True, slots=True)
class _Definition:
    file: int
    source: int
    path: str
    qualified: str


def find_cited_code(
    documents: Sequence[int], sources: Sequence[int]
) -> dict[int, list[CitedCode]]:
    """Return document → the code of the sources that it names, each once. Queries: ≤ 4.

    As `find_mentions` decides it for one file; only code, no tests or documents.
    """
    written = _written(documents)
    found: dict[int, dict[tuple[int, str, str], CitedCode]] = defaultdict(dict)
    for document, code in (
        *_cited_files(written, sources),
        *_cited_definitions(written, sources),
    ):
        key = (code.source_id, code.path, code.symbol)
        known = found[document].get(key)
        if known is None or code.line < known.line:
            found[document][key] = code
    return {document: list(each.values()) for document, each in found.items()}


def _written(documents: Sequence[int]) -> dict[str, list[_Written]]:
    """Return last part of a name → where it is written."""
    rows = Reference.objects.filter(file__in=documents, kind=MENTION)
    found: dict[str, list[_Written]] = defaultdict(list)
    count: dict[int, int] = defaultdict(int)
    ordered = rows.order_by("file", "line", "pk")
    for file, name, key, line in ordered.values_list(
        "file_id", "name", "last_name", "line"
    ).iterator(_ROWS):
        count[file] += 1
        if count[file] <= _MOST_OF_A_DOCUMENT:
            found[key].append(_Written(file, name, line))
    return found


def _cited_files(
    written: Mapping[str, Sequence[_Written]], sources: Sequence[int]
) -> Iterator[tuple[int, CitedCode]]:
    files = (
        current(File.objects, "", sources)
        .annotate(file_name=FILE_NAME)
        .filter(file_name__in={name.lower() for name in written})
        .values_list("source_id", "path", "kind")
    )
    same: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    for source, path, kind in files.iterator(_ROWS):
        same[path.rpartition("/")[2]].append((source, path, kind))
    for name, rows in same.items():
        for each in written.get(name, ()):
            is_enough = len(rows) == 1 or "/" in each.name
            for source, path, kind in rows if is_enough else ():
                if kind == File.Kind.CODE and means(each.name, path):
                    names: frozenset[str] = frozenset()
                    yield each.document, CitedCode(source, path, "", names, each.line)


def _cited_definitions(
    written: Mapping[str, Sequence[_Written]], sources: Sequence[int]
) -> Iterator[tuple[int, CitedCode]]:
    telling = {
        key: [each for each in rows if is_telling(each.name)]
        for key, rows in written.items()
    }
    known = _definitions([key for key, rows in telling.items() if rows], sources)
    cited: list[tuple[_Written, _Definition]] = []
    for key, rows in telling.items():
        homes = known.get(key, ())
        for each in rows if len(homes) <= _MOST_OF_A_NAME else ():
            meant = [home for home in homes if means(each.name, home.qualified)]
            if len(meant) <= MOST_DEFINITIONS:
                cited += [(each, home) for home in meant]
    inside = _names_inside({home for _, home in cited})
    for each, home in cited:
        place = (home.source, home.path, home.qualified)
        yield each.document, CitedCode(*place, inside[home], each.line)


def _definitions(
    names: Sequence[str], sources: Sequence[int]
) -> dict[str, list[_Definition]]:
    rows = current(Symbol.objects, "file__", sources).filter(
        name__in=names, file__kind=File.Kind.CODE
    )
    columns = ("name", "file_id", "file__source_id", "file__path", "qualified_name")
    found: dict[str, list[_Definition]] = defaultdict(list)
    for name, *place in rows.values_list(*columns).iterator(_ROWS):
        if len(found[name]) <= _MOST_OF_A_NAME:
            found[name].append(_Definition(*place))
    return found


def _names_inside(homes: Iterable[_Definition]) -> dict[_Definition, frozenset[str]]:
    """Return definition → its own name and those of what it contains."""
    wanted = list(homes)
    in_file: dict[int, list[tuple[str, str]]] = defaultdict(list)
    rows = Symbol.objects.filter(file__in={home.file for home in wanted})
    for file, full, name in rows.values_list(
        "file_id", "qualified_name", "name"
    ).iterator(_ROWS):
        in_file[file].append((full, name))
    return {
        home: frozenset(
            name
            for full, name in in_file[home.file]
            if f"{full}.".startswith(f"{home.qualified}.")
        )
        for home in wanted
    }
