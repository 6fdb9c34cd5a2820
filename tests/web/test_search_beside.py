"""On a wide screen the lines around a hit stand beside the list, drawn for people."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from .browser import open_page
from .conftest import Harbour

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
# What is seen there, without asking for the size of anything: that would draw it.
DRAWN = "!!document.elementFromPoint(1150, 300)?.closest('#dr-preview')"


@pytest.fixture
def page(
    browser: Browser, live_server: LiveServer, alice: Client, indexed: Harbour
) -> Iterator[Page]:
    with open_page(browser, live_server.url, alice, width=1500) as opened:
        with opened.expect_response("**/preview/**"):
            opened.goto("/search?q=Harbour+Greeter&mode=keyword")
        yield opened


def test_the_first_hit_is_drawn_at_once(page: Page) -> None:
    page.wait_for_function(DRAWN)


def test_the_lines_follow_the_keys_and_stay(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    page.keyboard.press("ArrowDown")
    with page.expect_response("**/preview/**"):
        page.keyboard.press("ArrowDown")
    page.wait_for_load_state("networkidle")
    expect(page.locator(".hit.is-previewed")).to_have_attribute("data-rank", "2")
    expect(page.locator(".hit-link").nth(1)).to_be_focused()
