"""Kinds of sources on a wiki page: chips, and sections that can be hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from devrag.core.markdown import RenderedPage, render_markdown
from devrag.web.pages.wiki_kinds import (
    hidden_kinds,
    kind_toggles,
    kinds_of_blocks,
    runs_of,
)
from devrag.wiki.models import Claim, Wiki
from tests.documents import TRACKER, index_documents

from .browser import open_page
from .conftest import COMMIT, Harbour

URL = "/p/harbour/wiki/features/greeting"
GREETING = """# Greeting

It greets [1](cite:1) and pays [2](cite:2).

## How it works

`greet()` waves [1](cite:1).

```python
greet()
```

## How its files depend

```mermaid
flowchart LR
  a --> b
```

## What the documents say

### Payment flow

The checkout asks the bank [2](cite:2).

## Open tickets

| Ticket | Status |
| --- | --- |
| Checkout charges twice [3](cite:3) | In Progress |

## Related topics

- [Overview](../index.md)
"""
KINDS = {1: "code", 2: "documents", 3: "tickets"}


def rendered(text: str = GREETING) -> RenderedPage:
    return render_markdown(text, resolve_link=str)


def shown(kinds: dict[int, str]) -> dict[str, str]:
    """Return anchor of a heading → kind of its section."""
    page = rendered()
    found = zip(page.blocks, kinds_of_blocks(page, kinds), strict=True)
    return {block.anchor: kind for block, kind in found if block.anchor}


def test_a_section_is_of_the_kind_that_all_of_it_cites() -> None:
    assert shown(KINDS) == {
        "greeting": "",
        "how-it-works": "code",
        "how-its-files-depend": "code",
        "what-the-documents-say": "documents",
        "payment-flow": "documents",
        "open-tickets": "tickets",
        "related-topics": "",
    }


def test_code_and_diagrams_belong_to_their_section_and_mixed_text_to_none() -> None:
    page = rendered()
    kinds = kinds_of_blocks(page, KINDS)
    of_fences = [
        kind for b, kind in zip(page.blocks, kinds, strict=True) if b.kind == "fence"
    ]
    assert of_fences == ["code", "code"]
    assert kinds[1] == ""
    assert [kind for kind, _ in runs_of(kinds)] == [
        *("", "code", "documents", "tickets", "")
    ]


def test_a_section_of_two_kinds_is_of_none_and_its_blocks_of_theirs() -> None:
    page = rendered("# A\n\n## B\n\nOne [1](cite:1).\n\nTwo [2](cite:2).\n\nThree.\n")
    assert kinds_of_blocks(page, KINDS) == ["", "", "code", "documents", ""]


def test_without_kinds_nothing_is_marked() -> None:
    assert set(shown({}).values()) == {""}


def test_a_toggle_leads_to_the_page_without_a_kind_and_back() -> None:
    toggles = {each.kind: each for each in kind_toggles(KINDS, ("tickets",))}
    assert toggles["code"].url == "?hide=code&hide=tickets"
    assert toggles["tickets"].url == "?"
    assert toggles["tickets"].is_hidden
    assert kind_toggles({1: "code", 2: "code"}, ()) == ()
    assert hidden_kinds(["tickets", "code", "nonsense"]) == ("code", "tickets")


@pytest.fixture
def mixed(wiki: Wiki, harbour: Harbour, tmp_path: Path) -> Wiki:
    """The wiki's page on greeting cites code, a page and a ticket."""
    index_documents(tmp_path / "tracker", "harbour", TRACKER)
    assert wiki.current is not None
    wiki.current.coverage = {
        "sourceKinds": {"harbour-code": "code", "tracker": "documents"}
    }
    wiki.current.save(update_fields=["coverage"])
    page = wiki.current.pages.get(path="features/greeting.md")
    page.markdown = GREETING
    page.save(update_fields=["markdown"])
    places = [
        ("harbour-code", "src/greeter.py"),
        ("tracker", "wiki/Payment flow.md"),
        ("tracker", "issues/7.md"),
    ]
    for ordinal, (source, path) in enumerate(places, 1):
        Claim.objects.create(
            page=page,
            ordinal=ordinal,
            sentence="It greets.",
            source_name=source,
            path=path,
            start_line=2,
            end_line=2,
            version_identifier=COMMIT,
            content_hash="h",
            excerpt="x",
        )
    return wiki


def read(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.django_db
def test_citations_and_sections_name_their_kind(bob: Client, mixed: Wiki) -> None:
    page = read(bob, URL)
    for named in ('cite-tickets" title="Tickets: iss', 'cite-code" title="Code: src'):
        assert re.search(rf'class="cite[^"]* {named}', page)
    assert page.count('class="of-kind"') == 3
    for kind, label in (("documents", "Documents"), ("tickets", "Tickets")):
        assert re.search(rf'class="kind kind-{kind}"><svg.*?</svg>{label}</span>', page)


@pytest.mark.django_db
def test_a_kind_is_hidden_without_a_script(bob: Client, mixed: Wiki) -> None:
    assert 'data-hidden=""' in read(bob, URL)
    page = read(bob, f"{URL}?hide=tickets&hide=nonsense")
    assert 'data-hidden="tickets"' in page
    assert '<li class="level-2" data-kind="tickets">' in page
    assert "Show Tickets" in page
    assert 'href="?hide=documents&amp;hide=tickets"' in page


@pytest.mark.django_db
def test_tickets_lead_to_all_that_are_open(bob: Client, mixed: Wiki) -> None:
    url = re.search(r'<a href="([^"]*)">All open tickets', read(bob, URL))
    assert url is not None
    assert url[1] == "/search?q=kind%3Aticket+status%3Aopen&amp;product=harbour"


@pytest.mark.django_db
def test_a_product_of_code_alone_has_no_kinds(bob: Client, wiki: Wiki) -> None:
    page = read(bob, f"{URL}?hide=tickets")
    for mark in ("data-hidden", "of-kind", "kind-filter", "cite-code", "kinds.js"):
        assert mark not in page


@pytest.mark.django_db(transaction=True)
def test_a_hidden_kind_stays_hidden_on_the_next_page(
    browser: Browser, live_server: LiveServer, bob: Client, mixed: Wiki
) -> None:
    for page in _opened(browser, live_server, bob):
        page.goto(URL)
        tickets = page.get_by_text("Checkout charges twice")
        expect(tickets).to_be_visible()
        page.get_by_role("link", name="Tickets").first.click()
        expect(tickets).to_be_hidden()
        page.goto(URL)
        expect(tickets).to_be_hidden()
        expect(page.get_by_text("The checkout asks the bank")).to_be_visible()
        page.get_by_role("link", name="Show Tickets").click()
        expect(tickets).to_be_visible()


def _opened(browser: Browser, server: LiveServer, client: Client) -> Iterator[Page]:
    with open_page(browser, server.url, client) as page:
        yield page
