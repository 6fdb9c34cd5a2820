"""What is said of words that stand nowhere, in Japanese as in English."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.core.principal import SYSTEM
from devrag.search.service import missing_words, search
from devrag.search.types import SearchQuery
from tests.conftest import Repository

pytestmark = pytest.mark.django_db

RULES = """\
# 規約

設定を変更する場合は、処理の方法を確認し、必要な値を指定して実行する。

利用者が使用する画面は、子どもっぽい言葉を避ける。
"""


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    return {"docs/規約.md": RULES}


@pytest.fixture(scope="module")
def has_vectors() -> bool:
    return True


def ask(text: str, **options: Any) -> SearchQuery:
    return SearchQuery(text=text, principal=SYSTEM, **options)


def test_japanese_nonsense_gets_only_what_is_nearest(indexed: Repository) -> None:
    result = search(ask("ぬるぽガッの量子冷蔵庫"))
    assert result.confidence != "high"
    assert (len(result.hits) <= 5, result.total) == (True, 0)
    # The word that is there is in hiragana: it decides nothing.
    keyword = search(ask("っぽい量子冷蔵庫", mode="keyword"))
    assert keyword.confidence != "high"


def test_the_words_that_are_nowhere_are_named_as_they_were_typed(
    indexed: Repository,
) -> None:
    result = search(ask("量子サーバーの設定を温めた"))
    assert result.confidence == "high"
    (note,) = result.notes
    assert note == "Not found in the sources: “サーバー”, “温め”, “量子”."
    (note,) = search(ask("quantum checkout refrigerator")).notes
    assert note == "Not found in the sources: “quantum”, “refrigerator”."


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("設定を変更する方法", {}),
        ("how is tax computed at checkout", {}),
        ("quantum refrigerator checkout", {"is_typing": True}),
        ("charge", {}),
    ],
)
def test_nothing_is_said_of_words_that_are_there(
    indexed: Repository, text: str, options: dict[str, Any]
) -> None:
    assert search(ask(text, **options)).notes == ()


def test_a_name_that_is_nowhere_is_named_without_its_parts(indexed: Repository) -> None:
    (note,) = search(ask("where is readFrob of the checkout")).notes
    assert note == "Not found in the sources: “readFrob”."


def test_words_are_looked_for_in_scope(indexed: Repository) -> None:
    assert missing_words(ask("設定")) == ()
    assert missing_words(ask("設定", path_prefix="shop/")) == ("設定",)
