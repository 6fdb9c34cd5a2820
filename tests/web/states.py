"""What opens on a page: dialogs, forms, messages; each with the way there."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from django.utils.translation import gettext, override
from playwright.sync_api import Locator, Page, expect

_WIKI = "/p/harbour/wiki/architecture"
_OLD = "/p/harbour/wiki-versions/1/pages/architecture"
_FILE = "/p/harbour/s/harbour-code/-/current/src/greeter.py"
_MISSING = "What is wrong or missing? The product’s maintainers can read this."


class State(NamedTuple):
    """open_: makes it appear and waits until it is there.

    is_phone, is_desktop: only there. within: what covers the page, if something does.
    """

    path: str
    open_: Callable[[Page], None]
    is_phone: bool = False
    is_desktop: bool = False
    within: str = ""

    def is_at(self, width: int) -> bool:
        """Return whether the state exists in a window this wide, in CSS pixels."""
        return not (self.is_phone if width > 400 else self.is_desktop)


class Translated:
    """A page in which controls are found by their English names in its language."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def __getattr__(self, name: str) -> Any:
        return getattr(self._page, name)

    def get_by_role(self, role: Any, *, name: str = "", **more: Any) -> Locator:
        wanted = {"name": self._said(name)} if name else {}
        return self._page.get_by_role(role, **wanted, **more)

    def get_by_label(self, text: str, **more: Any) -> Locator:
        return self._page.get_by_label(self._said(text), **more)

    def _said(self, text: str) -> str:
        language = self._page.locator("html").get_attribute("lang")
        with override(language):
            return gettext(text)


def open_state(page: Page, state: State) -> None:
    """Open a state on the page, whatever language it is in."""
    state.open_(cast("Page", Translated(page)))


def _palette(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("greet")
    expect(page.get_by_role("option", name="src/greeter.py").first).to_be_visible()


def _palette_without_hits(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("zzqqxx")
    expect(page.locator("[data-asked='zzqqxx']")).to_be_visible()


def _shortcuts(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def _recent(page: Page) -> None:
    page.goto(_FILE)
    page.goto("/p/harbour/")
    page.wait_for_function("document.hasFocus()")  # until then a key can get lost
    page.keyboard.press("Control+k")
    expect(page.locator("#dr-palette-recent-0")).to_be_visible()


def _account_menu(page: Page) -> None:
    page.locator(".account-menu > summary").press("Enter")
    expect(page.locator("[data-theme-form]")).to_be_visible()


def _candidates(page: Page) -> None:
    page.locator("#dr-member").fill("char")
    expect(page.locator("#dr-member-candidates option")).to_have_count(1)


def _menu(page: Page) -> None:
    page.locator("header details.menu > summary").first.press("Enter")
    expect(page.locator("header .menu-panel").first).to_be_visible()


def _toasts(page: Page) -> None:
    for kind in ("info", "success", "error"):
        told = {"message": f"It is {kind}", "kind": kind, "url": "/", "label": "Open"}
        page.evaluate(
            "detail => document.dispatchEvent(new CustomEvent('toast', {detail}))", told
        )
    expect(page.locator(".toast")).to_have_count(3)


def _drawer(page: Page) -> None:
    page.get_by_role("button", name="Pages").click()
    expect(page.locator(".wiki-side")).to_be_visible()


def _refused_location(page: Page) -> None:
    page.get_by_label("Git URL or path").fill("ext::sh -c x")
    page.get_by_role("button", name="Add and index").click()
    expect(page.locator("#dr-location-error")).to_be_visible()


def _refused_token(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill(" ")
    page.get_by_role("button", name="Create token").click()
    expect(page.locator("[aria-invalid=true]").first).to_be_visible()


def _note(page: Page) -> None:
    page.get_by_role("link", name="Add a note").first.press("Enter")
    expect(page.get_by_role("textbox", name="Your note")).to_be_visible()


def _remark(page: Page) -> None:
    page.get_by_role("link", name="Report a problem").first.press("Enter")
    expect(
        page.get_by_label("What is wrong, and what would be correct?")
    ).to_be_visible()


def _diagram(page: Page) -> None:
    full = page.get_by_role("button", name="Full size", exact=True)
    full.click()
    page.keyboard.press("+")
    expect(page.locator("dialog output")).to_have_text("140%")


def _diagram_source(page: Page) -> None:
    page.get_by_role("button", name="Source", exact=True).click()
    expect(page.locator(".mermaid-source")).to_be_visible()


def _citation(page: Page) -> None:
    page.locator("article .cite").first.hover()
    expect(page.locator("#dr-preview")).to_contain_text("src/greeter.py:5–6")


def _lists(page: Page) -> None:
    for each in page.locator("main details").all():
        each.evaluate("each => each.open = true")
    expect(page.locator(".stale-mark").first).to_be_attached()


def _marked_lines(page: Page) -> None:
    page.locator("#L2").click()
    page.locator("#L4").click(modifiers=["Shift"])
    expect(page.locator(".is-marked")).to_have_count(3)


def _definition(page: Page) -> None:
    outline = page.get_by_role("button", name="Outline")
    if outline.is_visible():  # there is no room beside the code
        outline.click()
    page.locator("a.outline-more").first.press("Enter")
    expect(page.get_by_role("region", name="Greeter", exact=True)).to_be_focused()


def _find_bar(page: Page) -> None:
    page.get_by_role("button", name="Find in this file").click()
    page.keyboard.type("greet")
    expect(page.locator("#dr-find output")).to_contain_text(re.compile(r"\d"))


def _card(page: Page) -> None:
    page.locator("a.definition").first.hover()
    expect(page.locator("#dr-code-card")).to_be_visible()


def _tree(page: Page) -> None:
    expect(page.get_by_role("treeitem", name="greeter.py")).to_be_visible()


def _versions(page: Page) -> None:
    page.locator(".version-menu > summary").press("Enter")
    expect(page.locator(".version-menu .menu-panel")).to_be_visible()


def _tree_drawer(page: Page) -> None:
    page.get_by_role("button", name="Files", exact=True).click()
    expect(page.get_by_role("treeitem", name="greeter.py")).to_be_visible()


def _completion(page: Page) -> None:
    page.keyboard.type("Greeter lang:py")
    expect(page.get_by_role("option", name="lang:python")).to_be_visible()


def _chosen_hit(page: Page) -> None:
    expect(page.locator(".hit-link").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".hit-link").first).to_be_focused()


def _answer(page: Page) -> None:
    page.locator("#dr-question").fill("Greeter greet?")
    page.keyboard.press("Enter")
    expect(page.locator("article[data-state=done]")).to_be_visible()
    page.get_by_role("link", name="Check again").click()
    expect(page.locator(".notice-ok")).to_be_visible()
    page.get_by_role("button", name="Not helpful").click()
    expect(page.get_by_label(_MISSING)).to_be_visible()
    for menu in page.locator("main details").all():
        menu.evaluate("each => each.open = true")


STATES = {
    "palette": State("/p/harbour/", _palette),
    "answer": State("/p/harbour/ask/", _answer),
    "palette without hits": State("/p/harbour/", _palette_without_hits),
    "shortcuts": State("/", _shortcuts),
    "menus": State("/p/harbour/", _menu, within="details[open]"),
    "recent things": State("/p/harbour/", _recent),
    "shortcuts of a file": State(_FILE, _shortcuts),
    "account menu": State("/", _account_menu),
    "account menu on a phone": State(_WIKI, _account_menu, is_phone=True),
    "members to add": State("/p/harbour/members/", _candidates),
    "toasts": State("/", _toasts),
    "drawer": State(_WIKI, _drawer, is_phone=True),
    "refused location": State("/", _refused_location),
    "refused token": State("/settings/tokens/", _refused_token),
    "note": State(_WIKI, _note),
    "remark": State(_WIKI, _remark),
    "diagram in full size": State(_WIKI, _diagram),
    "source of a diagram": State(_WIKI, _diagram_source),
    "citation": State(_WIKI, _citation),
    "citation of an older version": State(_OLD, _citation),
    "what changed": State(_WIKI, _lists),
    "marked lines": State(_FILE, _marked_lines),
    "definition beside its file": State(_FILE, _definition),
    "find in a file": State(_FILE, _find_bar),
    "card of a definition": State(_FILE, _card),
    "tree of files": State(_FILE, _tree, is_desktop=True),
    "versions": State(_FILE, _versions, within=".version-menu"),
    "tree of files on a phone": State(_FILE, _tree_drawer, is_phone=True),
    "completion": State("/search?mode=keyword", _completion),
    "chosen hit": State("/search?mode=keyword&q=Greeter", _chosen_hit),
}
