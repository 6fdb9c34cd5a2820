"""Reading a wiki in a real browser: cited lines, notes and remarks in place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from devrag.wiki.models import Feedback, Note, Wiki

from .browser import open_page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
WIKI = "/p/harbour/wiki/architecture"


@pytest.fixture
def page(
    browser: Browser, live_server: LiveServer, alice: Client, wiki: Wiki
) -> Iterator[Page]:
    with open_page(browser, live_server.url, alice) as opened:
        opened.goto(WIKI)
        yield opened


def test_a_citation_shows_its_lines_until_escape(page: Page) -> None:
    chip, lines = page.locator("article .cite").first, page.locator("#dr-preview")
    chip.hover()
    expect(lines).to_contain_text("src/greeter.py:5–6")
    page.keyboard.press("Escape")
    expect(lines).to_be_hidden()
    page.keyboard.press("Tab")
    chip.focus()
    expect(lines).to_be_visible()
    expect(chip).to_have_attribute("aria-describedby", "dr-preview-head")


def test_a_remark_and_a_note_are_written_in_place(page: Page) -> None:
    page.get_by_role("link", name="Report a problem").first.press("Enter")
    page.get_by_label("What is wrong").fill("It waves.")
    page.get_by_role("button", name="Send report").click()
    expect(page.get_by_role("status").filter(has_text="Thank you")).to_be_visible()
    assert Feedback.objects.get().remark == "It waves."
    page.get_by_role("link", name="Add a note").nth(1).press("Enter")
    page.get_by_label("Your note").fill("Ask the crane team.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("complementary", name="Note")).to_be_focused()
    assert Note.objects.get().anchor == "the-graph"


def test_what_was_typed_is_there_after_a_reload(page: Page) -> None:
    add, note = page.get_by_role("link", name="Add a note"), page.get_by_label("Your")
    add.first.press("Enter")
    note.fill("Ask the crane team.")
    page.reload()
    add.first.press("Enter")
    expect(note).to_have_value("Ask the crane team.")


def test_a_closed_branch_stays_closed(page: Page) -> None:
    page.goto("/p/harbour/wiki/")
    below = page.get_by_role("navigation", name="Wiki pages").get_by_role(
        "link", name="Greeting"
    )
    expect(below).to_be_visible()
    branch = page.locator("[data-branch='architecture.md'] > summary")
    branch.press("Enter")
    expect(below).to_be_hidden()
    page.reload()
    expect(below).to_be_hidden()
    # Who reads a page sees where it stands.
    page.goto("/p/harbour/wiki/features/greeting")
    expect(below).to_be_visible()


def test_a_link_to_a_heading_is_copied(page: Page) -> None:
    page.locator("a.heading-link[href='#the-graph']").press("Enter")
    expect(page.locator(".toast-success")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith("/p/harbour/wiki/architecture#the-graph")


def test_a_diagram_never_shows_its_source_before_it_is_drawn(page: Page) -> None:
    seen = page.evaluate(
        """async () => {
          const figure = document.querySelector("figure.mermaid-figure");
          figure.removeAttribute("data-state");
          return [getComputedStyle(figure.querySelector("pre")).display,
                  figure.getBoundingClientRect().height > 100];
        }"""
    )
    assert seen == ["none", True]


def test_a_touch_screen_has_one_menu_for_each_block(
    browser: Browser, live_server: LiveServer, alice: Client, wiki: Wiki
) -> None:
    with open_page(browser, live_server.url, alice, width=390, is_touch=True) as opened:
        opened.goto(WIKI)
        expect(opened.locator(".block-tools > .block-tool")).to_have_count(0)
        tools = opened.locator(".block-tools:not(.heading-tools)").first
        report = tools.get_by_role("link", name="Report a problem")
        expect(report).to_be_hidden()
        tools.locator("summary").tap()
        report.tap()
        expect(tools.get_by_role("button", name="Send report")).to_be_visible()
        assert opened.evaluate("document.documentElement.scrollWidth") <= 390
