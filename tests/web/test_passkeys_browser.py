"""A passkey in a real browser, with Chromium's virtual authenticator."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from devrag.accounts.models import Passkey

from .browser import open_page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
PASSWORD = "correct horse battery"


def _add_authenticator(page: Page) -> None:
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_is_added_and_signs_in(
    browser: Browser, live_server: LiveServer
) -> None:
    ann = User.objects.create_user("ann", password=PASSWORD)
    client = Client(HTTP_HOST="localhost")
    client.force_login(ann)
    url = live_server.url.replace("127.0.0.1", "localhost")
    with open_page(browser, url, client) as page:
        # A busy machine is no fault of a page.
        page.set_default_timeout(120_000)
        _add_authenticator(page)
        page.goto("/settings/account/passkeys/")
        page.get_by_label("Name").fill("Laptop")
        page.get_by_label("Current password").fill("wrong")
        page.get_by_role("button", name="Add a passkey").click()
        page.get_by_text("Incorrect password.").wait_for()
        page.get_by_label("Current password").fill(PASSWORD)
        page.get_by_role("button", name="Add a passkey").click()
        page.get_by_role("heading", name="Your recovery codes").wait_for()
        assert Passkey.objects.get().name == "Laptop"

        page.context.clear_cookies()
        page.goto("/sign-in/?next=/settings/account/")
        page.get_by_role("button", name="Sign in with a passkey").click()
        page.locator("#dr-main").get_by_text("Signed in as ann").wait_for()

        page.context.clear_cookies()
        page.goto("/sign-in/?next=/settings/account/")
        page.get_by_label("Username").fill("ann")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("heading", name="Second step").wait_for()
        page.get_by_role("button", name="Sign in with a passkey").click()
        page.locator("#dr-main").get_by_text("Signed in as ann").wait_for()
    assert Passkey.objects.get().sign_count > 0
