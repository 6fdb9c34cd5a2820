"""A question with a mistyped word, in the words of the sources."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.core.principal import SYSTEM
from devrag.search.similar_texts import similar_texts, suggest_queries
from devrag.search.types import SearchQuery
from devrag.sources.models import Chunk
from tests.conftest import Repository

pytestmark = pytest.mark.django_db

RULES = "# ロック\n\n複数行のロックはデットロックを起こす。\n\nSee the middleware.\n"


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    return {"docs/規約.md": RULES}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("デッドロック", ("デットロック",)),
        ("デッドロックの回避", ("デットロックの回避",)),
        ("write a middlware", ("write a middleware",)),
        ("Middlware, submiddlwares", ("middleware, submiddlwares",)),
        ('path:docs "see the" middlware', ('path:docs "see the" middleware',)),
        ("デットロック", ()),
        ("量子冷蔵庫", ()),
        ("path:docs middleware", ()),
    ],
)
def test_a_word_one_letter_apart_is_found(
    indexed: Repository, text: str, found: tuple[str, ...]
) -> None:
    assert similar_texts(SearchQuery(text=text, principal=SYSTEM)) == found


def test_an_index_that_is_behind_suggests_nothing(indexed: Repository) -> None:
    Chunk.objects.filter(text__contains="middleware").delete()
    assert similar_texts(SearchQuery(text="write a middlware", principal=SYSTEM)) == ()


@pytest.mark.parametrize(("seconds", "found"), [(30, ("write a middleware",)), (0, ())])
def test_suggestions_end_with_the_time_of_a_search(
    indexed: Repository, settings: Any, seconds: int, found: tuple[str, ...]
) -> None:
    settings.SEARCH_TIMEOUT = seconds
    query = SearchQuery(text="write a middlware", principal=SYSTEM)
    assert suggest_queries(query, with_names=True) == found
