"""The pages around sign-in in a real browser: axe, widths, themes, both languages."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from devrag.access.auth import principal_of_user
from devrag.accounts.api import create_invitation
from devrag.accounts.models import ExternalIdentity, Passkey
from devrag.accounts.second_factor import begin_second_factor
from devrag.accounts.totp import totp_code

from .browser import Theme, open_page, watch
from .test_accessible import _inspect

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
PASSWORD = "correct horse battery"
_LOOKS = pytest.mark.parametrize(
    ("theme", "locale", "width"),
    [("light", "en-US", 1280), ("dark", "ja-JP", 320)],
)


@pytest.fixture
def ann(settings: Settings) -> User:
    settings.EMAIL_HOST = "mail.example.com"
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID = "https://id.example", "devrag"
    settings.OIDC_NAME = "Example ID"
    return User.objects.create_superuser("ann", "ann@example.com", PASSWORD)


@pytest.fixture
def signed_in(ann: User) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(ann)
    return client


@pytest.fixture
def link(ann: User) -> str:
    _, secret = create_invitation(
        principal=principal_of_user(ann), role="viewer", note="Dora"
    )
    return f"/invitation/{secret}/"


@_LOOKS
def test_pages_before_sign_in_have_no_violation(
    browser: Browser,
    live_server: LiveServer,
    link: str,
    theme: Theme,
    locale: str,
    width: int,
) -> None:
    context = browser.new_context(
        base_url=live_server.url,
        color_scheme=theme,
        locale=locale,
        viewport={"width": width, "height": 800},
    )
    with watch(context.new_page()) as page:
        paths = ("/sign-in/", "/sign-in/forgot/", link)
        assert [_inspect(page, path, width) for path in paths] == [{}] * len(paths)
    context.close()


@_LOOKS
def test_pages_of_the_account_have_no_violation(
    browser: Browser,
    live_server: LiveServer,
    ann: User,
    signed_in: Client,
    link: str,
    theme: Theme,
    locale: str,
    width: int,
) -> None:
    ExternalIdentity.objects.create(
        user=ann, issuer="https://id.example", subject="s", email="ann@example.com"
    )
    begin_second_factor(ann.pk)
    User.objects.create_user("dora", "dora@example.com", is_active=False)
    Passkey.objects.create(
        user=ann, name="Laptop", host="localhost", credential_id="x", credential="x"
    )
    paths = (
        "/settings/account/",
        "/settings/account/two-step/",
        "/settings/account/passkeys/",
        "/settings/people/",
        "/settings/invitations/",
    )
    look = {"theme": theme, "locale": locale, "width": width}
    with open_page(browser, live_server.url, signed_in, **look) as page:
        assert [_inspect(page, path, width) for path in paths] == [{}] * len(paths)


def test_two_step_sign_in_is_set_up_and_used(
    browser: Browser, live_server: LiveServer, ann: User, signed_in: Client
) -> None:
    with open_page(browser, live_server.url, signed_in) as page:
        page.goto("/settings/account/two-step/")
        page.get_by_label("Current password").fill(PASSWORD)
        page.get_by_role("button", name="Set up").click()
        secret = page.locator("code").inner_text().replace(" ", "")
        now = page.evaluate("Date.now()") / 1000
        page.get_by_label("Code from the app").fill(totp_code(secret, now))
        page.get_by_role("button", name="Turn on").click()
        assert page.locator("#dr-codes").inner_text().count("-") == 30
        code = page.locator("#dr-codes").inner_text().split()[0]
    context = browser.new_context(base_url=live_server.url)
    with watch(context.new_page()) as page:
        page.goto("/sign-in/")
        page.get_by_label("Username").fill("ann")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_label("Code from your authenticator app").fill(code)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.wait_for_url("**/")
        assert page.get_by_text("Signed in as ann").count()
    context.close()


def test_an_empty_field_is_told_in_our_words(
    browser: Browser, live_server: LiveServer, ann: User
) -> None:
    with watch(browser.new_page()) as page:
        page.goto(f"{live_server}/sign-in/forgot/")
        address = page.locator("#dr-address")
        send = page.locator("main form button[type=submit]")
        says = "field => field.validationMessage"
        send.click()
        assert address.evaluate(says) == "Fill in this field."
        address.fill("ann")
        assert "Fill in" not in address.evaluate(says)
        send.click()
        assert address.evaluate(says) == "Enter an email address."
        address.fill("ann@example.com")
        assert address.evaluate(says) == ""
