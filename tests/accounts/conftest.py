"""A provider that the settings name, and a browser that signs in with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from devrag.accounts.oidc.provider import kept_documents
from tests.oidc_provider import CLIENT, SECRET, OidcProvider, serving_provider

SignIn = Callable[..., HttpResponse]


@pytest.fixture
def provider(db: None, settings: Settings) -> Iterator[OidcProvider]:
    kept_documents.clear()
    with serving_provider() as made:
        settings.OIDC_ISSUER = made.issuer
        settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = CLIENT, SECRET
        settings.OIDC_NAME = "Example ID"
        yield made
    kept_documents.clear()


@pytest.fixture
def browser() -> Client:
    return Client(HTTP_HOST="localhost")


@pytest.fixture
def sign_in(provider: OidcProvider, browser: Client) -> SignIn:
    """Go to the provider and back, as a person with some claims.

    client: another browser. start: query of the address it begins at.
    """

    def sign_in(
        person: dict[str, Any] | None = None,
        *,
        client: Client | None = None,
        start: dict[str, str] | None = None,
    ) -> HttpResponse:
        if person is not None:
            provider.person = person
        used = client or browser
        begun = used.get("/sign-in/oidc/", start or {})
        if begun.status_code != 302:
            return begun
        return used.get(
            "/sign-in/oidc/callback/", provider.authorize(begun["Location"])
        )

    return sign_in
