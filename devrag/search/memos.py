"""Dated entries of memo files: who they are, which tags they bear, which are new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber

from devrag.core.hashing import sha256_hex
from devrag.sources.models import Chunk


@dataclass(frozen=True, slots=True)
class Memo:
    """An entry. id: stays the same when its text is edited."""

    id: str
    chunk_id: int
    title: str
    date: date | None
    tags: tuple[str, ...]
    text: str


def current_memos(source_ids: Collection[int]) -> QuerySet[Chunk]:
    """Return the entries in current manifests of the sources."""
    return Chunk.objects.filter(
        kind=Chunk.Kind.ENTRY,
        file__source__in=source_ids,
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
    )


def recent_memos(source_ids: Collection[int], limit: int) -> list[Memo]:
    """Return the newest entries, newest date first; undated ones come last."""
    rows = current_memos(source_ids).order_by(
        F("date").desc(nulls_last=True), "file__path", "ordinal"
    )
    return read_memos(list(rows.values_list("pk", flat=True)[:limit]))


def read_memos(chunk_ids: list[int]) -> list[Memo]:
    """Return the entries of these chunks, in this order; what is none is left out."""
    entries = Chunk.objects.filter(kind=Chunk.Kind.ENTRY)
    wanted = entries.filter(pk__in=chunk_ids)
    # Of a long changelog only the place of an entry among its like is read, no text.
    same = Window(
        RowNumber(), partition_by=[F("file"), F("title"), F("date")], order_by="ordinal"
    )
    beside = entries.filter(file__in=wanted.values("file")).annotate(nth=same)
    places = dict(beside.values_list("pk", "nth"))
    rows = wanted.select_related("file__source").defer("file__text")
    found = {row.pk: _read(row, places[row.pk]) for row in rows}
    return [found[pk] for pk in chunk_ids if pk in found]


def _read(row: Chunk, nth: int) -> Memo:
    place = (row.file.source.name, row.file.path, row.title, str(row.date), str(nth))
    return Memo(
        id=sha256_hex("\0".join(place)),
        chunk_id=row.pk,
        title=row.title,
        date=row.date,
        tags=tuple(row.tags),
        text=_without_heading(row.text, row.heading),
    )


def _without_heading(text: str, heading: str) -> str:
    """Return what an entry says below the heading that is its title."""
    first, _, below = text.partition("\n")
    is_heading = first.startswith("#") and first.endswith(heading)
    return below.lstrip("\n") if is_heading and below.strip() else text


def count_tags(source_ids: Collection[int]) -> list[tuple[str, int]]:
    """Return tags with the number of their entries, the most used first."""
    rows = current_memos(source_ids).values_list("tags", flat=True)
    counts = Counter(tag for tags in rows for tag in tags)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
