"""The pages in a real browser: scripts, policy, keyboard, phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, Request, Route, expect
from pytest_django.live_server_helper import LiveServer

from devrag.core.hashing import stable_uuid
from devrag.jobs.models import Job
from devrag.sources.models import Symbol
from devrag.wiki.models import Wiki
from tests.stored import add_symbol
from tests.waiting import wait_until

from .browser import open_page
from .conftest import COMMIT, Harbour

pytestmark = pytest.mark.django_db(transaction=True)
FILE = "/p/harbour/s/harbour-code/-/current/src/greeter.py"
SYMBOL = f"/p/harbour/s/harbour-code/symbol/current/{stable_uuid('Greeter')}/"
WIKI = "/p/harbour/wiki/architecture"


@pytest.fixture
def page(browser: Browser, live_server: LiveServer, alice: Client) -> Iterator[Page]:
    with open_page(browser, live_server.url, alice) as opened:
        yield opened


@pytest.fixture
def phone(browser: Browser, live_server: LiveServer, alice: Client) -> Iterator[Page]:
    with open_page(browser, live_server.url, alice, width=390) as opened:
        yield opened


def test_a_wiki_without_pages_has_no_script_error(page: Page, harbour: Harbour) -> None:
    page.goto("/p/harbour/wiki/")
    expect(page.get_by_role("heading", name="Harbour has no wiki yet")).to_be_visible()


def test_a_diagram_is_drawn_under_the_strict_policy(page: Page, wiki: Wiki) -> None:
    page.goto(WIKI)
    picture = page.locator(".mermaid-canvas img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 50")
    source = page.locator(".mermaid-source")
    expect(source).to_be_hidden()
    page.get_by_role("button", name="Source", exact=True).click()
    expect(source).to_be_visible()


@pytest.mark.slow
def test_a_node_of_a_diagram_leads_to_its_page(page: Page, wiki: Wiki) -> None:
    architecture = wiki.current.pages.get(path="architecture.md")
    diagram = '```mermaid\nflowchart TD\n  a["Client"] --> b["Greeting"]\n'
    diagram += '  click b href "features/greeting.md"\n```'
    architecture.markdown = f"# Architecture\n\n{diagram}\n"
    architecture.save()
    page.goto(WIKI)
    drawn = page.locator(".mermaid-canvas img")
    expect(drawn).to_be_visible()
    assert drawn.evaluate("image => image.decode().then(() => image.naturalWidth > 50)")
    link = page.get_by_role("link", name="Greeting").and_(page.locator("[data-node]"))
    expect(link).to_have_css("position", "absolute")
    picture = page.locator(".mermaid-canvas img").bounding_box()
    box = link.bounding_box()
    assert picture is not None
    assert box is not None
    assert picture["y"] + picture["height"] / 2 < box["y"]  # below the other node
    assert box["y"] + box["height"] <= picture["y"] + picture["height"] + 1
    link.click()
    expect(page).to_have_url(re.compile(r"/p/harbour/wiki/features/greeting$"))


@pytest.mark.slow
def test_a_diagram_opens_in_full_size(page: Page, wiki: Wiki) -> None:
    page.goto(WIKI)
    page.get_by_role("button", name="Full size", exact=True).click()
    expect(page.locator("dialog img")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


@pytest.mark.slow
def test_a_diagram_is_sized_and_moved_by_keyboard_and_mouse(
    page: Page, wiki: Wiki
) -> None:
    page.goto(WIKI)
    page.get_by_role("button", name="Full size", exact=True).click()
    image, level = page.locator("dialog img"), page.locator("dialog output")
    expect(level).to_have_text("100%")
    whole = image.bounding_box()
    assert whole is not None
    for _ in range(3):
        page.keyboard.press("+")
    expect(level).to_have_text("274%")
    before = _left(page)
    page.keyboard.press("ArrowRight")
    assert _left(page) == pytest.approx(before + 80, abs=1)
    page.mouse.move(600, 400)
    page.mouse.down()
    page.mouse.move(700, 400)
    page.mouse.up()
    assert _left(page) == pytest.approx(before - 20, abs=1)
    expect(level).to_have_text("274%")  # a drag is no click
    page.keyboard.press("-")
    expect(level).to_have_text("196%")
    page.keyboard.press("0")
    assert image.bounding_box() == whole
    page.mouse.click(whole["x"] + whole["width"] / 2, whole["y"] + whole["height"] / 2)
    expect(level).to_have_text("250%")


def test_a_citation_opens_the_lines_marked(page: Page, wiki: Wiki) -> None:
    page.goto(WIKI)
    page.locator("article .cite").first.click()
    expect(page).to_have_url(re.compile(rf"/{COMMIT}/src/greeter.py#L5-L6$"))
    expect(page.locator(".code-line.is-marked")).to_have_count(2)


@pytest.mark.slow
def test_the_contents_follow_the_reader(page: Page, wiki: Wiki) -> None:
    wiki.current.pages.filter(path="architecture.md").update(  # type: ignore[union-attr]
        markdown="# A\n\n"
        + "".join(f"## Part {n}\n\n{'word ' * 900}\n" for n in (1, 2))
    )
    page.set_viewport_size({"width": 1500, "height": 800})
    page.goto(WIKI)
    current = page.locator("[data-toc] [aria-current]:visible")
    expect(current).to_have_text("Part 1")
    page.mouse.wheel(0, 20_000)
    expect(current).to_have_text("Part 2")


@pytest.mark.slow
def test_lines_are_chosen_by_click_and_shift_click(page: Page) -> None:
    page.goto(FILE)
    page.locator("#L2").click()
    expect(page).to_have_url(re.compile(r"#L2$"))
    page.locator("#L4").click(modifiers=["Shift"])
    expect(page).to_have_url(re.compile(r"#L2-L4$"))
    expect(page.locator(".is-marked")).to_have_count(3)


@pytest.mark.slow
def test_a_definition_opens_beside_its_file_and_takes_the_focus(page: Page) -> None:
    page.goto(FILE)
    page.get_by_role("link", name="What uses Greeter, and what it uses").press("Enter")
    summary = page.get_by_role("region", name="Greeter", exact=True)
    expect(summary).to_be_focused()
    summary.get_by_role("link", name="Open the page of Greeter").click()
    expect(page.get_by_role("heading", name="Greeter", exact=True)).to_be_visible()


@pytest.mark.slow
def test_a_name_in_the_code_opens_it_beside_the_file(page: Page) -> None:
    page.goto(FILE)
    page.locator("a.definition", has_text="Greeter").click()
    expect(page.get_by_role("region", name="Greeter", exact=True)).to_be_focused()
    expect(page).to_have_url(re.compile(r"greeter\.py$"))


@pytest.mark.slow
def test_the_permalink_has_commit_and_lines(page: Page) -> None:
    page.goto(f"{FILE}#L2-L4")
    page.get_by_role("button", name="Permalink").click()
    expect(page.locator(".toast")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith(f"/-/{COMMIT}/src/greeter.py#L2-L4")


def test_a_copied_wiki_page_is_its_text_alone(page: Page, wiki: Wiki) -> None:
    page.goto(WIKI)
    page.get_by_text("Export", exact=True).click()
    page.locator("button[data-copy-url]").click()
    expect(page.locator(".toast")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("# Architecture")
    assert "untrusted" not in copied


@pytest.mark.slow
def test_what_is_related_comes_into_view(page: Page, indexed: Harbour) -> None:
    Symbol.objects.update(chunk_ordinal=0)
    page.goto(SYMBOL)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(page.locator("#dr-related")).to_contain_text("Not embedded yet")


def test_the_palette_leads_anywhere_by_keyboard(page: Page, harbour: Harbour) -> None:
    page.goto("/p/harbour/s/harbour-code/-/current/README.md")
    page.get_by_role("link", name="Skip to content").focus()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option", name="Go to the jobs")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Control+k")
    page.keyboard.type("greeter.py")
    option = page.locator('[role="option"][href$="/-/current/src/greeter.py"]')
    expect(option).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/src/greeter\.py$"))
    page.wait_for_load_state()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("group", name="Recent")).to_contain_text("README.md")


@pytest.mark.slow
def test_the_palette_remembers_searches_until_one_signs_out(
    page: Page, indexed: Harbour
) -> None:
    page.goto("/search?q=greet&mode=keyword")
    page.goto("/p/harbour/")
    page.keyboard.press("Control+k")
    page.keyboard.type("greet")
    recent = page.get_by_role("group", name="Recent")
    expect(recent.get_by_role("option")).to_have_attribute(
        "href", "/search?q=greet&mode=keyword"
    )
    page.keyboard.press("Escape")
    page.locator(".account-menu > summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_load_state()
    assert (
        page.evaluate("Object.keys(localStorage).filter(k => k.includes('recent'))")
        == []
    )


@pytest.mark.slow
def test_another_user_of_the_browser_finds_nothing_recent(page: Page) -> None:
    page.goto("/p/harbour/")
    page.evaluate("localStorage.setItem('recent:0', '[]')")
    page.goto("/jobs/")
    assert page.evaluate("localStorage.getItem('recent:0')") is None


@pytest.mark.slow
def test_an_action_of_the_palette_is_done(page: Page, wiki: Wiki) -> None:
    page.goto(WIKI)
    page.keyboard.press("Control+k")
    page.keyboard.type("theme dark")
    expect(page.get_by_role("option", name="Theme: dark")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.slow
def test_a_line_far_down_comes_with_its_block(page: Page, harbour: Harbour) -> None:
    text = "class Far:\n" + "    x = 1\n" * 3_000
    far = harbour.add_file("far.py", text, "python", "code")
    add_symbol(far, "Far", end_line=3_001)
    page.goto("/p/harbour/s/harbour-code/-/current/far.py#L2500-L2501")
    expect(page.locator("#L2500")).to_be_in_viewport()
    expect(page.locator(".code-line.is-marked")).to_have_count(2)
    expect(page.locator("[data-scope]")).to_have_text("Far")


@pytest.mark.slow
def test_polling_leaves_the_focus_where_it_is(
    page: Page, harbour: Harbour, make_job: Callable[..., Job]
) -> None:
    make_job()
    page.goto("/")
    link = page.locator(".product-card .cover")
    link.focus()
    with page.expect_response(lambda each: each.request.headers.get("hx-request")):
        pass
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(link).to_be_focused()


@pytest.mark.slow
def test_a_block_that_comes_last_tells_where_one_is(
    page: Page, harbour: Harbour
) -> None:
    text = "class Far:\n" + "    x = 1\n" * 3_000
    far = harbour.add_file("far.py", text, "python", "code")
    add_symbol(far, "Far", end_line=3_001)
    held: list[Route] = []
    came: list[str] = []

    def hold(route: Route) -> None:
        held.append(route)

    def note(request: Request) -> None:
        came.append(request.url)

    page.route(re.compile(r"line=2\d+"), hold)
    page.on("requestfinished", note)
    page.goto("/p/harbour/s/harbour-code/-/current/far.py#L2500")
    wait_until(lambda: _look(page) or (held and any(map(_is_block, came))))
    held[0].continue_()
    expect(page.locator("#L2500")).to_be_in_viewport()
    expect(page.locator("[data-scope]")).to_have_text("Far")


@pytest.mark.slow
@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_what_was_typed_last_is_answered(
    page: Page, indexed: Harbour, order: tuple[int, int]
) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.goto("/search?mode=keyword")
    page.route("**/search?*", hold)
    for place, text in enumerate(("Gre", "Greet", "Greeter lang:python ")):
        page.locator("#dr-q").fill(text)
        wait_until(lambda place=place: _look(page) or len(held) > place)
    for place in order:
        with page.expect_event("requestfinished"):
            held[place].continue_()
    expect(page.get_by_role("link", name="lang:python: remove")).to_be_visible()
    expect(page).to_have_url(re.compile(r"lang(:|%3A)python"))


@pytest.mark.slow
def test_a_filter_is_completed_by_keyboard(page: Page, indexed: Harbour) -> None:
    page.goto("/search?mode=keyword")
    page.keyboard.type("Greeter lang:py")
    # As for “lang:” it would not be the only one.
    offered = page.locator("#dr-completions [role=option]")
    expect(offered).to_have_text(["lang:python"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#dr-q")).to_have_value("Greeter lang:python ")
    expect(page.get_by_role("link", name="lang:python: remove")).to_be_visible()


@pytest.mark.slow
def test_the_slash_key_goes_to_the_search_box(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("/")
    expect(page.locator("header [data-search-input]")).to_be_focused()


def test_the_theme_stays_and_is_there_before_the_page(page: Page) -> None:
    page.goto("/")
    page.locator(".account-menu > summary").click()
    with page.expect_response("**/preferences/"):
        page.get_by_role("button", name="Dark", exact=True).click()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.goto("/", wait_until="commit")
    assert page.locator("html").get_attribute("data-theme") == "dark"


@pytest.mark.slow
def test_a_wrong_location_is_explained_in_place(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Git URL or path").fill("ext::sh -c x")
    page.get_by_role("button", name="Add and index").click()
    expect(page.locator("#dr-location-error")).to_be_visible()
    expect(page.get_by_label("Git URL or path")).to_have_value("ext::sh -c x")
    expect(page).to_have_url(re.compile(r"/$"))


def test_the_page_of_a_job_reloads_when_it_is_done(
    page: Page, make_job: Callable[..., Job]
) -> None:
    job = make_job()
    page.goto(f"/jobs/{job.pk}/")
    expect(page.get_by_text("running", exact=True)).to_be_visible()
    Job.objects.filter(pk=job.pk).update(
        state="completed", phase=3, finished_at=timezone.now()
    )
    expect(page.get_by_text("completed", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Open the product")).to_be_visible()


@pytest.mark.slow
def test_writing_again_shows_progress_on_the_page(page: Page, wiki: Wiki) -> None:
    page.goto(WIKI)
    page.locator("summary", has_text="Update").click()
    page.get_by_role("button", name="Update the wiki").click()
    expect(page.locator(".share-menu[open]")).to_have_count(0)
    expect(page.locator("#dr-job-strip")).to_contain_text("is waiting for its turn")


@pytest.mark.slow
@pytest.mark.parametrize(
    "url",
    [
        *("/", "/p/harbour/", WIKI, FILE, SYMBOL, "/jobs/"),
        "/search?q=Greeter&mode=keyword",
    ],
)
def test_a_phone_never_scrolls_sideways(
    phone: Page, wiki: Wiki, indexed: Harbour, url: str
) -> None:
    phone.goto(url)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_the_drawer_opens_on_a_phone(phone: Page, wiki: Wiki) -> None:
    phone.goto(WIKI)
    expect(phone.locator(".wiki-side")).to_be_hidden()
    phone.get_by_role("button", name="Pages").click()
    expect(phone.locator(".wiki-side")).to_be_visible()


@pytest.fixture
def japanese(
    browser: Browser, live_server: LiveServer, alice: Client
) -> Iterator[Page]:
    there = {"locale": "ja-JP", "zone": "Asia/Tokyo", "width": 390}
    with open_page(browser, live_server.url, alice, **there) as opened:  # type: ignore[arg-type]
        yield opened


def test_a_japanese_browser_is_answered_in_its_language_and_zone(
    japanese: Page, wiki: Wiki
) -> None:
    japanese.goto("/")
    japanese.goto(WIKI)
    expect(japanese.locator(".freshness time")).to_have_attribute(
        "title", re.compile(r"JST \(Asia/Tokyo\)$")
    )
    japanese.locator(".share-menu summary").nth(1).click()
    japanese.locator("[data-copy-url]").click()
    expect(japanese.locator(".toast-success")).to_have_text("コピーしました。")
    full = japanese.get_by_role("button", name="拡大表示", exact=True)
    expect(full).to_be_visible()


@pytest.mark.slow
def test_the_language_is_switched_at_the_foot_of_a_page(japanese: Page) -> None:
    japanese.goto("/jobs/")
    japanese.get_by_role("button", name="English").click()
    expect(japanese.locator("html")).to_have_attribute("lang", "en")
    expect(japanese).to_have_url(re.compile("/jobs/$"))


@pytest.mark.slow
def test_no_japanese_page_is_wider_than_a_phone(japanese: Page, wiki: Wiki) -> None:
    for url in (
        "/",
        "/p/harbour/",
        "/p/harbour/delete/",
        FILE,
        SYMBOL,
        WIKI,
        "/search",
    ):
        japanese.goto(url)
        width = japanese.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, url


def _left(page: Page) -> float:
    return float(page.locator(".zoom-scroll").evaluate("each => each.scrollLeft"))


def _look(page: Page) -> None:
    """Let the browser's events come in."""
    page.evaluate("() => new Promise(requestAnimationFrame)")


def _is_block(url: str) -> bool:
    return "line=" in url
