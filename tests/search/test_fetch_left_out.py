"""What search leaves out unless asked: generated, vendored and changed files."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.search.service import search
from devrag.search.types import MODES, Mode, SearchQuery
from devrag.sources.models import Chunk, File
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index

pytestmark = pytest.mark.django_db

FILES: dict[str, str | bytes | None] = {
    "tea.py": "def brew_oolong():\n    return 'oolong'\n",
    "tea_pb2.py": "def brew_oolong_message():\n    return 'oolong'\n",
    "vendor/kettle/boil.py": "def boil_for_oolong():\n    return 'oolong'\n",
    "package-lock.json": '{"name": "oolong"}\n',
}


@pytest.fixture
def indexed(repository: Repository, follow: Callable[[], Any]) -> Repository:
    repository.commit(FILES)
    index(repository)
    follow()
    return repository


def _paths(**options: Any) -> set[str]:
    query = SearchQuery(text="oolong", principal=SYSTEM, **options)
    return {hit.path for hit in search(query).hits}


@pytest.mark.parametrize("mode", MODES)
def test_generated_and_vendored_files_are_found_only_on_request(
    indexed: Repository, mode: Mode
) -> None:
    run_job(Job.objects.get(kind="embed"))
    assert _paths(mode=mode) == {"tea.py"}
    # They have no vectors: found by their words alone.
    found = {"tea.py"} if mode == "semantic" else FILES.keys()
    assert _paths(mode=mode, include_generated=True) == found


def test_they_are_indexed_all_the_same(indexed: Repository) -> None:
    marked = File.objects.filter(is_generated=True).values_list("path", flat=True)
    assert set(marked) == FILES.keys() - {"tea.py"}


def test_many_generated_files_do_not_hide_the_one_that_is_not(
    repository: Repository, follow: Callable[[], Any]
) -> None:
    # More than search ever asks the index for.
    noise = "\n".join(f'{{"oolong": "oolong {n}"}}' for n in range(1000))
    files: dict[str, str | bytes | None] = {f"dist/{n}.js": noise for n in range(60)}
    repository.commit({**files, "tea.md": "x " * 300 + "oolong " + "y " * 300})
    index(repository)
    follow()
    assert _paths(mode="keyword") == {"tea.md"}


def test_the_command_takes_both_options(
    indexed: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    Chunk.objects.filter(file__path="tea.py").update(is_dirty=True)
    words = ("search", "oolong", "--mode", "keyword", "--json")
    call_command(*words, "--generated", "--clean-only")
    hits = json.loads(capsys.readouterr().out)["hits"]
    assert {hit["path"] for hit in hits} == FILES.keys() - {"tea.py"}
    call_command(*words)
    (hit,) = json.loads(capsys.readouterr().out)["hits"]
    assert (hit["path"], hit["isDirty"]) == ("tea.py", True)


def test_dirty_chunks_are_left_out_on_request(indexed: Repository) -> None:
    Chunk.objects.filter(file__path="tea.py").update(is_dirty=True)
    assert _paths() == {"tea.py"}
    assert _paths(include_clean_only=True) == set()
