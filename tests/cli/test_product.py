"""`manage.py product`: list, show, add, update, remove."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.jobs.models import Job
from devrag.products.models import Product
from tests.people import People

pytestmark = pytest.mark.django_db(transaction=True)


def product(*argv: str) -> Any:
    out = io.StringIO()
    call_command("product", *argv, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_a_product_is_created_once() -> None:
    assert product("add", "tea", "--title", "Tea")["title"] == "Tea"
    with pytest.raises(Conflict, match="not available"):
        product("add", "tea")


def test_the_list_names_sources(people: People) -> None:
    found = {each["name"]: each["sources"] for each in product("list")}
    assert found == {"market": [], "teahouse": ["teahouse-code"]}


def test_show_says_how_much_there_is(people: People) -> None:
    shown = product("show", "teahouse")
    assert (shown["sources"], shown["files"]) == (["teahouse-code"], 0)


def test_an_unknown_or_missing_name_is_said() -> None:
    with pytest.raises(NotFound):
        product("show", "nothing")
    with pytest.raises(InvalidInput, match="NAME"):
        product("remove")


def test_a_product_is_kept_from_external_models() -> None:
    assert not product("add", "tea", "--external-models", "no")["externalModels"]
    changed = product("update", "tea", "--title", "Tea", "--external-models", "yes")
    assert (changed["title"], changed["externalModels"]) == ("Tea", True)
    with pytest.raises(InvalidInput, match="Nothing to change"):
        product("update", "tea")


def test_a_description_is_set_shown_and_cleared() -> None:
    text = "Brews tea, and says when."
    assert product("add", "tea", "--description", text)["description"] == text
    out = io.StringIO()
    call_command("product", "show", "tea", stdout=out)
    assert out.getvalue().splitlines()[:2] == ["tea", f"  {text}"]
    assert product("update", "tea", "--title", "Tea")["description"] == text
    assert product("update", "tea", "--description", "")["description"] == ""


@pytest.mark.parametrize(("option", "most"), [("title", 200), ("description", 10_000)])
def test_a_text_that_is_too_long_is_said(option: str, most: int) -> None:
    product("add", "tea")
    with pytest.raises(
        InvalidInput, match=f"{option} can have at most {most} characters"
    ):
        product("update", "tea", f"--{option}", "x" * (most + 1))


def test_deleting_asks_first(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("no\n"))
    with pytest.raises(Conflict, match="Nothing was deleted"):
        product("remove", "teahouse", "--no-wait")
    assert Product.objects.filter(name="teahouse").exists()
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    product("remove", "teahouse", "--no-wait")
    assert not Product.objects.filter(name="teahouse").exists()


def test_yes_deletes_unasked(people: People) -> None:
    answer = product("remove", "teahouse", "--yes", "--no-wait")
    assert str(Job.objects.get(kind="delete").pk) == answer["jobID"]


def test_wiki_settings_are_kept_one_by_one() -> None:
    product("add", "tea", "--wiki", "language=ja")
    changed = product(
        "update", "tea", "--wiki", "audience=guests", "--wiki", "notes=a=b"
    )
    assert changed["wiki"] == {"language": "ja", "audience": "guests", "notes": "a=b"}


@pytest.mark.parametrize("written", ["language", "colour=red", "language=xx"])
def test_a_wrong_wiki_setting_is_refused(written: str) -> None:
    with pytest.raises(InvalidInput, match="wiki"):
        product("add", "tea", "--wiki", written)
    assert not Product.objects.exists()
