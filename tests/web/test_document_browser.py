"""Pages and tickets in a real browser: what is cited is marked in their text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.documents import TRACKER, index_documents

from .browser import open_page
from .conftest import Harbour

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/p/harbour/s/tracker/-/current/wiki/Payment%20flow.md"


@pytest.fixture
def page(
    browser: Browser,
    live_server: LiveServer,
    alice: Client,
    harbour: Harbour,
    tmp_path: Path,
) -> Iterator[Page]:
    index_documents(tmp_path / "tracker", "harbour", TRACKER)
    with open_page(browser, live_server.url, alice) as opened:
        yield opened


def test_cited_lines_are_marked_in_the_text_and_among_the_lines(page: Page) -> None:
    page.goto(f"{PAGE}#L14")
    marked = page.locator(".article-block.is-marked")
    expect(marked).to_have_text("The checkout asks the bank.")
    ask = page.get_by_role("link", name="Ask about these lines")
    expect(ask).to_have_attribute("href", re.compile("first=14&last=14"))
    page.get_by_role("link", name="Markdown").click()
    expect(page).to_have_url(re.compile(r"\?view=lines#L14$"))
    expect(page.locator(".code-line.is-marked code")).to_have_text(
        "The checkout asks the bank."
    )
