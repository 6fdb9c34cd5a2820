"""Picture every page of a running server: `make screenshots`.

Light and dark, desktop and phone, English and Japanese, into screenshots/; sheet.png
shows all of them side by side. The server is one that `make demo` started.
`--trace "How does A reach B?"` asks the first product so, and pictures that thread.
`--guide` takes the pictures of docs/guide/tour.md instead, of the first product;
`--query WORDS` is what is searched for.
"""

from __future__ import annotations

import argparse
import html
import itertools
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.web.browser import Theme, find_chromium  # noqa: E402 - the root comes first

FOLDER = ROOT / "screenshots"
HOME = Path(os.environ.get("DEVRAG_HOME") or ROOT / "var").expanduser()
PORT = os.environ.get("DEVRAG_PORT") or os.environ.get("HTTP_PORT") or "8080"
URL = f"http://127.0.0.1:{PORT}"
THEMES: tuple[Theme, ...] = ("light", "dark")
WIDTHS = {"desktop": 1440, "phone": 390}
LOCALES = {"en": "en-US", "ja": "ja-JP"}
IMAGES = ROOT / "docs" / "images"
# What docs/guide/tour.md shows, of the names of _find.
TOUR = (
    *("dashboard", "product", "product-wiki", "article", "hits", "conversation"),
    *("file", "symbol", "sources", "source", "job", "product-insights"),
    *("product-settings", "settings-account", "settings-models"),
)
_TOUR_WINDOW: ViewportSize = {"width": 1280, "height": 860}
_COLOURS = 96
_HEIGHT, _TALLEST, _THUMBNAIL = 900, 2200, 240
_DRAWN_MILLISECONDS = 30_000
_ARE_DRAWN = """() => [...document.querySelectorAll("figure.mermaid-figure")].every(
    each => each.getBoundingClientRect().top > innerHeight
      || each.querySelector(".mermaid-canvas img")?.complete)"""
_NAME = re.compile(r"^/p/([^/]+)/$")


def main() -> None:
    """Take the pictures, then the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trace", metavar="QUESTION", default="")
    parser.add_argument("--guide", action="store_true")
    parser.add_argument("--query", default="how are pages checked")
    given = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        chromium = find_chromium() or None
        browser = playwright.chromium.launch(executable_path=chromium)
        found = _addresses(browser, given.trace)
        found["hits"] = f"/search?{urlencode({'q': given.query})}"
        if given.guide:
            _take_tour(browser, found)
            return
        for theme, (size, width), (code, locale) in itertools.product(
            THEMES, WIDTHS.items(), LOCALES.items()
        ):
            context = browser.new_context(
                base_url=URL,
                viewport={"width": width, "height": _HEIGHT},
                color_scheme=theme,
                locale=locale,
            )
            page = context.new_page()
            # The first page leaves the reader's zone behind for those that follow.
            _take(page, "/sign-in/", FOLDER / f"sign-in-{theme}-{size}-{code}.png")
            _sign_in(page)
            for name, path in found.items():
                _take(page, path, FOLDER / f"{name}-{theme}-{size}-{code}.png")
            context.close()
        _make_sheet(browser, ["sign-in", *found])
        browser.close()
    count = len(list(FOLDER.glob("*.png"))) - 1
    sys.stdout.write(f"{count} pictures in {FOLDER}; all at once in sheet.png\n")


def _take_tour(browser: Browser, found: dict[str, str]) -> None:
    """Picture the pages of the tour as a window shows them, in both themes."""
    for theme, (name, path) in itertools.product(THEMES, found.items()):
        if name not in TOUR:
            continue
        page = browser.new_page(
            base_url=URL,
            viewport=_TOUR_WINDOW,
            color_scheme=theme,
            locale=LOCALES["en"],
        )
        _sign_in(page)
        page.goto(path)
        page.wait_for_load_state("networkidle")
        page.wait_for_function(_ARE_DRAWN, timeout=_DRAWN_MILLISECONDS)
        suffix = "-dark" if theme == "dark" else ""
        file = IMAGES / f"tour-{name}{suffix}.png"
        page.screenshot(path=file)
        _shrink(file)
        page.close()


def _shrink(file: Path) -> None:
    """Store a picture with few colours: text on a page needs no more."""
    with Image.open(file) as image:
        few = image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    few.save(file, optimize=True)


def _sign_in(page: Page) -> None:
    page.goto("/sign-in/")
    page.locator("input[name=username]").fill("admin")
    password = (HOME / "run" / "admin_password").read_text(encoding="utf-8").strip()
    page.locator("input[name=password]").fill(password)
    page.locator("main form [type=submit]").click()
    page.wait_for_url(re.compile(r"/(?!sign-in)"))


def _addresses(browser: Browser, question: str) -> dict[str, str]:
    """Return name → path of a page of each kind, from what the server holds.

    question: of a trace, which is asked; "" for none.
    """
    page = browser.new_context(base_url=URL).new_page()
    _sign_in(page)
    found = dict(_find(page))
    if question and "product-ask" in found:
        found["trace"] = _trace(page, found["product-ask"], question)
    return found


def _trace(page: Page, path: str, question: str) -> str:
    """Ask for a path of calls; return the address of the thread."""
    page.goto(path)
    page.locator(".ask-start textarea").fill(question)
    page.locator("input[name=mode][value=trace]").check(force=True)
    page.locator(".ask-start textarea").press("Control+Enter")
    page.locator("article[data-state=done]").wait_for()
    return str(page.evaluate("location.pathname"))


def _find(page: Page) -> Iterator[tuple[str, str]]:
    yield "dashboard", "/"
    product = _first_link(page, "/", _NAME)
    if product is None:
        return
    yield "product", product
    for name in ("settings", "members", "delete", "insights", "conflicts", "labels"):
        yield f"product-{name}", f"{product}{name}/"
    for name in ("wiki", "wiki-versions", "ask"):
        yield f"product-{name}", f"{product}{name}/"
    yield "sources", f"{product}sources/"
    article = re.compile(rf"^{re.escape(product)}wiki/.+")
    yield from _linked(page, "article", f"{product}wiki/", article)
    thread = re.compile(r"^/ask/[0-9a-f-]{36}/$")
    yield from _linked(page, "conversation", f"{product}ask/", thread)
    source = re.compile(rf"^{re.escape(product)}s/[^/]+/")
    folder = _first_link(page, product, source)
    if folder is not None:
        top = "/".join(folder.split("/")[:5])
        yield "source", f"{top}/"
        yield "folder", f"{top}/-/current/"
    yield "search", "/search"
    yield "no-hits", "/search?q=zzqqxx&mode=keyword"
    file = re.compile(rf"^{re.escape(product)}s/[^/]+/-/[^/]+/.+\.\w+")
    yield from _linked(page, "file", "/search?q=class&kind=code", file)
    symbol = re.compile(rf"^{re.escape(product)}s/[^/]+/symbol/")
    yield from _linked(page, "symbol", "/search?q=class&kind=code", symbol)
    yield "searches", "/searches/"
    yield "jobs", "/jobs/"
    yield from _linked(
        page, "job", "/jobs/?kind=index", re.compile(r"^/jobs/[0-9a-f-]{36}/$")
    )
    settings = re.compile(r"^/settings/\w+/$")
    for path in dict.fromkeys(_links(page, "/settings/", settings)):
        yield f"settings-{path.split('/')[2]}", path
    yield "not-found", "/p/nowhere/"


def _linked(
    page: Page, name: str, path: str, wanted: re.Pattern[str]
) -> Iterator[tuple[str, str]]:
    link = _first_link(page, path, wanted)
    if link is not None:
        yield name, link


def _first_link(page: Page, path: str, wanted: re.Pattern[str]) -> str | None:
    return next(iter(_links(page, path, wanted)), None)


def _links(page: Page, path: str, wanted: re.Pattern[str]) -> list[str]:
    page.goto(path)
    links = page.locator("main a, .wiki-side a")
    hrefs: list[str] = links.evaluate_all("all => all.map(a => a.pathname)")
    return [href for href in hrefs if wanted.match(href)]


def _take(page: Page, path: str, file: Path) -> None:
    """Picture a page in a window as high as it is, where its foot is at the foot."""
    page.goto(path)
    # Diagrams and previews come after the page, and are drawn once they are seen.
    page.wait_for_load_state("networkidle")
    width = page.evaluate("innerWidth")
    page.set_viewport_size({"width": width, "height": _TALLEST})
    page.wait_for_function(_ARE_DRAWN, timeout=_DRAWN_MILLISECONDS)
    page.set_viewport_size({"width": width, "height": _HEIGHT})
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(height, _TALLEST)})
    page.screenshot(path=file)
    page.set_viewport_size({"width": width, "height": _HEIGHT})


def _make_sheet(browser: Browser, names: list[str]) -> None:
    variants = list(itertools.product(THEMES, WIDTHS, LOCALES))
    head = "".join(f"<th>{' '.join(variant)}</th>" for variant in variants)
    rows = "".join(
        f"<tr><th>{html.escape(name)}</th>"
        + "".join(f'<td><img src="{name}-{"-".join(v)}.png"></td>' for v in variants)
        + "</tr>"
        for name in names
    )
    style = (
        f"img{{width:{_THUMBNAIL}px}}td,th{{vertical-align:top;font:14px sans-serif}}"
    )
    sheet = FOLDER / "sheet.html"
    table = f"<table><tr><th></th>{head}</tr>{rows}</table>"
    sheet.write_text(f"<!doctype html><style>{style}</style>{table}", encoding="utf-8")
    page = browser.new_page(viewport={"width": 2200, "height": _HEIGHT})
    page.goto(sheet.as_uri())
    page.screenshot(path=FOLDER / "sheet.png", full_page=True)


if __name__ == "__main__":
    main()
