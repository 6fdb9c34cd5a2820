"""What helps with a search: chips, completion, preview, hits by file."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from devrag.search.lexical.follower import catch_up

from .conftest import Harbour
from .markup import squeeze


def test_filters_are_chips_that_come_off(bob: Client, indexed: Harbour) -> None:
    asked = {"q": "Greeter lang:python -path:tests", "kind": "code", "mode": "keyword"}
    page = squeeze(bob.get("/search", asked))
    base = "/search?q=Greeter"
    assert f'href="{base}+-path%3Atests&amp;mode=keyword&amp;kind=code"' in page
    assert (
        f'href="{base}+lang%3Apython+-path%3Atests&amp;mode=keyword"'
        ' aria-label="kind: Code: remove this filter"'
    ) in page
    assert 'aria-label="Words: remove this filter"' in page
    page = squeeze(bob.get("/search", {"q": "Greeter", "generated": "on"}))
    assert f'href="{base}" aria-label="Include generated and vendored: remove' in page


@pytest.mark.parametrize(
    ("word", "offered"),
    [
        ("la", ["lang:", "label:"]),
        ("lang:py", ["lang:python"]),
        ("kind:met", ["kind:method"]),
        ("path:", ["path:docs/", "path:src/"]),
        ("-path:d", ["-path:docs/"]),
        ("product:har", ["product:harbour"]),
        ("Greeter", []),
        ("lang:python", []),
    ],
)
def test_a_filter_completes(
    bob: Client, indexed: Harbour, word: str, offered: list[str]
) -> None:
    page = bob.get("/search/complete", {"word": word}).content.decode()
    assert [part.split("<")[0] for part in page.split("<bdi>")[1:]] == offered


def test_completion_tells_nothing_of_hidden_products(
    charlie: Client, harbour: Harbour
) -> None:
    for word in ("product:", "path:", "lang:"):
        assert (
            "<bdi>"
            not in charlie.get("/search/complete", {"word": word}).content.decode()
        )


def test_a_preview_marks_the_lines_among_others(bob: Client, indexed: Harbour) -> None:
    page = bob.get("/search", {"q": "Greeter", "mode": "keyword"}).content.decode()
    url = "/p/harbour/s/harbour-code/preview/current/src/greeter.py"
    assert f'hx-get="{url}?first=4&amp;last=4"' in page
    preview = bob.get(url, {"first": 5, "last": 6}).content.decode()
    assert preview.count("code-line is-marked") == 2
    assert preview.count("code-line") == 6
    assert bob.get(url, {"first": "x"}).status_code == 400


def test_menus_narrow_a_search_by_what_its_matches_have(
    bob: Client, harbour: Harbour
) -> None:
    code = harbour.files["src/greeter.py"]
    code.chunks.update(kind="symbol", symbol_ordinal=0, symbol_kind="class")
    code.symbols.filter(name="Greeter").update(chunk_ordinal=0)
    catch_up(Path(settings.LEXICAL_DIR))
    search = "/search?q=greet+Greeter&amp;mode=keyword"
    page = bob.get(unescape(search)).content.decode()
    assert 'aria-label="Narrow down"' in page
    link = f'<a class="menu-item" href="{search}&amp;kind=class"'
    assert link in page
    assert ">Classes</bdi>" in page
    assert f"{search}&amp;kind=symbol" not in page
    chosen = bob.get(unescape(f"{search}&amp;kind=class")).content.decode()
    assert f'<a class="menu-item" href="{search}" aria-current="true"' in chosen
