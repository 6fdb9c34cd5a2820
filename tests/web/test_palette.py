"""The palette's answers: places, definitions, files and things to do."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from devrag.sources.file_names import find_files
from devrag.sources.models import Symbol
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
    Symbol.objects.filter(name="Greeter").update(chunk_ordinal=0)
    found = ask(bob, "greet")
    assert 'href="/p/harbour/wiki/features/greeting"' in found
    assert 'href="/p/harbour/s/harbour-code/-/current/src/greeter.py"' in found
    assert 'href="/search?q=greet"' in found


def test_names_that_begin_as_typed_come_first(
    bob: Client, harbour: Harbour, follow: Callable[[], object]
) -> None:
    names = ["_brew", "_brew_all", "Pot._brew", "Pot.brew", "may_brew", "brew_now"]
    for name in [*names, "_brew_one"]:
        path = f"src/{name.lower()}.py"
        file = harbour.add_file(path, f"def {name}(): ...\n", "python", "code")
        file.chunks.update(kind="symbol")
        add_symbol(file, name, chunk_ordinal=0)
    follow()
    found = definitions(ask(bob, "brew"))
    assert set(found[:2]) == {"Pot.brew", "brew_now"}
    assert len(found) == 6


def test_nobody_is_offered_what_they_must_not_see(
    charlie: Client, indexed: Harbour, wiki: Wiki
) -> None:
    found = ask(charlie, "greet") + ask(charlie, "harbour") + ask(charlie, "")
    assert "/p/harbour" not in found


def test_actions_answer_to_their_words(bob: Client) -> None:
    assert 'data-run="theme"' in ask(bob, "theme")
    assert 'data-run="language-ja"' in ask(bob, "日本")
    assert "theme" not in ask(bob, "jobs")


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("view", "src/view.py"),  # the shortest name that begins so
        ("api view", "src/api/user_view.py"),
        ("usvw", "src/api/user_view.py"),
        ("100%", "docs/100%.md"),
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
