"""Find definitions in the current versions of sources, by id or by name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.navigation.name_match import MatchClass, NameMatch, NameQuery
from devrag.navigation.name_rows import NameRow, Step, read_names, steps_of
from devrag.parsing.path_roles import is_end_of_file_name
from devrag.sources.models import GitRef, Symbol

# What a list shows of a definition: a statement of all columns takes some milliseconds.
_LISTED = (
    *("uuid", "kind", "name", "qualified_name", "start_line", "file__path"),
    *("file__source__name", "file__source__product__name"),
)


@dataclass(frozen=True, slots=True)
class FoundSymbol:
    """A definition whose name fits.

    places: the letters of its qualified name that fit, by their index. definitions: how
    many of that qualified name its file has, of which this is the first. is_similar:
    the name does not fit, but is similar.
    """

    symbol: Symbol
    places: tuple[int, ...]
    definitions: int
    is_similar: bool


def current_symbols(source_ids: Collection[int] | None = None) -> QuerySet[Symbol]:
    """Return the definitions of current manifests, their files without text.

    source_ids: only of these sources.
    """
    rows = Symbol.objects.filter(
        file__manifests__until=None, file__manifests__ref__is_current=True
    )
    if source_ids is not None:
        rows = rows.filter(source__in=source_ids)
    return rows.select_related("file__source").defer("file__text")


def get_current_symbol(
    source_ids: Collection[int], uuid: UUID
) -> tuple[GitRef, Symbol]:
    """Return a definition with the ref that holds it. Queries: 2."""
    symbol = current_symbols(source_ids).filter(uuid=uuid).order_by("pk").first()
    if symbol is None:
        raise NotFound(
            gettext(
                "There is no definition '%(uuid)s' in the current version. It may "
                "have been renamed, moved or removed. Search for its name."
            )
            % {"uuid": uuid}
        )
    ref = GitRef.objects.get(source=symbol.file.source_id, is_current=True)
    return ref, symbol


def find_symbols(
    source_ids: Collection[int],
    text: str,
    *,
    kind: str = "",
    limit: int,
    is_typing: bool = False,
) -> list[FoundSymbol]:
    """Return definitions whose names fit a text, the best first.

    A name fits exactly, by its beginning, by the beginnings of its words (`htSe` or
    `HS` for HttpServer), by a part of it, or else by being similar. Where that is
    equal, public ones come before private ones and tests, types before functions and
    these before all others, then short names, then paths. Several of one qualified name
    in one file are one result.

    `Cart.add` means an `add` within `Cart`, else any `add`: what is inherited stands
    elsewhere. is_typing: the text may be the beginning of a name, so that exact ones
    are not all; the definitions come with what a list shows of them. Queries: 1, and 1
    or 2 for each way to fit that is tried.
    """
    query = NameQuery.parse(text)
    if not query.name or not source_ids:
        return []
    found = _find(sorted(source_ids), query, kind, limit, is_typing)
    if not found.groups and query.owner:
        query = NameQuery(query.name)
        found = _find(sorted(source_ids), query, kind, limit, is_typing)
        found.keep_exact()
    return _load(found.best(limit), query, is_short=is_typing)


@dataclass(slots=True)
class _Found:
    """Rows that fit, by file and qualified name, and how the name of each does."""

    query: NameQuery
    groups: dict[tuple[int, str], dict[int, NameRow]] = field(default_factory=dict)
    matches: dict[str, NameMatch] = field(default_factory=dict)

    def add(self, rows: Iterable[NameRow], *, are_similar: bool) -> None:
        for row in rows:
            if not self.query.owner and _is_file_name_end(row):
                continue
            match = self.matches.get(row.name) or self.query.match(row.name)
            if match is None and are_similar:
                match = self.query.match_similar(row.name)
            if match is not None:
                self.matches[row.name] = match
                group = self.groups.setdefault((row.file, row.qualified_name), {})
                group[row.pk] = row

    @property
    def has_exact(self) -> bool:
        return any(match.is_exact for match in self.matches.values())

    def is_enough_before(self, step: Step, limit: int, is_typing: bool) -> bool:
        """Return whether what is found makes further matches needless."""
        if len(self.groups) >= limit or (self.has_exact and not is_typing):
            return True
        best = min((match.how for match in self.matches.values()), default=None)
        if step == Step.SPLITS:
            return best is not None and best <= MatchClass.PREFIX
        return step == Step.SIMILAR and best is not None

    def keep_exact(self) -> None:
        """Drop what fits otherwise, and other capitals where the same ones do."""
        ways = {match.how for match in self.matches.values() if match.is_exact}
        best = min(ways, default=None)
        self.groups = {
            (file, name): rows
            for (file, name), rows in self.groups.items()
            if all(self.matches[row.name].how == best for row in rows.values())
        }

    def best(self, limit: int) -> list[tuple[NameRow, NameMatch, int]]:
        """Return the first row of each group with the size of the group."""
        firsts = [
            (min(rows.values(), key=lambda row: row.start_line), len(rows))
            for rows in self.groups.values()
        ]
        ordered = sorted(firsts, key=lambda first: self._order(first[0]))
        return [(row, self.matches[row.name], size) for row, size in ordered[:limit]]

    def _order(self, row: NameRow) -> tuple[object, ...]:
        match = self.matches[row.name]
        return (
            match.how,
            not _is_within(self.query.owner, row.qualified_name.lower()),
            -match.similarity,
            row.search_order,
            len(row.name),
            len(row.qualified_name),
            row.path,
            row.start_line,
        )


def _find(
    source_ids: list[int], query: NameQuery, kind: str, limit: int, is_typing: bool
) -> _Found:
    """Read one class of matches after the other, until there are enough."""
    found = _Found(query)
    for step in steps_of(query):
        if found.is_enough_before(step, limit, is_typing):
            break
        for rows in read_names(step, source_ids, query, kind, limit):
            found.add(rows, are_similar=step == Step.SIMILAR)
            if len(found.groups) >= limit:
                break
    if found.has_exact and not is_typing:
        found.keep_exact()
    return found


def _is_file_name_end(row: NameRow) -> bool:
    """Return whether it is a file whose name, `app.render.js`, has that after a dot."""
    return row.kind == "module" and is_end_of_file_name(row.name, row.path)


def _is_within(owner: str, qualified_name: str) -> bool:
    """Return whether the parts of an owner are parts of a name, not pieces of them."""
    return not owner or f".{owner}." in f".{qualified_name}"


def _load(
    best: list[tuple[NameRow, NameMatch, int]], query: NameQuery, *, is_short: bool
) -> list[FoundSymbol]:
    keys = [row.pk for row, _, _ in best]
    rows = Symbol.objects.select_related("file__source__product")
    rows = rows.only(*_LISTED) if is_short else rows.defer("file__text")
    by_key = rows.in_bulk(keys)
    return [
        FoundSymbol(
            by_key[row.pk],
            tuple(_shown(row, match, query)),
            size,
            match.how == MatchClass.SIMILAR,
        )
        for row, match, size in best
        if row.pk in by_key
    ]


def _shown(row: NameRow, match: NameMatch, query: NameQuery) -> Iterator[int]:
    """Yield the letters of the qualified name that were typed."""
    before = len(row.qualified_name) - len(row.name)
    if not row.qualified_name.endswith(row.name):
        return
    at = row.qualified_name.lower().rfind(query.owner, 0, before) if query.owner else -1
    if at >= 0:
        yield from range(at, at + len(query.owner))
    yield from (before + place for place in match.places)
