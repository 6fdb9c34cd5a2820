"""Manifests compared in the database."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devrag.indexing.difference import Counts, stage_difference
from devrag.indexing.listing import Listed, Listing
from devrag.products.models import Product
from devrag.sources.models import (
    File,
    GitRef,
    RefFile,
    Skip,
    Snapshot,
    Source,
    StagedChange,
)

pytestmark = pytest.mark.django_db
# path → a digest of text, or a reason why there is none
_verdicts = st.sampled_from(["1", "2", "3", "too large", "secret"])
manifests = st.dictionaries(st.text(" aé/.", min_size=1, max_size=3), _verdicts)
_REASONS = {"too large", "secret"}


def digest_of(verdict: str) -> str:
    return "" if verdict in _REASONS else verdict * 40


def indexed(manifest: Mapping[str, str]) -> GitRef:
    """A ref that holds a manifest."""
    product = Product.objects.create(name=uuid.uuid4().hex)
    source = Source.objects.create(
        product=product, name=product.name, source_type="git"
    )
    files = {p: v for p, v in manifest.items() if v not in _REASONS}
    snapshot = Snapshot.objects.create(
        source=source, version_identifier="a" * 40, file_count=len(files)
    )
    ref = GitRef.objects.create(
        source=source, name="main", kind="branch", snapshot=snapshot, sequence=1
    )
    for path, verdict in files.items():
        file = File.objects.create(
            source=source,
            path=path,
            facts_version=1,
            size=1,
            digest=digest_of(verdict),
            content_hash=digest_of(verdict),
        )
        RefFile.objects.create(ref=ref, file=file, since=1)
    for path in manifest.keys() - files.keys():
        Skip.objects.create(ref=ref, path=path, reason=manifest[path])
    return ref


def listing(manifest: Mapping[str, str]) -> Listing:
    return Listing(
        [
            Listed(path, digest_of(verdict), 1, verdict if verdict in _REASONS else "")
            for path, verdict in manifest.items()
        ]
    )


def compare(
    old: Mapping[str, str], new: Mapping[str, str], *, is_rebuild: bool = False
) -> tuple[Counts, dict[str, str]]:
    run = uuid.uuid4()
    with transaction.atomic():
        counts = stage_difference(
            run, listing(new), indexed(old), is_rebuild=is_rebuild
        )
    staged = StagedChange.objects.filter(run=run).values_list("path", "kind")
    return counts, dict(staged)


def test_equal_manifests_change_nothing() -> None:
    same = {"a": "1", "b": "2", "c": "secret"}
    assert compare(same, same) == (Counts(0, 0, 0, 2, 0), {})


@pytest.mark.slow
def test_counts_of_many_files() -> None:
    old = {f"d{n:03}": "1" for n in range(635)}
    new = {path: digest for path, digest in old.items() if path != "d634"}
    new |= {"d000": "2", "d001": "2"} | {f"n{n}": "1" for n in range(5)}
    counts, staged = compare(old, new)
    assert counts == Counts(added=5, modified=2, removed=1, unchanged=632, entering=7)
    assert len(staged) == 8


def test_a_rename_is_removed_plus_added() -> None:
    _, staged = compare({"old.py": "1"}, {"new.py": "1"})
    assert staged == {"old.py": "leave", "new.py": "enter"}


def test_a_file_that_is_left_out_now_counts_as_removed() -> None:
    counts, staged = compare({"a": "1", "b": "1"}, {"a": "secret", "b": "1"})
    assert counts == Counts(added=0, modified=0, removed=1, unchanged=1, entering=0)
    assert staged == {"a": "skip"}


def test_a_rebuild_takes_everything_in_again() -> None:
    counts, staged = compare(
        {"a": "1", "b": "1", "gone": "1"}, {"a": "1", "b": "2"}, is_rebuild=True
    )
    assert counts == Counts(added=0, modified=1, removed=1, unchanged=1, entering=2)
    assert staged == {"a": "enter", "b": "enter", "gone": "leave"}


def test_a_listing_of_changes_leaves_the_rest_alone() -> None:
    ref = indexed({"a": "1", "b": "1", "c": "1", "d": "secret"})
    items = [Listed("a", digest_of("2"), 1), Listed("b", reason=None), Listed("n", "3")]
    run = uuid.uuid4()
    counts = stage_difference(
        run, Listing(items, is_partial=True), ref, is_rebuild=False
    )
    assert counts == Counts(added=1, modified=1, removed=1, unchanged=1, entering=2)
    staged = StagedChange.objects.filter(run=run).values_list("path", "kind")
    assert dict(staged) == {"a": "enter", "b": "leave", "n": "enter"}


def test_a_path_listed_twice_is_staged_once() -> None:
    run = uuid.uuid4()
    twice = Listing([Listed("odd", reason="not UTF-8"), Listed("odd", reason="again")])
    stage_difference(run, twice, indexed({}), is_rebuild=False)
    assert StagedChange.objects.filter(run=run).count() == 1


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(old=manifests, new=manifests)
def test_applying_the_difference_gives_the_new_version(
    old: dict[str, str], new: dict[str, str]
) -> None:
    counts, staged = compare(old, new)
    result = {path: verdict for path, verdict in old.items() if path not in staged}
    result |= {path: new[path] for path, kind in staged.items() if kind != "leave"}
    assert result == new
    files = [path for path, verdict in new.items() if verdict not in _REASONS]
    assert counts.added + counts.modified + counts.unchanged == len(files)
    assert counts.added + counts.modified == counts.entering
