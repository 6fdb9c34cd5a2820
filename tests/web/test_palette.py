"""The palette's answers: places, definitions, files and things to do."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from devrag.sources.file_names import find_files
from devrag.wiki.models import Wiki
from tests.stored import add_symbol

from .conftest import Harbour


def ask(client: Client, text: str) -> str:
    return client.get("/palette", {"q": text}).content.decode()


def definitions(page: str) -> list[str]:
    """Return the titles of the definitions on offer, without marks."""
    titles = re.findall(r"/symbol/.*?<bdi>(.*?)</bdi>", page, re.S)
    return [re.sub("</?mark>", "", title) for title in titles]


def test_a_few_letters_find_page_definition_and_file(
    bob: Client, indexed: Harbour, wiki: Wiki
) -> None:
    found = ask(bob, "greet")
    assert 'href="/p/harbour/wiki/features/greeting"' in found
    assert 'href="/p/harbour/s/harbour-code/-/current/src/greeter.py"' in found
    assert 'href="/search?q=greet"' in found
    assert definitions(found) == ["greet", "Greeter"]


def test_one_letter_finds_definitions(bob: Client, harbour: Harbour) -> None:
    assert definitions(ask(bob, "g")) == ["greet", "Greeter"]


def test_names_that_begin_as_typed_come_first(bob: Client, harbour: Harbour) -> None:
    names = ["_brew", "_brew_all", "Pot._brew", "Pot.brew", "may_brew", "brew_now"]
    for name in [*names, "_brew_one"]:
        file = harbour.add_file(f"src/{name.lower()}.py", "\n", "python", "code")
        add_symbol(file, name)
    found = definitions(ask(bob, "brew"))
    assert found[:2] == ["Pot.brew", "brew_now"]
    assert len(found) == 6


def test_a_definition_is_at_its_own_line_not_at_that_of_a_piece(
    bob: Client, harbour: Harbour, follow: Callable[[], object]
) -> None:
    file = harbour.add_file("src/kettle.py", "class Kettle: ...\n", "python", "code")
    file.chunks.update(kind="symbol", start_line=1242, end_line=1300)
    add_symbol(file, "Kettle", chunk_ordinal=0, start_line=602, end_line=1300)
    follow()
    assert "src/kettle.py:602<" in ask(bob, "kettle")


def test_letters_that_fit_are_marked_and_names_are_no_markup(
    bob: Client, harbour: Harbour
) -> None:
    file = harbour.add_file("src/http.hpp", "\n", "cpp", "code")
    add_symbol(file, "HttpServer")
    add_symbol(file, "operator<b>", ordinal=1)
    assert "<bdi><mark>Ht</mark>tp<mark>Se</mark>rver</bdi>" in ask(bob, "htSe")
    assert "<bdi>operato<mark>r&lt;b&gt;</mark></bdi>" in ask(bob, "r<b>")
    assert "<bdi><mark>http</mark>.hpp</bdi>" in ask(bob, "http")


def test_overloads_are_offered_once_with_their_number(
    bob: Client, harbour: Harbour
) -> None:
    file = harbour.add_file("src/pour.hpp", "\n" * 9, "cpp", "code")
    for ordinal in range(8):
        add_symbol(file, "pour", ordinal=ordinal, start_line=ordinal + 1)
    found = ask(bob, "pour")
    assert definitions(found) == ["pour"]
    assert "src/pour.hpp:1 (+7)" in found


def test_definitions_are_those_of_the_product_that_is_looked_at(
    alice: Client, harbour: Harbour
) -> None:
    found = alice.get("/palette", {"q": "greet", "product": "harbour"})
    assert definitions(found.content.decode()) == ["greet", "Greeter"]


@pytest.mark.parametrize(
    "text", ["src/kettle.py:12", "kettle.py:12:3:", "/src/kettle.py:12"]
)
def test_a_place_leads_to_its_line(bob: Client, harbour: Harbour, text: str) -> None:
    harbour.add_file("src/kettle.py", "\n" * 20, "python", "code")
    assert '/-/current/src/kettle.py#L12"' in ask(bob, text)


def test_the_file_of_a_path_stands_before_names_like_its_ending(
    bob: Client, harbour: Harbour
) -> None:
    file = harbour.add_file("src/kettle.py", "\n", "python", "code")
    add_symbol(file, "py")
    add_symbol(file, "Kettle", ordinal=1)
    found = ask(bob, "src/kettle.py")
    assert found.index("Files") < found.index("Definitions")
    found = ask(bob, "kettle")
    assert found.index("Definitions") < found.index("Files")


def test_nobody_is_offered_what_they_must_not_see(
    charlie: Client, indexed: Harbour, wiki: Wiki
) -> None:
    found = ask(charlie, "greet") + ask(charlie, "harbour") + ask(charlie, "")
    assert "/p/harbour" not in found


def test_actions_answer_to_their_words(bob: Client) -> None:
    assert 'data-run="theme-dark"' in ask(bob, "theme")
    assert 'data-run="language-ja"' in ask(bob, "日本")
    assert "theme" not in ask(bob, "jobs")


def test_the_theme_that_is_shown_is_not_offered(bob: Client) -> None:
    bob.post("/preferences/", {"theme": "dark"})
    found = ask(bob, "theme")
    assert 'data-run="theme-dark"' not in found
    assert 'data-run="theme-light"' in found


def test_only_what_one_may_do_is_offered(
    alice: Client, bob: Client, stranger: Client, harbour: Harbour
) -> None:
    def actions(client: Client) -> str:
        asked = {"q": "", "product": "harbour"}
        return client.get("/palette", asked).content.decode()

    regenerate = 'data-run="post" data-url="/p/harbour/wiki-regenerate/"'
    assert regenerate in actions(alice)
    assert "Add a source" in actions(alice)
    assert "Product settings" in actions(alice)
    for words in (regenerate, "Add a source", "Product settings", "Database"):
        assert words not in actions(bob)
    assert 'href="/p/harbour/ask/"' in actions(bob)
    assert "Account and preferences" in actions(bob)
    assert "Account and preferences" not in actions(stranger)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("view", "src/view.py"),  # the shortest name that begins so
        ("api view", "src/api/user_view.py"),
        ("usvw", "src/api/user_view.py"),
        ("100%", "docs/100%.md"),
        ("vi", "src/view.py"),  # two letters begin a name
        ("us", "src/api/user_view.py"),
        ("ew", None),
        ("r_v", "src/api/user_view.py"),
        ("nothing here", None),
    ],
)
def test_files_are_found_by_what_one_remembers(
    harbour: Harbour, text: str, first: str | None
) -> None:
    for path in ("src/api/user_view.py", "src/view.py", "docs/100%.md", "view/a.py"):
        harbour.add_file(path, "x\n", "", "doc")
    found = find_files(text, [harbour.source.pk], limit=5)
    assert (found[0].path if found else None) == first
