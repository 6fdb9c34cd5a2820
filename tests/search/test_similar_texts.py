"""A question with a mistyped word, in the words of the sources."""

from __future__ import annotations

import pytest

from devrag.core.principal import SYSTEM
from devrag.search.similar_texts import similar_texts
from devrag.search.types import SearchQuery
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
        ("デットロック", ()),
        ("量子冷蔵庫", ()),
        ("path:docs middleware", ()),
    ],
)
def test_a_word_one_letter_apart_is_found(
    indexed: Repository, text: str, found: tuple[str, ...]
) -> None:
    assert similar_texts(SearchQuery(text=text, principal=SYSTEM)) == found
