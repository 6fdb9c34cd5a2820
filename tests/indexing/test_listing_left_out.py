"""What is left out, and what is refused: nothing half-created, nothing silent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job, JobState
from devrag.products.models import Product
from devrag.products.services import create_product
from devrag.sources.credentials import store_credentials
from devrag.sources.models import File, Skip, Source
from devrag.use_cases.add_repository import add_repository
from tests.conftest import Repository, run_job
from tests.indexing.test_index import add, counts, index, manifest

pytestmark = pytest.mark.django_db


def test_ignore_files_apply_in_order(repository: Repository) -> None:
    repository.commit({"secret.log": "x\n", "dist/a.js": "x\n", "keep.py": "k = 1\n"})
    repository.commit({".gitignore": "*.log\n", ".devragignore": "dist/\n"})
    index(repository)
    assert manifest() == {"keep.py", ".gitignore", ".devragignore"}
    reasons = dict(Skip.objects.values_list("path", "reason"))
    assert "gitignore" in reasons["secret.log"]
    assert "devragignore" in reasons["dist/a.js"]


def test_binaries_and_big_files_are_left_out_with_reasons(
    repository: Repository, settings: Any
) -> None:
    settings.MAX_FILE_BYTES = 1000
    repository.commit({"a.bin": b"\x00\x01", "b.txt": "x" * 2000, "c.py": "c = 1\n"})
    job = index(repository)
    assert manifest() == {"c.py"}
    assert job.report["leftOut"] == {"binary": 1, "too large": 1}


def test_what_is_left_out_is_named_and_counts_as_nothing_added(
    repository: Repository,
) -> None:
    repository.commit({"a.bin": b"\x00\x01", "c.py": "c = 1\n", "d.py": "d = 1\n"})
    job = index(repository)
    assert counts(job) == (2, 0, 0, 0)
    assert job.report["leftOutPaths"] == {"binary": ["a.bin"]}
    repository.commit({"d.py": b"\x00\x01", "e.bin": b"\x00\x02"})
    assert counts(index(repository)) == (0, 0, 1, 1)


@pytest.mark.slow
def test_unreadable_files_stay_left_out_without_being_read_again(
    repository: Repository,
) -> None:
    repository.commit({"a.bin": b"\x00\x01", "c.py": "c = 1\n"})
    index(repository)
    repository.commit({"c.py": "c = 2\n"})
    job = index(repository)
    assert counts(job) == (0, 1, 0, 0)
    assert job.report["leftOut"] == {"binary": 1}


def test_invalid_utf8_is_indexed_and_not_lost(repository: Repository) -> None:
    repository.commit({"odd.txt": b"caf\xe9 \xff\xfe ok\n", "a.py": "a = 1\n"})
    job = index(repository)
    assert job.state == JobState.COMPLETED
    assert "ok" in File.objects.get(path="odd.txt").text


def test_a_folder_that_is_no_repository_is_a_local_source(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Notes\n\nTea is good.\n", "utf-8")
    job = index(folder)
    assert counts(job) == (1, 0, 0, 0)
    assert Source.objects.get().source_type == "local"
    assert index(folder).report["skipped"]
    (folder / "a.md").write_text("# Notes\n\nTea is great.\n", "utf-8")
    assert counts(index(folder)) == (0, 1, 0, 0)


def test_without_any_text_the_job_says_so(repository: Repository) -> None:
    repository.commit({"a.bin": b"\x00\x01"})
    job = index(repository)
    assert job.state == JobState.FAILED
    assert "contains no text to index" in job.error
    assert not Source.objects.exists()
    assert not Product.objects.exists()


def test_a_failing_first_index_leaves_a_product_that_people_made(
    tmp_path: Path,
) -> None:
    made = create_product(name="tea", principal=SYSTEM, title="All about tea")
    pictures = Repository(tmp_path / "pictures")
    pictures.commit({"a.bin": b"\x00\x01"})
    assert index(pictures).state == JobState.FAILED
    assert Product.objects.get() == made
    assert not Source.objects.exists()


def test_a_failing_first_index_leaves_a_source_that_was_set_up(
    tmp_path: Path,
) -> None:
    pictures = Repository(tmp_path / "pictures")
    pictures.commit({"a.bin": b"\x00\x01"})
    job = add(pictures)
    store_credentials(source=Source.objects.get(), changes={"token": "secret"})
    assert run_job(job).state == JobState.FAILED
    assert Source.objects.get().index_error


def test_a_failing_first_index_leaves_an_older_product_alone(
    shop: Repository, tmp_path: Path
) -> None:
    index(shop)
    empty = Repository(tmp_path / "pictures")
    empty.commit({"a.bin": b"\x00\x01"})
    job = index(empty)
    assert job.state == JobState.FAILED
    assert [source.name for source in Source.objects.all()] == ["shop"]
    assert job.product == Product.objects.get()


@pytest.mark.parametrize(
    ("location", "options", "error", "words"),
    [
        ("/no/such/folder", {}, NotFound, "/no/such/folder does not exist"),
        ("-evil", {}, InvalidInput, "starts with a hyphen"),
        ("ext::sh -c id", {}, InvalidInput, "contains a space"),
        ("ext::sh", {}, InvalidInput, "not allowed"),
        ("file:///etc", {}, InvalidInput, "plain path"),
        ("", {}, InvalidInput, "Enter a git URL"),
    ],
)
def test_a_wrong_location_creates_nothing(
    location: str, options: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        add_repository(
            principal=SYSTEM,
            location=location,
            product_name="tea",
            is_local_user=True,
            **options,
        )
    assert not Product.objects.exists()
    assert not Source.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.parametrize("name", ["a/b", "..", "a..b", "UPPER", "", "x" * 65])
def test_a_wrong_product_name_creates_nothing(name: str, shop: Repository) -> None:
    if not name:
        name = " "
    with pytest.raises(InvalidInput, match="Invalid product name"):
        add_repository(
            principal=SYSTEM,
            location=str(shop.path),
            product_name=name,
            is_local_user=True,
        )
    assert not Product.objects.exists()


def test_an_unknown_branch_creates_nothing_and_names_near_ones(
    shop: Repository,
) -> None:
    with pytest.raises(NotFound, match="main"):
        index(shop, ref="mian")
    assert not Product.objects.exists()


def test_an_empty_repository_creates_nothing(repository: Repository) -> None:
    with pytest.raises(InvalidInput, match="no commits yet"):
        index(repository)
    assert not Product.objects.exists()
