"""Sizes are kept by day, last until the next, and show nothing that is limited."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from devrag.core.principal import SYSTEM
from devrag.insights.days import today
from devrag.insights.models import SourceSize
from devrag.insights.source_sizes import (
    language_sizes,
    record_missing_sizes,
    record_source_size,
    sizes_over_time,
    superfluous_sizes,
)
from devrag.products.models import SourceLimit
from devrag.sources.models import GitRef, Snapshot, Source
from tests.people import People, principal
from tests.stored import store_files

pytestmark = pytest.mark.django_db


def index(source: Source, files: dict[str, str]) -> GitRef:
    snapshot = Snapshot.objects.create(
        source=source,
        version_identifier="a" * 40,
        is_indexed=True,
        file_count=len(files),
        chunk_count=7,
        line_count=9,
    )
    ref = GitRef.objects.create(
        source=source, name="main", kind="branch", snapshot=snapshot, is_current=True
    )
    store_files(ref, files)
    return ref


def keep(source: Source, day: date, files: int) -> None:
    SourceSize.objects.create(
        source=source, day=day, file_count=files, chunk_count=2, line_count=10 * files
    )


def test_a_source_is_measured_with_its_languages(people: People) -> None:
    index(people.source, {"a.py": "x = 1\ny = 2\n", "b.md": "# B\n"})
    record_source_size(people.source.pk)
    record_source_size(people.source.pk)  # again on the same day
    size = SourceSize.objects.get()
    assert (size.day, size.file_count, size.chunk_count) == (today(), 2, 7)
    found = language_sizes(people.teahouse, SYSTEM)
    assert [(each.name, each.files) for each in found] == [
        ("python", 1),
        ("markdown", 1),
    ]


def test_sources_indexed_before_are_measured_once(people: People) -> None:
    assert record_missing_sizes() == 0  # not indexed
    index(people.source, {"a.py": "x = 1\n"})
    assert (record_missing_sizes(), record_missing_sizes()) == (1, 0)


def test_a_size_lasts_until_the_next(people: People) -> None:
    other = Source.objects.create(
        product=people.teahouse, name="other", source_type="local"
    )
    keep(people.source, today() - timedelta(days=5), 3)
    keep(other, today() - timedelta(days=2), 1)
    keep(people.source, today() - timedelta(days=1), 4)
    since = today() - timedelta(days=3)
    sizes = sizes_over_time(people.teahouse, SYSTEM, since)
    assert [size.files for size in sizes] == [3, 4, 5, 5]
    assert sizes[0].day == since
    assert sizes[-1].lines == 50


def test_limited_sources_add_nothing_for_others(people: People) -> None:
    SourceLimit.objects.create(product=people.teahouse, source_id=people.source.pk)
    keep(people.source, today(), 3)
    assert not sizes_over_time(people.teahouse, principal(people.bob), today())
    assert not language_sizes(people.teahouse, principal(people.bob))
    assert sizes_over_time(people.teahouse, SYSTEM, today())


def test_old_sizes_thin_out_to_one_a_week(people: People) -> None:
    monday = today() - timedelta(days=today().weekday() + 140)
    for number in range(14):
        keep(people.source, monday + timedelta(days=number), number)
    keep(people.source, today() - timedelta(days=500), 1)
    keep(people.source, today(), 20)
    superfluous_sizes().delete()
    kept = SourceSize.objects.order_by("day").values_list("file_count", flat=True)
    assert list(kept) == [6, 13, 20]
