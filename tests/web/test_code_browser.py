"""The code view in a real browser: tree, links with cards, find, wrapping."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.stored import store_files

from .browser import open_page
from .conftest import Harbour

pytestmark = pytest.mark.django_db(transaction=True)
BASE = "/p/harbour/s/harbour-code/-/current/"
POST = 'def send(text: str) -> str:\n    """Send it."""\n    return text\n'
RUN = "from post import send\n\n\ndef run():\n    return send('send')\n"


@pytest.fixture
def page(
    browser: Browser, live_server: LiveServer, alice: Client, harbour: Harbour
) -> Iterator[Page]:
    store_files(harbour.ref, {"src/post.py": POST, "src/run.py": RUN})
    with open_page(browser, live_server.url, alice, width=1500) as opened:
        yield opened


def test_the_tree_by_keyboard_and_its_state_stays(page: Page) -> None:
    page.goto(f"{BASE}src/run.py")
    here = page.get_by_role("treeitem", name="run.py")
    expect(here).to_have_attribute("aria-current", "page")
    here.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("treeitem", name="src", exact=True)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(here).to_be_hidden()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("treeitem", name="案内.md")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/docs/"))
    expect(page.get_by_role("treeitem", name="run.py")).to_be_hidden()
    page.get_by_role("button", name="Files").click()
    page.reload()
    expect(page.get_by_role("tree")).to_be_hidden()
    expect(page.get_by_role("button", name="Files")).to_have_attribute(
        "aria-expanded", "false"
    )


def test_a_name_leads_to_its_definition_and_a_card_tells_of_it(page: Page) -> None:
    page.goto(f"{BASE}src/run.py")
    use = page.locator("#L5 + code a.code-use")
    expect(use).to_have_text("send")
    use.hover()
    card = page.locator("#dr-code-card")
    expect(card).to_contain_text("Send it.")
    card.get_by_role("link", name="Find references").click()
    references = page.get_by_role("region", name="References to send")
    expect(references).to_be_focused()
    expect(references.locator("a.use-line")).to_have_count(1)
    # By keyboard: one link is reached by Tab, arrows go on from there.
    page.locator("a.code-use[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(use).to_be_focused()
    expect(card).to_contain_text("Send it.")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/src/post\.py#L1$"))


def test_a_text_is_found_in_lines_that_are_not_loaded(
    page: Page, harbour: Harbour
) -> None:
    lines = [f"value_{n} = {n}\n" for n in range(1, 5_001)]
    lines[4_899] = "needle = 'Needle'\n"
    harbour.add_file("long.py", "".join(lines), "python", "code")
    page.goto(f"{BASE}long.py")
    expect(page.locator("#L4900")).to_have_count(0)
    page.keyboard.press("f")
    with page.expect_response(re.compile("text=needle$")):
        page.keyboard.type("needle")
    bar = page.locator("#dr-find output")
    expect(bar).to_have_text("1 of 2")
    expect(page.locator("#L4900")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(bar).to_have_text("2 of 2")
    page.keyboard.press("Shift+Enter")
    expect(bar).to_have_text("1 of 2")
    page.keyboard.press("Escape")
    expect(page.locator("#dr-find")).to_be_hidden()
    # Ctrl+F is the browser's: all lines come, so that it finds them.
    page.keyboard.press("Control+f")
    expect(page.locator(".code-gap")).to_have_count(0)


def test_long_lines_wrap_and_that_stays(page: Page, harbour: Harbour) -> None:
    words = " ".join(f"identifier_{n}" for n in range(60))
    harbour.add_file("wide.txt", f"{words}\n", "", "doc")
    page.goto(f"{BASE}wide.txt")
    toggle = page.get_by_role("button", name="Wrap long lines")
    height = page.locator(".code-line").bounding_box()
    assert height is not None
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    page.reload()
    wrapped = page.locator(".code-line").bounding_box()
    assert wrapped is not None
    assert wrapped["height"] > 2 * height["height"]
    broken = page.locator(".code-line code").evaluate(
        """code => {
          const node = code.firstChild, range = document.createRange();
          return [...node.data.matchAll(/\\w+/g)].filter(({ index, 0: word }) => {
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            return range.getClientRects().length > 1;
          }).length;
        }"""
    )
    assert broken == 0


def test_a_phone_shows_the_outline_when_asked(
    browser: Browser, live_server: LiveServer, alice: Client, harbour: Harbour
) -> None:
    url = "/p/harbour/s/harbour-code/-/current/docs/use.md"
    harbour.add_file("docs/use.md", "# Use\n\n## Start\n\nText.\n", "markdown", "doc")
    with open_page(browser, live_server.url, alice, width=390) as phone:
        phone.goto(url)
        start = phone.get_by_role("link", name="Start", exact=True)
        expect(phone.locator(".file-name")).to_have_text("use.md")
        expect(start).to_be_hidden()
        phone.get_by_role("button", name="Outline").click()
        expect(start).to_be_visible()


def test_a_filter_of_a_search_is_a_step_back(page: Page, indexed: Harbour) -> None:
    page.goto("/search?mode=keyword&q=Greeter")
    expect(page.locator(".hit").first).to_be_visible()
    page.locator("summary", has_text="Filters").click()
    page.get_by_label("Include generated and vendored").check()
    expect(page).to_have_url(re.compile("generated=on"))
    expect(page.locator("a.chip", has_text="Include generated")).to_be_visible()
    page.get_by_role("button", name="Show results").click()
    expect(page.locator(".filter-panel")).to_be_hidden()
    page.go_back()
    expect(page).not_to_have_url(re.compile("generated=on"))
    expect(page.locator(".hit").first).to_be_visible()
    page.locator("a.hit-link").first.click()
    page.goto("/search")
    recent = page.locator("[data-recent-searches] a")
    expect(recent).to_have_text("Greeter")
    recent.click()
    expect(page.locator(".hit").first).to_be_visible()


def test_a_kind_of_a_search_is_in_the_address(page: Page, indexed: Harbour) -> None:
    page.goto("/search?product=harbour")
    page.keyboard.type("Greeter")
    expect(page).to_have_url(re.compile("q=Greeter"))
    for label, kind in (("Docs", "doc"), ("Code", "code"), ("Docs", "doc")):
        page.locator("fieldset.chips label", has_text=label).click()
        expect(page).to_have_url(re.compile(f"q=Greeter.*kind={kind}"))
    page.reload()
    expect(page.get_by_role("radio", name="Docs")).to_be_checked()


def test_path_and_outline_name_the_definition_of_the_marked_line(
    page: Page, harbour: Harbour
) -> None:
    body = "".join(f"def f{n}():\n" + "    x = 1\n" * 20 + "\n\n" for n in range(6))
    store_files(harbour.ref, {"src/many.py": body})
    page.goto(f"{BASE}src/many.py#L47")
    scope = page.get_by_role("navigation", name="Enclosing definitions")
    expect(scope).to_have_text("f2")
    current = page.locator("#dr-outline [aria-current]")
    expect(current).to_contain_text("f2")
    page.locator("#dr-outline a[href='#L93']").click()
    expect(scope).to_have_text("f4")
    expect(current).to_contain_text("f4")
