"""Odd bytes and odd names, from a real repository and folder to rows."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devrag.core.principal import SYSTEM
from devrag.jobs.models import JobState
from devrag.parsing.api import Decoded, extract, parse_file
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.models import Chunk, File, Skip
from tests.conftest import Repository
from tests.indexing.test_index import index

pytestmark = pytest.mark.django_db

NAMES = {
    b"with space.md": "with space.md",
    b"new\nline.md": "new\nline.md",
    b'quo"te\\back.md': 'quo"te\\back.md',
    "日本 語/メモ.md".encode(): "日本 語/メモ.md",
    b"-rf.md": "-rf.md",
}
UNREADABLE = b"caf\xe9.md"


@settings(
    max_examples=settings.default.max_examples * 2,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.binary(max_size=300), st.sampled_from(["a.txt", "a.py", "a.md", "a.jsonl"]))
def test_whatever_the_bytes_their_text_can_be_stored(data: bytes, path: str) -> None:
    found = extract(path, data)
    if not isinstance(found, Decoded):
        return
    texts = [found.text, *(chunk.text for chunk in parse_file(path, found.text).chunks)]
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::text[]", [texts])
        assert cursor.fetchone()[0] == texts


def test_odd_bytes_do_not_break_a_batch(repository: Repository) -> None:
    odd = {
        "nul.txt": b"tea " * 300 + b"\x00 after a NUL",
        "surrogate.txt": b"tea \xed\xa0\x80 half a pair",
        "utf16.txt": "紅茶とケーキ\n".encode("utf-16-le") * 9,
        "sjis.txt": "紅茶とケーキを注文する\n".encode("cp932"),
        "euc.txt": "紅茶とケーキを注文する\n".encode("euc_jp"),
        "jis.txt": "紅茶とケーキを注文する\n".encode("iso2022_jp"),
        "latin.txt": "Teegebäck für Gäste\n".encode("latin-1"),
        "line.txt": b"tea " * 400_000,
    }
    repository.commit({**odd, "good.py": "a = 1\n"})
    job = index(repository)
    assert job.state == JobState.COMPLETED, job.error
    assert job.report["leftOut"] == {}
    texts = dict(File.objects.values_list("path", "text"))
    assert texts.keys() == {*odd, "good.py"}
    for name in ("utf16.txt", "sjis.txt", "euc.txt", "jis.txt"):
        assert texts[name].startswith("紅茶とケーキ")
    assert "Teegebäck für Gäste" in texts["latin.txt"]
    assert texts["nul.txt"].endswith("\ufffd after a NUL")


def _write(root: bytes) -> None:
    for name in (*NAMES, UNREADABLE):
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(b"# Oolong\n\nFrom the hills.\n")


def _check_names(follow: Callable[[], Any]) -> None:
    assert set(File.objects.values_list("path", flat=True)) == set(NAMES.values())
    assert list(Skip.objects.values_list("path", "reason")) == [
        ("caf\\xe9.md", "name is not valid UTF-8")
    ]
    assert Chunk.objects.count() == len(NAMES)
    follow()
    found = search(SearchQuery(text="oolong", principal=SYSTEM, mode="keyword"))
    assert {hit.path for hit in found.hits} == set(NAMES.values())


def test_odd_names_of_a_repository(
    repository: Repository, follow: Callable[[], Any]
) -> None:
    _write(os.fsencode(repository.path))
    repository.commit({})
    index(repository)
    _check_names(follow)


def test_odd_names_of_a_folder(tmp_path: Path, follow: Callable[[], Any]) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    _write(os.fsencode(folder))
    index(folder)
    _check_names(follow)
