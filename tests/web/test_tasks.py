"""What people come for, by keyboard alone: eight tasks from the first page on."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from devrag.access.services import principal_of_token
from devrag.jobs.models import OPEN_STATES, Job
from devrag.search.lexical.follower import catch_up
from devrag.use_cases.add_repository import add_repository
from devrag.wiki.models import Version, Wiki
from tests.conftest import Repository
from tests.people import principal

from .browser import open_page
from .conftest import COMMIT, Harbour

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
RunJob = Callable[[Job], Job]


@pytest.fixture
def root(db: None) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    return client


def tab_to(wanted: Locator) -> None:
    """Press Tab until it has the focus; then one sees where one is."""
    expect(wanted).to_be_visible()
    for _ in range(150):
        wanted.page.keyboard.press("Tab")
        if wanted.evaluate("each => each === document.activeElement"):
            seen = "each => getComputedStyle(each).outlineStyle !== 'none'"
            box = "each => getComputedStyle(each.closest('.input') || each).boxShadow"
            assert wanted.evaluate(seen) or wanted.evaluate(box) != "none"
            return
    raise AssertionError(f"no way by keyboard to {wanted}")


def link(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("link", name=name).first


def run_open_jobs(run_job: RunJob, settings: Any, *kinds: str) -> None:
    """Do what workers would do; in a thread, which has no event loop of a browser."""

    def work() -> None:
        for kind in kinds:
            run_job(Job.objects.get(kind=kind, state__in=OPEN_STATES))
            catch_up(settings.LEXICAL_DIR)
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()


def test_a_repository_is_added(
    browser: Browser,
    live_server: LiveServer,
    root: Client,
    shop: Repository,
    run_job: RunJob,
    settings: Any,
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    with open_page(browser, live_server.url, root, theme="dark") as page:
        page.goto("/")
        tab_to(page.get_by_label("Git URL or path"))
        page.keyboard.type(str(shop.path))
        page.keyboard.press("Enter")
        expect(page.get_by_text("Indexing …")).to_be_visible()
        run_open_jobs(run_job, settings, "index")
        box = page.locator("#dr-first [data-search-input]")
        expect(box).to_be_enabled()
        run_open_jobs(run_job, settings, "wiki")
        expect(link(page, "Read the wiki")).to_be_visible()
        tab_to(link(page, "Read the wiki"))
        page.keyboard.press("Enter")
        expect(page.locator(".page-title h1")).to_contain_text("Shop", ignore_case=True)


def test_where_something_is_handled_is_found(
    browser: Browser, live_server: LiveServer, bob: Client, indexed: Harbour
) -> None:
    with open_page(browser, live_server.url, bob) as page:
        page.goto("/")
        page.keyboard.press("/")
        page.keyboard.type("greet")
        page.keyboard.press("Enter")
        expect(page.locator(".hit").first).to_be_visible()
        page.wait_for_load_state()
        page.keyboard.press("ArrowDown")
        expect(page.locator(".hit-link").first).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".code-line.is-marked").first).to_be_visible()


@pytest.mark.usefixtures("wiki")
def test_a_flow_is_explained_from_the_wiki(
    browser: Browser, live_server: LiveServer, bob: Client
) -> None:
    with open_page(browser, live_server.url, bob, width=390, theme="dark") as page:
        page.goto("/p/harbour/")
        tab_to(link(page, "Read the wiki"))
        page.keyboard.press("Enter")
        page.wait_for_url("**/wiki/")
        page.wait_for_load_state()
        tab_to(page.get_by_role("button", name="Pages"))
        page.keyboard.press("Enter")
        tab_to(page.locator(".wiki-side").get_by_role("link", name="Architecture"))
        page.keyboard.press("Enter")
        page.wait_for_url("**/wiki/architecture")
        page.wait_for_load_state()
        tab_to(page.locator("article a.cite"))
        expect(page.locator("#dr-preview")).to_contain_text("src/greeter.py:5–6")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(rf"/{COMMIT}/src/greeter.py#L5-L6$"))
        expect(page.locator(".code-line.is-marked")).to_have_count(2)


def test_a_wiki_is_written_again_and_compared(
    browser: Browser,
    live_server: LiveServer,
    root: Client,
    shop: Repository,
    run_job: RunJob,
    settings: Any,
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    asking = principal(User.objects.get(username="root"))
    add_repository(principal=asking, location=str(shop.path), product_name="shop")
    run_open_jobs(run_job, settings, "index", "wiki")
    shop.commit({"shop/gift.py": 'def wrap(item):\n    """Wrap a gift."""\n'})
    with open_page(browser, live_server.url, root) as page:
        page.goto("/p/shop/s/shop/")
        tab_to(page.get_by_role("button", name="Index now"))
        page.keyboard.press("Enter")
        page.wait_for_url("**/jobs/**")
        run_open_jobs(run_job, settings, "index")
        page.goto("/p/shop/wiki/")
        tab_to(page.locator("summary", has_text="Update"))
        page.keyboard.press("Enter")
        tab_to(page.get_by_role("button", name="Update the wiki"))
        page.keyboard.press("Enter")
        expect(page.locator("#dr-job-strip")).to_be_visible()
        run_open_jobs(run_job, settings, "wiki")
        expect(page.locator("#dr-job-strip")).to_have_count(0)
        tab_to(link(page, "All versions"))
        page.keyboard.press("Enter")
        tab_to(link(page, "Changes"))
        page.keyboard.press("Enter")
        expect(page.get_by_text(re.compile("pages? changed"))).to_be_visible()


def test_an_agent_is_connected(
    browser: Browser, live_server: LiveServer, bob: Client
) -> None:
    with open_page(browser, live_server.url, bob, width=390) as page:
        page.goto("/")
        page.keyboard.press("Control+k")
        page.keyboard.type("connect")
        option = page.get_by_role("option", name="Connect an agent")
        expect(option).to_have_attribute("aria-selected", "true")
        page.keyboard.press("Enter")
        page.wait_for_url("**/settings/connect/")
        tab_to(link(page, "Create one"))
        page.keyboard.press("Enter")
        tab_to(page.get_by_label("Name", exact=True))
        page.keyboard.type("laptop")
        page.keyboard.press("Enter")
        copy = page.get_by_role("button", name="Copy", exact=True)
        expect(copy).to_be_visible()
        page.wait_for_load_state()
        tab_to(copy)
        page.keyboard.press("Enter")
        expect(page.locator(".toast")).to_have_text("Copied.")
        secret = page.evaluate("navigator.clipboard.readText()")
        assert principal_of_token(secret) is not None
        tab_to(page.get_by_text("Paste it into an agent"))
        page.keyboard.press("Enter")
        expect(page.locator("#dr-claude-code-http")).to_contain_text(secret)


# The live server of tests is no ASGI server: it sends a stream when it has ended.
@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume:Warning")
def test_a_question_is_asked_and_its_evidence_opened(
    browser: Browser, live_server: LiveServer, bob: Client, indexed: Harbour
) -> None:
    with open_page(browser, live_server.url, bob) as page:
        page.goto("/p/harbour/")
        page.keyboard.press("a")
        page.wait_for_url("**/p/harbour/ask/")
        expect(page.locator("#dr-question")).to_be_focused()
        page.keyboard.type("Where does Greeter greet?")
        page.keyboard.press("Enter")
        answer = page.locator("article[data-state=done]")
        expect(answer).to_be_focused()
        tab_to(page.locator("[data-evidence] a").first)
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(r"/p/harbour/s/harbour-code/.+"))


def test_two_versions_of_a_wiki_are_compared(
    browser: Browser, live_server: LiveServer, bob: Client, wiki: Wiki
) -> None:
    add_version(wiki)
    with open_page(browser, live_server.url, bob, theme="dark") as page:
        page.goto("/p/harbour/")
        tab_to(link(page, "Wiki"))
        page.keyboard.press("Enter")
        page.wait_for_url("**/wiki/")
        page.wait_for_load_state()
        tab_to(link(page, "All versions"))
        page.keyboard.press("Enter")
        page.wait_for_load_state()
        tab_to(page.get_by_role("button", name="Compare"))
        page.keyboard.press("Enter")
        page.wait_for_url("**/compare/**")
        tab_to(page.get_by_role("main").get_by_role("link", name="Overview"))
        page.keyboard.press("Enter")
        expect(page.get_by_text("Read on and on.").first).to_be_visible()


def add_version(wiki: Wiki) -> None:
    """Publish a second version in which the overview says more."""
    first = wiki.current
    assert first is not None
    second = Version.objects.create(
        wiki=wiki, number=2, writer="structural", sources=first.sources
    )
    for page in first.pages.all():
        text = page.markdown.replace("Read on.", "Read on and on.")
        page.pk, page.version, page.markdown = None, second, text
        page.save()
    wiki.current = second
    wiki.save(update_fields=["current"])


@pytest.mark.usefixtures("wiki")
def test_a_page_of_the_wiki_is_exported(
    browser: Browser, live_server: LiveServer, bob: Client
) -> None:
    with open_page(browser, live_server.url, bob) as page:
        page.goto("/p/harbour/wiki/architecture")
        tab_to(page.locator("summary", has_text="Export"))
        page.keyboard.press("Enter")
        tab_to(link(page, "View as Markdown"))
        page.keyboard.press("Enter")
        page.wait_for_url("**/architecture.md")
        expect(page.get_by_text("It greets.")).to_be_visible()
