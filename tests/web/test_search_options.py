"""Options, lines, reasons and the log of searches on the pages."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from devrag.core.hashing import stable_uuid
from devrag.search.models import SearchLog
from devrag.sources.models import Chunk, Symbol

from .conftest import Harbour


def page(client: Client, text: str, **options: str) -> str:
    return client.get("/search", {"q": text, **options}).content.decode()


OPTIONS = {
    "mime=text/x-python": False,
    "depth=1": False,
    "depth=one": False,
    "complexity_to=3": False,
    "context=1": True,
    "context=9": True,
    "unchanged=on": True,
    "show=full": True,
    "show=magic": True,
    "rewrite=on": True,
}


def test_every_option_is_a_filter_of_the_page(bob: Client, indexed: Harbour) -> None:
    for option, is_found in OPTIONS.items():
        name, value = option.split("=")
        shown = page(bob, "Greeter", mode="keyword", kind="code", **{name: value})
        assert ("current/src/greeter.py#L" in shown) == is_found, option


def test_options_in_the_panel_are_seen_when_they_are_set(
    bob: Client, indexed: Harbour
) -> None:
    assert "heading levels" not in page(bob, "Greeter")
    shown = page(bob, "Greeter", depth="1")
    assert 'aria-label="heading levels: 1: remove this filter"' in shown


def test_a_wrong_depth_is_explained(bob: Client, indexed: Harbour) -> None:
    assert "Use heading levels" in page(bob, "Greeter", depth="one")


def test_the_whole_hit_is_shown_on_request(bob: Client, indexed: Harbour) -> None:
    code = "\n".join(f"line_{number}" for number in range(30)) + "\nGreeter\n"
    Chunk.objects.filter(file__path="src/greeter.py").update(text=code)
    assert "line_0" not in page(bob, "Greeter", mode="keyword", kind="code")
    assert "line_0" in page(bob, "Greeter", mode="keyword", kind="code", show="full")


def test_lines_that_were_asked_for_are_links(bob: Client, indexed: Harbour) -> None:
    shown = page(bob, 'exact:"f"Hello"')
    assert 'current/src/greeter.py#L6"' in shown
    assert "<mark>f&quot;Hello</mark> {name}" in shown


def test_a_wrong_pattern_is_explained(bob: Client, indexed: Harbour) -> None:
    assert "is not a valid regular expression" in page(bob, "/(/")


def test_a_hit_says_in_words_why_it_is_there(bob: Client, indexed: Harbour) -> None:
    shown = page(bob, "Greeter", mode="keyword", kind="code")
    assert "Defines Greeter" in shown
    assert "<li>1st in keyword search</li><li>contains Greeter</li>" in shown
    assert "<li>file name matches</li>" in shown


def test_a_summary_stands_above_the_hits(bob: Client, indexed: Harbour) -> None:
    assert "1 file of 1 source" in page(bob, "Hello", kind="code", summary="on")


def test_a_search_is_logged_and_its_opened_hit_noted(
    bob: Client, indexed: Harbour
) -> None:
    shown = page(bob, "Greeter", mode="keyword", product="harbour")
    found = re.search(r'data-log="([^"]+)" data-opened="([^"]+)"', shown)
    assert found
    answer = bob.post(found[2], {"token": found[1], "rank": 2})
    assert answer.status_code == 204
    row = SearchLog.objects.get()
    assert (row.principal, row.clicked_rank, row.product) == ("bob", 2, indexed.product)


@pytest.mark.parametrize(
    ("body", "status"),
    [({}, 400), ({"token": "x", "rank": "1"}, 404), ({"token": "x", "rank": "a"}, 400)],
)
def test_what_no_search_gave_opens_nothing(
    bob: Client, body: dict[str, str], status: int
) -> None:
    assert bob.post("/search/opened", body).status_code == status


def test_typing_leaves_one_search(bob: Client, indexed: Harbour) -> None:
    for text in ("gre", "greet", "greeter"):
        bob.get("/search", {"q": text}, headers={"HX-Request": "true"})
    assert SearchLog.objects.get().query == "greeter"


def test_maintainers_see_what_finds_nothing_in_their_products(
    alice: Client, bob: Client, indexed: Harbour
) -> None:
    page(bob, "<b>zebra", product="harbour", mode="keyword")
    page(bob, "everywhere", mode="keyword")
    shown = alice.get("/searches/").content.decode()
    assert "&lt;b&gt;zebra</a>" in shown
    assert "everywhere" not in shown
    assert 'href="/searches/"' in page(alice, "")


def test_readers_do_not_see_what_others_ask(bob: Client, indexed: Harbour) -> None:
    assert bob.get("/searches/").status_code == 403
    assert 'href="/searches/"' not in page(bob, "")


RELATED = "/p/harbour/s/harbour-code/symbol/current/{}/related/"


def test_what_is_close_to_a_definition_waits_for_its_vector(
    bob: Client, harbour: Harbour
) -> None:
    Symbol.objects.update(chunk_ordinal=0)
    shown = bob.get(RELATED.format(stable_uuid("Greeter"))).content.decode()
    assert "Not embedded yet." in shown


def test_a_stranger_to_the_product_gets_nothing_related(
    charlie: Client, harbour: Harbour
) -> None:
    assert charlie.get(RELATED.format(stable_uuid("Greeter"))).status_code == 404
