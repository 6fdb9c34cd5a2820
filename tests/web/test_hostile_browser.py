"""The same hostile content in a browser: no script of it runs, nothing is refused."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from devrag.wiki.models import Wiki

from .browser import open_page
from .conftest import Harbour
from .test_hostile import PAYLOADS, plant

pytestmark = pytest.mark.django_db(transaction=True)
# Right to left, and a name that is longer than a screen is wide.
LONG = "\u202eמחסן " + "x" * 290


@pytest.mark.slow
def test_no_script_of_content_runs(
    browser: Browser,
    live_server: LiveServer,
    alice: Client,
    indexed: Harbour,
    wiki: Wiki,
) -> None:
    pages = plant(indexed, wiki, "".join(PAYLOADS[:3]))
    # A page that asks in vain complains of it by itself.
    with open_page(browser, live_server.url, alice) as page:
        for url in pages[:-1]:
            page.goto(url)
            page.wait_for_load_state("networkidle")
            assert page.evaluate("typeof pwned") == "undefined", url
        page.goto("/p/harbour/wiki/architecture")
        expect(page.locator(".mermaid-figure[data-state]")).to_be_visible()
        page.locator("article a.cite").first.focus()
        page.keyboard.press("Control+k")
        page.keyboard.type("<script>pwned=1</script>")
        expect(page.get_by_role("option", name="Search for")).to_be_visible()
        assert page.evaluate("typeof pwned") == "undefined"


@pytest.mark.slow
def test_long_and_right_to_left_names_stay_in_their_place(
    browser: Browser,
    live_server: LiveServer,
    alice: Client,
    indexed: Harbour,
    wiki: Wiki,
) -> None:
    pages = plant(indexed, wiki, LONG[:150])
    parts = ("/preview/", "/wiki-claims/", "/palette", "/complete")
    wide = {}
    with open_page(browser, live_server.url, alice, width=390) as page:
        for url in pages[:-1]:
            if any(part in url for part in parts):
                continue  # a fragment: the page around it holds it
            page.goto(url)
            pixels = page.evaluate("document.documentElement.scrollWidth")
            if pixels > 390:
                wide[url] = pixels
    assert wide == {}


@pytest.mark.slow
@pytest.mark.parametrize("url", ["/admin/", "/admin/jobs/job/", "/api/v1/docs"])
def test_pages_of_other_makers_keep_to_the_policy(
    browser: Browser, live_server: LiveServer, db: None, url: str
) -> None:
    root = Client(HTTP_HOST="localhost")
    root.force_login(User.objects.create_superuser("root"))
    with open_page(browser, live_server.url, root) as page:
        page.goto(url)
        page.wait_for_load_state("networkidle")
        expect(page.locator("body")).to_contain_text("devrag")
