"""How big sources are, day by day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from devrag.core.principal import Principal
from devrag.insights.days import today
from devrag.insights.models import SourceSize
from devrag.products.models import Product
from devrag.sources.models import File, GitRef, Source

MEASURES_KEPT = timedelta(days=400)
_LATELY = timedelta(days=90)
_AT_A_TIME = 20


@dataclass(frozen=True, slots=True)
class ProductSize:
    """How big the sources of a product were together at the end of a day."""

    day: date
    files: int
    lines: int
    chunks: int


@dataclass(frozen=True, slots=True)
class LanguageSize:
    """Files and lines in a language. name: in lower case, '' where it is unknown."""

    name: str
    files: int
    lines: int


def record_source_size(source_id: int) -> None:
    """Keep how big a source is today; nothing while it is not indexed. Queries: 3."""
    ref = (
        GitRef.objects.filter(source=source_id, is_current=True)
        .select_related("snapshot")
        .first()
    )
    if ref is None or ref.snapshot is None:
        return
    files = File.objects.filter(manifests__ref=ref, manifests__until=None).order_by()
    counted = files.values_list("language").annotate(Count("pk"), Sum("lines"))
    SourceSize.objects.update_or_create(
        source_id=source_id,
        day=today(),
        defaults={
            "file_count": ref.snapshot.file_count,
            "chunk_count": ref.snapshot.chunk_count,
            "line_count": ref.snapshot.line_count,
            "languages": {name: [count, lines] for name, count, lines in counted},
        },
    )


def record_missing_sizes() -> int:
    """Keep the size of sources that were indexed before sizes were kept."""
    sized = Exists(SourceSize.objects.filter(source=OuterRef("pk")))
    sources = Source.objects.filter(
        ~sized, refs__is_current=True, refs__snapshot__is_indexed=True
    )
    found = list(sources.order_by("pk").values_list("pk", flat=True)[:_AT_A_TIME])
    for pk in found:
        record_source_size(pk)
    return len(found)


def sizes_over_time(
    product: Product, principal: Principal, since: date
) -> Sequence[ProductSize]:
    """Return a size for each day from one on, from the first that is known. Queries: 1.

    A source keeps its size until it is indexed again.
    """
    rows = SourceSize.objects.filter(
        source__in=Source.objects.within_limits(principal).filter(product=product)
    ).order_by("day")
    columns = ("day", "source_id", "file_count", "line_count", "chunk_count")
    by_day: dict[date, list[tuple[int, tuple[int, int, int]]]] = defaultdict(list)
    for day, source, *counts in rows.values_list(*columns):
        by_day[day].append((source, (counts[0], counts[1], counts[2])))
    return tuple(_added_up(by_day, since)) if by_day else ()


def _added_up(
    by_day: dict[date, list[tuple[int, tuple[int, int, int]]]], since: date
) -> Iterable[ProductSize]:
    size: dict[int, tuple[int, int, int]] = {}
    day, last = min(by_day), today()
    while day <= last:
        size.update(by_day.get(day, ()))
        if day >= since:
            files, lines, chunks = map(sum, zip(*size.values(), strict=True))
            yield ProductSize(day, files, lines, chunks)
        day += timedelta(days=1)


def language_sizes(product: Product, principal: Principal) -> Sequence[LanguageSize]:
    """Return the languages of a product now, most lines first. Queries: 1."""
    sources = Source.objects.within_limits(principal).filter(product=product)
    newest = SourceSize.objects.filter(source__in=sources).order_by("source_id", "-day")
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for languages in newest.distinct("source_id").values_list("languages", flat=True):
        for name, (files, lines) in languages.items():
            found[name][0] += files
            found[name][1] += lines
    sizes = (LanguageSize(name, *counts) for name, counts in found.items())
    return sorted(sizes, key=lambda each: (-each.lines, -each.files, each.name))


def superfluous_sizes() -> QuerySet[SourceSize]:
    """Return sizes of 90 days ago that have a later one in their week, and old ones."""
    limit = today() - _LATELY
    later = SourceSize.objects.filter(
        source=OuterRef("source"),
        day__gt=OuterRef("day"),
        day__lte=limit,
        day__iso_year=OuterRef("day__iso_year"),
        day__week=OuterRef("day__week"),
    )
    newer = SourceSize.objects.filter(
        source=OuterRef("source"), day__gt=OuterRef("day")
    )
    oldest = today() - MEASURES_KEPT
    is_superfluous = Exists(later) | (Q(day__lt=oldest) & Exists(newer))
    return SourceSize.objects.filter(is_superfluous, day__lte=limit)
