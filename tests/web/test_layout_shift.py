"""Nothing on the pages read most jumps while they load."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from devrag.wiki.models import Wiki

from .browser import open_page
from .conftest import Harbour

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
# The sum of layout shifts; "good" ends at 0.1 (https://web.dev/articles/cls).
MOST = 0.02
_OBSERVE = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    const names = entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120));
    window.shifts.push({ value: entry.value, names });
  }
}).observe({ type: "layout-shift", buffered: true });
"""
_TWO_FRAMES = """
new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
"""
PAGES = (
    "/",
    "/p/harbour/",
    "/p/harbour/wiki/architecture",
    "/search?q=Greeter&mode=keyword",
    "/p/harbour/s/harbour-code/-/current/src/greeter.py",
    "/p/harbour/ask/",
)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("path", PAGES)
def test_nothing_jumps(
    browser: Browser,
    live_server: LiveServer,
    alice: Client,
    indexed: Harbour,
    wiki: Wiki,
    path: str,
    width: int,
) -> None:
    with open_page(browser, live_server.url, alice, width=width) as page:
        page.add_init_script(_OBSERVE)
        page.goto(path)
        page.wait_for_load_state("networkidle")
        # Two frames: what was laid out last is reported then.
        page.evaluate(_TWO_FRAMES)
        shifts = page.evaluate("window.shifts")
        assert sum(each["value"] for each in shifts) <= MOST, shifts


def test_a_jump_is_noticed(
    browser: Browser, live_server: LiveServer, alice: Client, indexed: Harbour
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        page.add_init_script(_OBSERVE)
        page.goto("/p/harbour/")
        page.evaluate(_TWO_FRAMES)
        page.evaluate("document.querySelector('main').style.marginTop = '300px'")
        page.wait_for_function("window.shifts.length > 0")
        assert page.evaluate("window.shifts.map(s => s.value)")[-1] > MOST
