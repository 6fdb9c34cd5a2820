"""WCAG 2.2 AA as axe-core sees it, on each page, light and dark."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from devrag.wiki.models import Wiki

from .browser import Theme, open_browser, open_page
from .test_browser import FILE, SYMBOL, WIKI

pytestmark = pytest.mark.django_db(transaction=True)
_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
PAGES = (
    "/",
    "/p/harbour/",
    "/p/harbour/delete/",
    "/p/harbour/s/harbour-code/-/current/",
    FILE,
    SYMBOL,
    WIKI,
    "/p/harbour/wiki-versions/",
    "/p/harbour/wiki-versions/1/",
    "/p/harbour/wiki-versions/compare/?from=1&to=1&page=architecture.md",
    "/p/harbour/wiki-feedback/",
    "/p/harbour/wiki-notes/add/?language=en&place=architecture.md",
    "/search",
    "/search?q=greet",
    "/searches/",
    "/jobs/",
    "/sign-in/",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as started:
        yield started


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_has_a_violation(
    browser: Browser,
    live_server: LiveServer,
    alice: Client,
    wiki: Wiki,
    theme: Theme,
    width: int,
) -> None:
    axe, found = Axe(), {}
    url = live_server.url
    with open_page(browser, url, alice, width=width, theme=theme) as page:
        for path in PAGES:
            page.goto(path)
            rules = {"runOnly": {"type": "tag", "values": list(_TAGS)}}
            for each in axe.run(page, options=rules).response["violations"]:
                where = [node["target"] for node in each["nodes"]]
                found[f"{path}: {each['id']}"] = where
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)
