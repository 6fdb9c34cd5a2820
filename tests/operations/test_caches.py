"""`cache clear`: what is kept to be fast goes, what is stored stays."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from devrag.core.errors import Conflict, InvalidInput
from devrag.core.principal import SYSTEM
from devrag.operations.caches import CACHES
from devrag.search.lexical.follower import database_identity
from devrag.search.lexical.store import Generation, LexicalWriter, read_generation
from devrag.search.models import Embedding, QueryRewrite
from devrag.search.semantic.retriever import query_vector
from devrag.search.semantic.specs import ensure_active_spec
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.models import Chunk, File
from tests.conftest import Repository
from tests.indexing.test_index import index
from tests.people import People

MODEL = "models/multilingual-e5-small-code-int8"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def home(tmp_path: Path, settings: Any) -> Path:
    """A home with something in each cache of files, beside data."""
    settings.DEVRAG_HOME, settings.MODELS_DIR = tmp_path, tmp_path / "models"
    for folder in ("cache/highlight", MODEL, "repos", "wikis"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "file").write_bytes(b"x" * 1_500_000)
    return tmp_path


def clear(*names: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("cache", "clear", *names, "--json", stdout=out)
    return {each["name"]: each for each in json.loads(out.getvalue())}


def test_each_cache_is_cleared_and_what_is_stored_stays(
    home: Path, shop: Repository, follow: Callable[[], Any], settings: Any
) -> None:
    index(shop.path)
    follow()
    QueryRewrite.objects.create(model="m", query_hash="h", query="q", rewritten="r")
    stored = [model.objects.count() for model in (File, Chunk, Embedding)]
    cleared = clear()
    assert list(cleared) == list(CACHES)
    assert cleared["pages"]["bytes"] == cleared["models"]["bytes"] == 1_500_000
    assert cleared["rewrites"]["entries"] == 1
    assert cleared["keyword-index"]["bytes"] > 0
    assert not (home / "cache").exists()
    assert not (home / MODEL).exists()
    assert (home / "repos" / "file").exists()
    assert (home / "wikis" / "file").exists()
    assert not QueryRewrite.objects.exists()
    assert read_generation(settings.LEXICAL_DIR) == Generation(database_identity())
    assert [model.objects.count() for model in (File, Chunk, Embedding)] == stored
    query = SearchQuery(text="charge", principal=SYSTEM, mode="keyword")
    found = search(query)
    assert (found.hits, found.is_lexical_behind) == ((), True)
    follow()
    assert search(query).hits


def test_the_keyword_index_stays_while_a_follower_writes_it(
    home: Path,
    shop: Repository,
    follow: Callable[[], Any],
    settings: Any,
    monkeypatch: Any,
) -> None:
    monkeypatch.setattr(
        "devrag.operations.consistency_checks.keyword._PATIENCE_SECONDS", 0.1
    )
    index(shop.path)
    follow()
    before = sorted(settings.LEXICAL_DIR.iterdir())
    with closing(LexicalWriter(settings.LEXICAL_DIR)):
        with pytest.raises(Conflict, match="A follower is writing"):
            clear("keyword-index")
        assert sorted(settings.LEXICAL_DIR.iterdir()) == before


@pytest.mark.slow
def test_vectors_of_queries_are_forgotten(home: Path, settings: Any) -> None:
    shutil.rmtree(home / "models")
    clear("query-vectors")
    query_vector(ensure_active_spec(), "where is the till")
    assert clear("query-vectors")["query-vectors"]["entries"] == 1
    assert clear("query-vectors")["query-vectors"]["entries"] == 0


def test_only_named_caches_are_cleared_and_each_says_how_much(home: Path) -> None:
    out = io.StringIO()
    call_command("cache", "clear", "pages", "rewrites", stdout=out)
    assert out.getvalue() == (
        "pages: 1.5 MB; a page is rendered again when it is opened\n"
        "rewrites: was empty; a query is rewritten again when it is used\n"
    )
    assert (home / MODEL / "file").exists()


def test_an_unknown_cache_clears_nothing(home: Path) -> None:
    with pytest.raises(
        InvalidInput, match=r"Unknown cache 'page'\. Use one of: pages, rew"
    ):
        call_command("cache", "clear", "pages", "page")
    assert (home / "cache").exists()


@pytest.mark.parametrize(("is_superuser", "is_cleared"), [(True, True), (False, False)])
def test_the_admin_clears_them_for_administrators(
    home: Path, people: People, client: Client, is_superuser: bool, is_cleared: bool
) -> None:
    user = User.objects.create_user("x", is_staff=True, is_superuser=is_superuser)
    client.force_login(user)
    asked = {"action": "clear_cache", "_selected_action": [people.teahouse.pk]}
    client.post("/admin/products/product/", asked)
    assert (home / "cache").exists() is not is_cleared
