"""WCAG 2.2 AA as axe-core sees it, on each page and what opens there, in each theme."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from playwright.sync_api import Browser, Route
from playwright.sync_api import Page as BrowserPage
from pytest_django.live_server_helper import LiveServer

from devrag.ask.models import Conversation
from devrag.jobs.models import Job
from devrag.search.semantic.specs import ensure_active_spec
from devrag.web.errors import server_error
from devrag.wiki.models import Claim, Note, Page, SavedAnswer, Wiki
from tests.stored import add_secret

from .browser import Theme, open_page
from .conftest import Harbour
from .drafts import write_draft
from .states import STATES, open_state
from .test_browser import FILE, SYMBOL, WIKI

pytestmark = pytest.mark.django_db(transaction=True)
_OF_WHOLE_PAGES = {
    *("document-title", "html-has-lang", "landmark-one-main", "region"),
    "page-has-heading-one",
}
_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
_TOO_WIDE = """() => [...document.querySelectorAll("body *")]
    .filter(each => each.getBoundingClientRect().right > innerWidth)
    .map(each => `${each.tagName} ${each.className} ${each.textContent.slice(0, 40)}`)
    .slice(-5)"""
PAGES = (
    "/",
    "/p/harbour/",
    "/p/harbour/sources/",
    "/p/harbour/settings/",
    "/p/harbour/members/",
    "/p/harbour/digest/",
    "/p/harbour/audit/",
    "/p/harbour/conflicts/",
    "/p/harbour/outdated/",
    "/p/harbour/insights/",
    "/p/harbour/labels/",
    "/p/harbour/secrets/",
    "/p/harbour/delete/",
    "/p/harbour/s/harbour-code/",
    "/p/harbour/s/harbour-code/delete/",
    "/p/harbour/s/harbour-code/-/current/",
    FILE,
    FILE.replace("/-/", "/history/"),
    FILE.replace("/-/", "/blame/"),
    SYMBOL,
    WIKI,
    "/p/harbour/wiki-versions/",
    "/p/harbour/wiki-versions/1/",
    "/p/harbour/wiki-versions/1/pages/architecture",
    "/p/harbour/wiki-versions/compare/?from=1&to=1",
    "/p/harbour/wiki-versions/compare/?from=1&to=1&page=architecture.md",
    "/p/harbour/wiki-feedback/",
    "/p/harbour/wiki-notes/add/?language=en&place=architecture.md",
    "/search",
    "/search?q=greet",
    "/search?q=zzqqxx&mode=keyword",
    "/searches/",
    "/ask/",
    "/p/harbour/ask/",
    "/p/harbour/ask/?source=harbour-code&path=src/greeter.py&first=4&last=6",
    "/jobs/",
    "/settings/tokens/",
    "/settings/connect/",
    "/settings/models/",
    "/settings/account/",
    "/settings/account/two-step/",
    "/settings/account/passkeys/",
    "/settings/health/",
    "/sign-in/",
    "/admin/login/",
    "/error-403",
    "/error-404",
    "/error-500",
)


# All pages, widths and themes are looked at by the long tests below.
_MOST_READ = ("/", "/search?q=greet", "/p/harbour/wiki/architecture", "/p/harbour/ask/")


@pytest.fixture
def paths(
    wiki: Wiki,
    indexed: Harbour,
    make_job: Callable[..., Job],
    asked: Conversation,
) -> list[str]:
    """All pages, and those whose addresses have numbers."""
    ensure_active_spec()
    job = make_job(phase=1)
    failed = make_job(state="failed", error="Cannot reach git.example.", lane="other")
    page = Page.objects.get(path="architecture.md")
    run = make_job(kind="wiki", lane="wiki:harbour")
    write_draft(run, "architecture.md", "Architecture", "# Draft\n\nIt is [1](cite:1).")
    note = Note.objects.create(wiki=wiki, page_path=page.path, text="**Ask** them.")
    thread = f"/ask/{asked.uuid}/"
    add_saved_answer(wiki)
    add_secret(indexed.files["src/greeter.py"])
    return [
        *PAGES,
        thread,
        f"{thread}1/still-true/",
        f"{thread}1/page/",
        "/p/harbour/wiki/notes/greeting",
        *(f"/jobs/{each.pk}/" for each in (job, failed)),
        f"/p/harbour/wiki-feedback/{page.pk}/1/",
        f"/p/harbour/wiki-notes/{note.pk}/delete/",
        "/p/harbour/wiki-drafts/en/architecture",
        f"/p/harbour/wiki-claims/{page.claims.get().pk}/",
    ]


def add_saved_answer(wiki: Wiki) -> None:
    """Put a saved answer into the wiki whose cited lines are gone."""
    page = Page.objects.create(
        version=wiki.current,
        path="notes/greeting.md",
        ordinal=9,
        kind=Page.NOTE,
        title="Greeting",
        markdown="# Greeting\n\nIt greets.[1](cite:1)\n",
        fingerprint="f",
    )
    page.claims.create(
        ordinal=1,
        sentence="It greets.",
        source_name="harbour-code",
        path="gone.py",
        start_line=1,
        end_line=1,
        version_identifier="a" * 40,
        content_hash="b" * 64,
        excerpt="def greet(): ...",
    )
    SavedAnswer.objects.create(
        page=page, question="Who greets?", conversation=uuid4(), turn=1
    )


def _fulfill(body: bytes) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=body, content_type="text/html")


def _inspect(page: BrowserPage, path: str, width: int) -> dict[str, Any]:
    """Return what axe and a narrow window find at fault of a page."""
    page.goto(path)
    page.wait_for_load_state()
    return _find_faults(page, path, width)


def _find_faults(
    page: BrowserPage, path: str, width: int, within: str = ""
) -> dict[str, Any]:
    # How the makers of the administration lay out their pages is theirs.
    tags = _TAGS[:-1] if path.startswith("/admin/") else _TAGS
    rules = {"runOnly": {"type": "tag", "values": list(tags)}}
    found: dict[str, Any] = {
        f"{path}: {each['id']}": [node["target"] for node in each["nodes"]]
        for each in Axe().run(page, within or None, rules).response["violations"]
        # The lines of a citation are a part of the page around them.
        if "/wiki-claims/" not in path or each["id"] not in _OF_WHOLE_PAGES
    }
    if page.evaluate("document.documentElement.scrollWidth") > width:
        found[f"{path}: width"] = page.evaluate(_TOO_WIDE)
    return found


# 320 pixels: what is left of 1280 when a page is enlarged fourfold (WCAG 1.4.10).
# Each theme in each language, and both at each width.
_LOOKS = pytest.mark.parametrize(
    ("theme", "locale", "width"),
    [
        ("light", "en-US", 1280),
        ("dark", "en-US", 320),
        ("light", "ja-JP", 320),
        ("dark", "ja-JP", 1280),
    ],
)


@pytest.mark.slow
@_LOOKS
def test_no_page_has_a_violation(
    browser: Browser,
    live_server: LiveServer,
    alice: Client,
    bob: Client,
    paths: list[str],
    theme: Theme,
    locale: str,
    width: int,
) -> None:
    found: dict[str, Any] = {}
    look: dict[str, Any] = {"width": width, "theme": theme, "locale": locale}
    # As pages that came well: a browser complains of other answers by itself.
    errors = {
        "403": bob.get("/p/harbour/wiki-feedback/"),
        "404": alice.get("/nowhere"),
        "500": server_error(RequestFactory().get("/")),
    }
    url = live_server.url
    with open_page(browser, url, alice, **look) as page:
        for status, answer in errors.items():
            assert answer.status_code == int(status)
            page.route(f"**/error-{status}", _fulfill(answer.content))
        for path in paths:
            found |= _inspect(page, path, width)
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


@pytest.mark.slow
@_LOOKS
@pytest.mark.usefixtures("wiki", "indexed", "charlie")
# The live server of tests is no ASGI server: it sends a stream when it has ended.
@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume:Warning")
def test_nothing_that_opens_has_a_violation(
    browser: Browser,
    live_server: LiveServer,
    alice: Client,
    theme: Theme,
    locale: str,
    width: int,
) -> None:
    look: dict[str, Any] = {"width": width, "theme": theme, "locale": locale}
    Claim.objects.update(content_hash="of before", excerpt="what is gone")
    found: dict[str, Any] = {}
    with open_page(browser, live_server.url, alice, **look) as page:
        page.emulate_media(reduced_motion="reduce")  # nothing is half there
        for name, state in STATES.items():
            if not state.is_at(width):
                continue
            page.goto(state.path)
            page.wait_for_load_state()
            open_state(page, state)
            place = f"{state.path}: {name}"
            found |= _find_faults(page, place, width, state.within)
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


@pytest.mark.usefixtures("wiki", "indexed")
def test_the_pages_read_most_have_no_violation(
    browser: Browser, live_server: LiveServer, alice: Client
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        found = [_inspect(page, path, 1280) for path in _MOST_READ]
    assert found == [{}] * len(_MOST_READ)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_menu_of_a_stranger_has_no_violation(
    browser: Browser, live_server: LiveServer, theme: Theme
) -> None:
    context = browser.new_context(base_url=live_server.url, color_scheme=theme)
    page = context.new_page()
    page.goto("/sign-in/")
    open_state(page, STATES["account menu"])
    assert not _find_faults(page, "/sign-in/", 1280)
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_first_page_has_no_violation(
    browser: Browser, live_server: LiveServer, theme: Theme
) -> None:
    root = Client(HTTP_HOST="localhost")
    root.force_login(User.objects.create_superuser("root"))
    with open_page(browser, live_server.url, root, width=320, theme=theme) as page:
        assert not _inspect(page, "/", 320)


@pytest.mark.slow
def test_who_wants_no_motion_gets_none(
    browser: Browser,
    live_server: LiveServer,
    alice: Client,
    make_job: Callable[..., Job],
) -> None:
    with open_page(browser, live_server.url, alice) as page:
        page.emulate_media(reduced_motion="reduce")
        page.goto(f"/jobs/{make_job().pk}/")
        spinner = page.locator(".spinner").first
        seconds = spinner.evaluate("each => getComputedStyle(each).animationDuration")
        assert float(seconds.removesuffix("s")) < 0.001
