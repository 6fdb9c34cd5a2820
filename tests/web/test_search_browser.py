"""The search page in a real browser: as one types, by keyboard, and its hits."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from devrag.search.models import SearchLog
from tests.waiting import wait_until

from .browser import open_page
from .conftest import Harbour

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(browser: Browser, live_server: LiveServer, alice: Client) -> Iterator[Page]:
    with open_page(browser, live_server.url, alice) as opened:
        yield opened


def test_search_as_you_type_and_by_keyboard(page: Page, indexed: Harbour) -> None:
    page.goto("/search?mode=keyword")
    expect(page.get_by_role("combobox", name="Search")).to_be_focused()
    page.keyboard.type("Greet")
    expect(page.locator(".hit")).to_have_count(1)
    page.keyboard.type("er")
    expect(page).to_have_url(re.compile("mode=keyword.*q=Greeter|q=Greeter.*keyword"))
    page.keyboard.press("ArrowDown")
    expect(page.locator(".hit-link")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"greeter\.py#L4$"))


def test_what_is_typed_before_the_scripts_ran_is_searched_for(
    page: Page, indexed: Harbour
) -> None:
    page.add_init_script(
        """document.addEventListener("readystatechange", () => {
             if (document.readyState !== "interactive") return;
             const box = document.getElementById("dr-q");
             box.value = "Greeter";
             box.dispatchEvent(new Event("input", { bubbles: true }));
           })"""
    )
    page.goto("/search?mode=keyword")
    expect(page.locator(".hit")).to_have_count(1)


@pytest.mark.slow
def test_opening_a_hit_tells_its_rank(page: Page, indexed: Harbour) -> None:
    page.goto("/search?mode=keyword&q=Greeter")
    page.locator("a.hit-link").first.click()
    expect(page).to_have_url(re.compile("/p/harbour/"))
    wait_until(lambda: SearchLog.objects.get().clicked_rank == 1)


@pytest.mark.slow
def test_numbers_of_lines_that_are_only_near_have_no_strip_of_their_own(
    page: Page, indexed: Harbour
) -> None:
    page.goto("/search?q=greeter_absent")
    number = page.locator(".hits-low .line-number").first
    colour = "each => getComputedStyle(each).backgroundColor"
    assert number.evaluate(colour) == page.locator("body").evaluate(colour)
