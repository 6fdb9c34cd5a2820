"""`label:auth` in a question, and what the word index knows of labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.labels.api import add_label, correct_label
from devrag.products.models import Product
from devrag.search.query_parser import parse_query
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.models import Source
from tests.conftest import Repository, run_job
from tests.search.shop import index

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    return {
        "shop/auth.py": "def checkout_allowed(user):\n    return user.is_customer\n",
        "tests/test_auth.py": "def test_checkout_allowed():\n    assert True\n",
    }


@pytest.fixture(scope="module")
def has_vectors() -> bool:
    return True


def ask(text: str, **options: Any) -> SearchQuery:
    return SearchQuery(text=text, principal=SYSTEM, product="tea", **options)


def paths(text: str, **options: Any) -> set[str]:
    return {hit.path for hit in search(ask(text, **options)).hits}


AUTH = {"shop/auth.py", "tests/test_auth.py"}


@pytest.mark.parametrize(
    ("text", "words", "fields"),
    [
        ("label:auth retry", "retry", {"labels": ("auth",)}),
        ("label:auth label:api x", "x", {"labels": ("auth", "api")}),
        ("x -label:test", "x", {"without_labels": ("test",)}),
        ('label:"ログイン" x', "x", {"labels": ("ログイン",)}),
        ("label::auth x", "label::auth x", {"labels": ()}),
    ],
)
def test_labels_are_read_from_the_question(
    text: str, words: str, fields: dict[str, Any]
) -> None:
    query = parse_query(ask(text))
    assert query.text == words
    assert {name: getattr(query, name) for name in fields} == fields


def test_a_label_that_is_being_typed_is_none_yet() -> None:
    query = parse_query(ask("tax label:au", is_typing=True))
    assert (query.text, query.labels) == ("tax", ())


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_every_mode_obeys_labels(indexed: Repository, mode: str) -> None:
    assert paths("checkout label:auth", mode=mode) == AUTH
    assert paths("checkout label:auth -label:test", mode=mode) == {"shop/auth.py"}
    assert paths("checkout label:auth label:test", mode=mode) == {"tests/test_auth.py"}
    assert paths("checkout", labels=("auth",), mode=mode) == AUTH
    others = paths("checkout -label:auth", mode=mode)
    assert others
    assert not others & AUTH


def test_lines_are_filtered_by_labels(indexed: Repository) -> None:
    assert paths('label:auth exact:"checkout"') == AUTH


def test_a_label_alone_lists_its_files(indexed: Repository) -> None:
    result = search(ask("label:auth"))
    assert [hit.path for hit in result.hits] == sorted(AUTH)
    assert result.total == 2
    assert [label.name for label in result.hits[1].labels] == ["auth", "test"]
    assert search(ask("label:auth", limit=1)).total == 2


def test_labels_with_a_kind_of_chunk_list_each_file_once(indexed: Repository) -> None:
    result = search(ask("label:auth kind:function"))
    assert [hit.path for hit in result.hits] == sorted(AUTH)
    assert result.total == 2


def test_an_unknown_label_names_those_that_are_known(indexed: Repository) -> None:
    with pytest.raises(
        InvalidInput, match=r"Unknown label 'nope'. Use one of: api, auth"
    ):
        search(ask("checkout label:nope"))


def test_a_title_is_a_name_as_well(indexed: Repository) -> None:
    assert paths("checkout label:Authentication") == AUTH


def test_the_word_index_follows_corrections(
    indexed: Repository, follow: Callable[[], Any]
) -> None:
    source = Source.objects.get()
    for path, is_assigned in (("shop/cart.py", True), ("shop/auth.py", False)):
        correct_label(
            principal=SYSTEM,
            source=source,
            path=path,
            name="auth",
            is_assigned=is_assigned,
        )
    done = follow()
    assert (done.files_added, done.files_removed) == (2, 2)
    found = paths("checkout label:auth", mode="keyword")
    assert found == {"shop/cart.py", "tests/test_auth.py"}
    assert follow().files_added == 0
    # Nothing of the files is lost or doubled.
    assert "shop/auth.py" in paths("checkout_allowed", mode="keyword")


def test_a_label_of_another_product_filters_nothing_here(indexed: Repository) -> None:
    other = Product.objects.create(name="other")
    add_label(principal=SYSTEM, product=other, name="tea")
    with pytest.raises(InvalidInput, match="Unknown label 'tea'"):
        search(ask("checkout label:tea"))


def test_a_correction_follows_a_file_that_an_index_run_finds_renamed(
    indexed: Repository,
) -> None:
    source = Source.objects.get()
    correct_label(
        principal=SYSTEM,
        source=source,
        path="shop/cart.py",
        name="storage",
        is_assigned=True,
    )
    text = (indexed.path / "shop/cart.py").read_text()
    with indexed.taking_back():
        indexed.commit({"shop/cart.py": None, "shop/basket.py": text})
        index(indexed)
        for job in Job.objects.filter(kind="label", state="pending"):
            run_job(job)
        assert paths("label:storage") == {"shop/basket.py"}
