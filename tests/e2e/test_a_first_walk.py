"""The first minutes of a person, in a browser; it wants the empty dashboard.

Its name makes it the first module of the folder.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from playwright.sync_api import Browser, Page, expect

from tests.conftest import SHOP, Repository
from tests.web.browser import watch

from .instance import Instance

pytestmark = pytest.mark.xdist_group("e2e")
PASSWORD = Path("run", "admin_password")
_OTHERS = ("claude-desktop", "vs-code")


@pytest.fixture(scope="module")
def page(instance: Instance, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(base_url=instance.url)
    with watch(context.new_page()) as page:
        yield page
    context.close()


@pytest.fixture(scope="module")
def walked(instance: Instance, page: Page) -> Page:
    """From the empty dashboard to a finished job, by hand."""
    source = Repository(instance.sources / "tea")
    source.commit(dict(SHOP), "Open the shop")
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Code search")
    page.get_by_label("Git URL or path").fill(str(source.path))
    page.get_by_role("button", name="Add and index").click()
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill((instance.home / PASSWORD).read_text())
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Git URL or path")).to_have_value(str(source.path))
    page.get_by_role("button", name="Add and index").click()
    expect(page.locator("#dr-first")).to_be_visible()
    return page


def test_the_first_page_follows_the_repository_to_its_wiki(walked: Page) -> None:
    written = walked.get_by_role("heading", name="The wiki is ready")
    expect(written).to_be_visible(timeout=60_000)
    expect(walked.get_by_role("heading", name="Searchable")).to_be_visible()
    expect(walked.get_by_role("link", name="Read the wiki")).to_be_visible()


def test_a_job_tells_its_phases(walked: Page) -> None:
    walked.goto("/jobs/")
    walked.get_by_role("link", name="Index tea").first.click()
    expect(walked.get_by_role("heading", name="Phases")).to_be_visible()
    state = walked.locator(".job-state")
    expect(state.get_by_text("completed", exact=True)).to_be_visible()
    expect(walked.get_by_text("Activate")).to_be_visible()


def test_the_dashboard_shows_the_index_and_leads_to_the_wiki(
    walked: Page,
) -> None:
    walked.goto("/")
    foot = walked.locator(".product-card .card-foot")
    expect(foot).to_contain_text("indexed")
    expect(foot).not_to_contain_text("no wiki yet", timeout=60_000)
    expect(foot.locator("time")).to_have_count(1)
    expect(foot.get_by_role("link", name="Wiki")).to_be_visible()


def test_the_wiki_of_the_product_opens(walked: Page) -> None:
    walked.goto("/")
    walked.locator(".product-card").get_by_role("link", name="Wiki").click()
    expect(walked).to_have_url(re.compile(r"/p/tea/wiki/$"))
    expect(walked.locator(".page-title h1")).to_be_visible()


def test_the_architecture_has_a_drawn_diagram(walked: Page) -> None:
    walked.goto("/p/tea/wiki/architecture")
    picture = walked.locator(".mermaid-canvas img").first
    expect(picture).to_be_visible()
    assert picture.evaluate(
        "image => image.complete && image.naturalWidth * image.naturalHeight"
    )
    box = picture.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) > 0


def test_a_citation_leads_to_its_lines(walked: Page) -> None:
    walked.goto("/p/tea/wiki/architecture")
    walked.locator("article .cite").first.click()
    expect(walked).to_have_url(re.compile(r"/-/[0-9a-f]{40}/.+#L\d+"))
    expect(walked.locator(".code-line.is-marked").first).to_be_visible()


def test_the_search_finds_a_symbol(walked: Page) -> None:
    walked.goto("/search?mode=keyword")
    walked.locator("main [data-search-input]").fill("checkout")
    first = walked.locator(".hit-link").first
    expect(first).to_contain_text("cart.py")


@pytest.mark.parametrize(
    "program",
    ["cursor", *(pytest.param(p, marks=pytest.mark.slow) for p in _OTHERS)],
)
def test_an_agent_starts_as_the_page_says(
    walked: Page, instance: Instance, program: str
) -> None:
    walked.goto("/settings/connect/")
    written = walked.locator(f"#dr-{program}-stdio").text_content()
    (servers,) = json.loads(written or "").values()
    server = servers["devrag"]
    # Nothing but what is written leads it here.
    env = {key: os.environ[key] for key in ("PATH", "HOME")} | server["env"]
    command = StdioServerParameters(
        command=server["command"], args=server["args"], env=env
    )

    async def ask() -> Any:
        async with Client(stdio_client(command)) as client:
            return await client.call_tool("list_collections", {})

    with ThreadPoolExecutor(1) as beside:  # the browser's loop runs in this thread
        found = beside.submit(anyio.run, ask).result()
    names = {each["name"] for each in found.structured_content["collections"]}
    assert "tea" in names


def test_writing_again_makes_a_job_and_reloads_when_done(walked: Page) -> None:
    jobs = walked.locator("main .list > li")
    walked.goto("/jobs/")
    before = jobs.count()
    walked.goto("/p/tea/wiki/")
    walked.locator("summary", has_text="Update").click()
    walked.get_by_role("button", name="Update the wiki").click()
    expect(walked.locator("#dr-job-strip")).to_contain_text(
        "The new version appears here"
    )
    # Only a reload takes the strip away.
    expect(walked.locator("#dr-job-strip")).to_have_count(0, timeout=60_000)
    walked.goto("/jobs/")
    expect(jobs).to_have_count(before + 1)
