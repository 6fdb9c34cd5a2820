"""Secrets of a repository are masked in all that is stored, shown and found."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from devrag.core.hashing import sha256_hex
from devrag.core.principal import SYSTEM
from devrag.operations.outdated import index_outdated
from devrag.parsing.types import FACTS_VERSION
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.models import Chunk, Fact, File, GitRef, Reference, Symbol
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index

pytestmark = pytest.mark.django_db

# In pieces, so that this file holds no token.
TOKEN = "gh" + "p_" + "a1B2" * 9
PASSWORD = "tr0ub4dor" + "&3xyz"
CONF = f'''"""Settings."""

TOKEN = "{TOKEN}"


def connect(user, password="{PASSWORD}"):
    """Connect with the password, not with {TOKEN}."""
    return user
'''


@pytest.fixture
def indexed(repository: Repository) -> Repository:
    repository.commit({"conf.py": CONF, "notes.md": f"# Notes\n\nUse {TOKEN}.\n"})
    index(repository)
    return repository


@pytest.mark.usefixtures("indexed")
def test_nothing_that_is_stored_holds_a_secret() -> None:
    rows = [
        *File.objects.values_list("text", "title"),
        *Chunk.objects.values_list("text", "header", "heading", "title"),
        *Symbol.objects.values_list("signature", "docstring", "parameters"),
        *Reference.objects.values_list("name"),
        *Fact.objects.values_list("name", "data"),
    ]

    assert "connect" in str(rows)
    assert TOKEN not in str(rows)
    assert PASSWORD not in str(rows)


@pytest.mark.usefixtures("indexed")
def test_lines_columns_and_the_hash_of_the_bytes_stay() -> None:
    file = File.objects.get(path="conf.py")

    assert [len(line) for line in file.text.split("\n")] == [
        len(line) for line in CONF.split("\n")
    ]
    assert file.content_hash == sha256_hex(CONF)
    symbol = Symbol.objects.get(name="connect")
    assert CONF.split("\n")[symbol.start_line - 1].startswith("def connect")


@pytest.mark.usefixtures("indexed")
def test_no_search_finds_a_secret() -> None:
    for text in (
        f"exact:{TOKEN}",
        f'exact:"{TOKEN[:12]}"',
        "/gh[p]_[A-Za-z0-9]{8}/",
        f"/password=.{PASSWORD[:4]}/",
        f'"{TOKEN}"',
    ):
        result = search(SearchQuery(text=text, principal=SYSTEM, mode="keyword"))

        assert not any(TOKEN[4:] in hit.text for hit in result.hits), text
        assert not any(hit.matched_lines for hit in result.hits), text


@pytest.mark.usefixtures("indexed")
def test_files_that_hold_secrets_are_left_out(repository: Repository) -> None:
    repository.commit({".npmrc": "a=1\n", "deploy/kubeconfig": "a: 1\n", "b.md": "b\n"})
    index(repository)

    assert set(File.objects.values_list("path", flat=True)) >= {"b.md"}
    assert not File.objects.filter(path__in=[".npmrc", "deploy/kubeconfig"]).exists()


@pytest.mark.usefixtures("indexed")
def test_what_an_earlier_version_stored_is_read_again() -> None:
    File.objects.update(facts_version=9)
    File.objects.filter(path="conf.py").update(text=CONF)
    GitRef.objects.update(facts_version=9)

    for job in index_outdated():
        assert run_job(job).state == "completed"

    current = GitRef.objects.get(is_current=True)
    held = File.objects.filter(manifests__ref=current, manifests__until=None)
    assert set(held.values_list("facts_version", flat=True)) == {FACTS_VERSION}
    assert TOKEN not in held.get(path="conf.py").text


@pytest.mark.usefixtures("indexed")
def test_the_migration_masks_what_earlier_versions_stored() -> None:
    File.objects.filter(path="conf.py").update(text=CONF)
    migration: Any = import_module("devrag.sources.migrations.0011_mask_secrets")

    migration.mask_texts(apps, None)

    assert TOKEN not in File.objects.get(path="conf.py").text
    assert "def connect" in File.objects.get(path="conf.py").text
