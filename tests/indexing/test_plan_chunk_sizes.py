"""A change of chunk sizes: cut again from stored text, beside what search sees."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from django.db.models import F

from devrag.core.errors import InvalidInput
from devrag.jobs import engine
from devrag.jobs.models import Job, JobState
from devrag.parsing.types import FACTS_VERSION
from devrag.sources.models import Chunk, File, GitRef, RefFile, Skip, Source
from devrag.sources.services import update_source
from tests.conftest import Repository, run_job
from tests.indexing.test_index import (
    add,
    claim_activation,
    counts,
    index,
    manifest,
    run_until_parse,
)

pytestmark = pytest.mark.django_db

_LONG = "\n\n".join(f"Paragraph {n} is about tea, cups and kettles." for n in range(60))
_FILES: dict[str, str | bytes | None] = {
    "long.txt": _LONG,
    "short.txt": "A short one.\n",
    "picture.bin": bytes(range(256)) * 4,
}


def set_sizes(**sizes: Any) -> None:
    update_source(source=Source.objects.get(), settings=sizes)


def current() -> list[tuple[str, int]]:
    """Return path and length of all chunks that search sees."""
    rows = Chunk.objects.filter(
        file__manifests__until=None, file__manifests__ref__is_current=True
    )
    found = rows.order_by("file__path", "ordinal").values_list("file__path", "text")
    return [(path, len(text)) for path, text in found]


def add_index(repository: Repository) -> Job:
    add(repository)
    return Job.objects.filter(kind="index").latest("created_at")


@pytest.fixture
def tea(repository: Repository) -> Repository:
    repository.commit(_FILES)
    index(repository)
    return repository


def test_usual_sizes_are_the_parser_s_own_version(tea: Repository) -> None:
    assert set(File.objects.values_list("facts_version", flat=True)) == {FACTS_VERSION}
    set_sizes(chunk_tokens=800, chunk_overlap_tokens=200, chunk_max_chars=3000)
    assert index(tea).report["skipped"]


def test_a_change_splits_all_files_again(tea: Repository) -> None:
    before = current()
    set_sizes(chunk_tokens=100)
    job = index(tea)
    assert job.state == JobState.COMPLETED, job.error
    assert "skipped" not in job.report
    assert counts(job) == (0, 0, 0, 2)
    after = current()
    assert len(after) > len(before)
    assert max(size for _, size in after) <= 375
    assert GitRef.objects.get().facts_version != FACTS_VERSION
    assert manifest() == {"long.txt", "short.txt"}


@pytest.mark.slow
def test_nothing_is_read_from_the_source_again(tea: Repository) -> None:
    # What was read once carries a mark that no reading makes.
    File.objects.update(encoding="marked")
    Skip.objects.update(reason="marked")
    set_sizes(chunk_tokens=100)
    assert index(tea).state == JobState.COMPLETED
    rows = File.objects.filter(manifests__until=None)
    assert rows.count() == 2
    assert set(rows.values_list("encoding", flat=True)) == {"marked"}
    assert list(Skip.objects.values_list("path", "reason")) == [
        ("picture.bin", "marked")
    ]


@pytest.mark.slow
def test_a_full_run_reads_what_has_no_text_again(tea: Repository) -> None:
    Skip.objects.update(reason="marked")
    set_sizes(chunk_tokens=100)
    index(tea, is_full=True)
    assert Skip.objects.get().reason == "binary"


@pytest.mark.slow
def test_what_another_parser_stored_is_read_again(tea: Repository) -> None:
    File.objects.update(encoding="marked", facts_version=F("facts_version") - 1)
    GitRef.objects.update(facts_version=FACTS_VERSION - 1)
    set_sizes(chunk_tokens=100)
    index(tea)
    rows = File.objects.filter(manifests__until=None)
    assert not rows.filter(encoding="marked").exists()


@pytest.mark.slow
def test_a_changed_file_is_read_and_others_are_cut_again(tea: Repository) -> None:
    File.objects.update(encoding="marked")
    tea.commit({"short.txt": "Another short one.\n"})
    set_sizes(chunk_tokens=100)
    job = index(tea)
    assert counts(job) == (0, 1, 0, 1)
    rows = File.objects.filter(manifests__until=None).order_by("path")
    assert list(rows.values_list("path", "encoding")) == [
        ("long.txt", "marked"),
        ("short.txt", "utf-8"),
    ]


@pytest.mark.slow
def test_the_former_sizes_find_what_is_stored(tea: Repository) -> None:
    before, files = current(), set(manifest_ids())
    set_sizes(chunk_tokens=100)
    index(tea)
    assert not set(manifest_ids()) & files
    chunks = Chunk.objects.count()
    set_sizes(chunk_tokens=None)
    job = index(tea)
    assert current() == before
    assert set(manifest_ids()) == files
    assert Chunk.objects.count() == chunks
    assert job.report["chunks"] == 0
    assert index(tea).report["skipped"]


def manifest_ids() -> list[int]:
    rows = RefFile.objects.filter(until=None)
    return list(rows.values_list("file_id", flat=True))


def test_the_old_chunks_are_searched_until_activation(tea: Repository) -> None:
    before = current()
    set_sizes(chunk_tokens=100)
    run = claim_activation(add_index(tea))
    assert Chunk.objects.count() > len(before)
    assert current() == before
    engine.run_batch(run)
    assert current() != before


def test_a_run_keeps_the_sizes_it_began_with(tea: Repository) -> None:
    set_sizes(chunk_tokens=100)
    job = add_index(tea)
    run_until_parse(job, (f"plan.{Source.objects.get().host}",))
    set_sizes(chunk_tokens=400)
    assert run_job(job).state == JobState.COMPLETED
    assert max(size for _, size in current()) <= 375
    index(tea)
    assert max(size for _, size in current()) > 375


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"chunk_tokens": 49}, "chunk_tokens is 49; .* from 50 to 4000"),
    ({"chunk_tokens": "many"}, "chunk_tokens is 'many'"),
    ({"chunk_tokens": True}, "chunk_tokens is True"),
    ({"chunk_max_chars": 20_001}, "chunk_max_chars is 20001"),
    ({"chunk_overlap_tokens": -1}, "chunk_overlap_tokens is -1"),
    ({"chunk_overlap_tokens": 401}, "at most 400 \\(half a chunk\\)"),
    ({"chunk_tokens": 100, "chunk_overlap_tokens": 51}, "at most 50"),
]


def test_wrong_sizes_are_refused(tea: Repository) -> None:
    for sizes, message in WRONG:
        with pytest.raises(InvalidInput, match=message):
            set_sizes(**sizes)
        assert "chunk_tokens" not in Source.objects.get().metadata, sizes


def test_no_overlap_is_a_choice(tea: Repository) -> None:
    set_sizes(chunk_tokens=100, chunk_overlap_tokens=0)
    index(tea)
    rows = Chunk.objects.filter(file__manifests__until=None, file__path="long.txt")
    lines = list(rows.order_by("ordinal").values_list("start_line", "end_line"))
    assert all(left[1] < right[0] for left, right in pairwise(lines))
