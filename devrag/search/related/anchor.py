"""The piece that a place names: an id or key of its own, or SOURCE:PATH:LINE."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext

from devrag.core.errors import InvalidInput, NotFound
from devrag.sources.chunk_keys import split_chunk_key
from devrag.sources.models import Chunk, Symbol

_LINE = re.compile(r"(?P<source>[^:]+):(?P<path>.+):(?P<line>\d{1,9})")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A chunk with the definition that it is the body of, if it is one."""

    chunk: Chunk
    symbol: Symbol | None

    def overlaps(self, source: str, path: str, start: int, end: int) -> bool:
        """Return whether lines of a file are the anchor's own, or around them."""
        file = self.chunk.file
        is_same = (source, path) == (file.source.name, file.path)
        return is_same and start <= self.chunk.end_line and self.chunk.start_line <= end


def find_anchor(place: str, source_ids: Collection[int]) -> Anchor:
    """Return the piece that is meant, in current files of the sources.

    Raises InvalidInput for what is no place, NotFound for one where nothing is.
    """
    rows = _current(source_ids)
    if place.isdecimal() and len(place) < 19:
        chunk = rows.filter(pk=int(place)).first()
    elif line := _LINE.fullmatch(place):
        in_file = rows.filter(
            file__source__name=line["source"], file__path=line["path"]
        )
        chunk = _smallest_around(in_file, int(line["line"]))
    elif key := split_chunk_key(place):
        chunk = _of_key(rows, *key)
    else:
        return _of_symbol(_uuid(place), source_ids)
    if chunk is None:
        raise NotFound(
            gettext(
                "Nothing found at '%(place)s' in the current version. Use "
                "SOURCE:PATH:LINE, with the path as search shows it."
            )
            % {"place": place}
        )
    return Anchor(chunk, _symbol_of(chunk))


def _of_key(rows: QuerySet[Chunk], path: str, ordinal: int) -> Chunk | None:
    """Return the chunk of a key, with or without its source before it."""
    source, _, inside = path.partition(":")
    named = Q(file__source__name=source, file__path=inside)
    found = rows.filter(named | Q(file__path=path), ordinal=ordinal)
    first, *others = found.order_by("file__source__name")[:2] or [None]
    if first and others:
        raise InvalidInput(
            gettext(
                "Several sources contain '%(path)s', for example %(source)s. Use "
                "SOURCE:PATH::chunk_N."
            )
            % {"path": path, "source": first.file.source.name}
        )
    return first


def _uuid(place: str) -> UUID:
    try:
        return UUID(place)
    except ValueError as error:
        raise InvalidInput(
            gettext(
                "Invalid location '%(place)s'. Use SOURCE:PATH:LINE, "
                "SOURCE:PATH::chunk_N, a definition ID or a chunk ID."
            )
            % {"place": place}
        ) from error


def _of_symbol(uuid: UUID, source_ids: Collection[int]) -> Anchor:
    symbol = (
        Symbol.objects.filter(
            uuid=uuid,
            file__source__in=source_ids,
            file__manifests__until=None,
            file__manifests__ref__is_current=True,
        )
        .order_by("pk")
        .first()
    )
    if symbol is None:
        raise NotFound(
            gettext("This definition does not exist in the current version.")
        )
    in_file = _current(source_ids).filter(file=symbol.file_id)
    own = in_file.filter(ordinal__in=[symbol.chunk_ordinal]).first()
    chunk = own or _smallest_around(in_file, symbol.start_line)
    if chunk is None:
        raise NotFound(
            gettext("The text of %(qualified_name)s is not indexed.")
            % {"qualified_name": symbol.qualified_name}
        )
    return Anchor(chunk, symbol)


def _current(source_ids: Collection[int]) -> QuerySet[Chunk]:
    rows = Chunk.objects.filter(
        file__source__in=source_ids,
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
    )
    return rows.select_related("file__source").defer("file__text")


def _smallest_around(rows: QuerySet[Chunk], line: int) -> Chunk | None:
    around = rows.filter(start_line__lte=line, end_line__gte=line)
    return around.order_by(F("end_line") - F("start_line"), "ordinal").first()


def _symbol_of(chunk: Chunk) -> Symbol | None:
    if chunk.symbol_ordinal is None:
        return None
    rows = Symbol.objects.filter(file=chunk.file_id, ordinal=chunk.symbol_ordinal)
    return rows.first()
