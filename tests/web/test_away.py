"""What a page does when the server, or the one who reads, was away for a while."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from devrag.access.models import ApiToken
from devrag.jobs.models import Job

from .conftest import Harbour

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
PASSWORD = "a-long-enough-one"


@pytest.fixture
def page(browser: Browser, live_server: LiveServer, alice: Client) -> Iterator[Page]:
    """A page of somebody signed in; refused requests are part of these tests."""
    context = browser.new_context(base_url=live_server.url, locale="en-US")
    name = settings.SESSION_COOKIE_NAME
    value = alice.cookies[name].value
    context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (502, "<html><body><h1>502 Bad Gateway</h1></body></html>"),
        (503, "no healthy upstream"),
        (504, "<!doctype html><title>Gateway time-out</title>"),
    ],
)
def test_what_a_proxy_says_is_no_part_of_the_page(
    page: Page, indexed: Harbour, status: int, said: str
) -> None:
    page.goto("/search?q=Greeter&mode=keyword")
    page.wait_for_load_state("networkidle")
    page.route("**/search?*", lambda route: route.fulfill(status=status, body=said))
    page.locator("main [data-search-input]").fill("greet")
    expect(page.locator(".toast")).to_contain_text("is not responding")
    expect(page.locator("#dr-results .hit-link").first).to_be_visible()
    expect(page.locator("main [data-search-input]")).to_have_value("greet")


def test_our_own_failure_leaves_what_asks_again_in_place(
    page: Page, make_job: Callable[..., Job]
) -> None:
    make_job()
    said = '<div role="alert"><p><strong>Service unavailable.</strong></p></div>'
    page.route(
        lambda url: url.endswith("/jobs/"),
        lambda route: (
            route.fulfill(status=503, headers={"Vary": "HX-Request"}, body=said)
            if "hx-request" in route.request.headers
            else route.continue_()
        ),
    )
    page.goto("/jobs/")
    expect(page.locator(".toast")).to_have_text("Service unavailable.")
    with page.expect_response(lambda answer: answer.status == 503):
        expect(page.locator("#dr-jobs .list-title")).to_be_visible()


def test_what_takes_too_long_is_told(page: Page, indexed: Harbour) -> None:
    def hold(_route: Route) -> None:
        """Never answer."""

    page.goto("/search?q=Greeter&mode=keyword")
    page.evaluate("htmx.config.defaultTimeout = 1000")
    page.route("**/search?*", hold)
    page.locator("main [data-search-input]").fill("greet")
    expect(page.locator(".toast")).to_contain_text("is not responding")


def test_who_signs_in_elsewhere_sends_the_form_with_one_click(page: Page) -> None:
    page.goto("/settings/tokens/")
    page.get_by_label("Name").fill("laptop")
    # A new password ends the session.
    user = User.objects.get(username="alice")
    user.set_password(PASSWORD)
    user.save()
    page.get_by_role("button", name="Create token").click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in in a new tab").click()
    tab = opened.value
    tab.get_by_label("Username").fill("alice")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in", exact=True).click()
    tab.wait_for_url(re.compile(r"/$"))
    tab.close()
    with page.expect_response("**/"):
        page.evaluate("dispatchEvent(new Event('focus'))")
    page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="Send again").click()
    expect(page.get_by_role("heading", name="laptop")).to_be_visible()
    assert ApiToken.objects.get().name == "laptop"
