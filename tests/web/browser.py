"""A real Chromium for the tests: where it is, and a page that tolerates no error."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

Theme = Literal["light", "dark"]
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
)
# A busy machine is no fault of a page.
expect.set_options(timeout=30_000)


def find_chromium() -> str:
    """Return the path of a Chromium on this machine, or an empty string."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), "")


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start Chromium. Playwright's loop makes Django think that ORM calls are async."""
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_chromium(), args=_FLAGS
            )
            yield browser
            browser.close()
    finally:
        if before is None:
            del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@contextmanager
def open_page(
    browser: Browser,
    base_url: str,
    client: Client,
    *,
    width: int = 1280,
    locale: str = "en-US",
    zone: str = "UTC",
    theme: Theme = "light",
    is_touch: bool = False,
) -> Iterator[Page]:
    """Open a signed-in page; a script error or CSP violation fails the test."""
    context = browser.new_context(
        base_url=base_url,
        viewport={"width": width, "height": 800},
        permissions=["clipboard-read", "clipboard-write"],
        locale=locale,
        timezone_id=zone,
        color_scheme=theme,
        has_touch=is_touch,
        is_mobile=is_touch,
    )
    name = settings.SESSION_COOKIE_NAME
    cookie = {"name": name, "value": client.cookies[name].value, "url": base_url}
    context.add_cookies([cookie])  # type: ignore[list-item]
    with watch(context.new_page()) as page:
        yield page
    context.close()


@contextmanager
def watch(page: Page) -> Iterator[Page]:
    """Fail at the end when the page had a script error or CSP violation."""
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and "422" not in message.text:
            problems.append(message.text)

    page.on("console", hear)
    yield page
    assert not problems, problems


def without_browser(*modules: str) -> list[str]:
    """Return what not to collect: nothing, or the modules when no Chromium is here.

    Where DEVRAG_REQUIRE_BROWSER is 1 a missing one ends the run instead.
    """
    if find_chromium():
        return []
    if os.environ.get("DEVRAG_REQUIRE_BROWSER") == "1":
        raise pytest.UsageError(
            "No Chromium is on PATH, and DEVRAG_REQUIRE_BROWSER=1 forbids to leave the"
            " browser tests out. Install the package chromium."
        )
    return list(modules)
