"""A whole sign-in with an OpenID provider that is not ours, over HTTP."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from devrag.accounts.oidc.provider import kept_documents
from devrag.products.models import Membership, Product

# A process of its own: it changes warnings and the encoding of JSON for all.
_SERVE = """
import oidc_provider_mock
with oidc_provider_mock.run_server_in_thread(require_nonce=True) as server:
    print(server.server_port, flush=True)
    input()
"""


@pytest.fixture
def issuer(db: None, settings: Settings) -> Iterator[str]:
    with subprocess.Popen(
        [sys.executable, "-c", _SERVE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout
        issuer = f"http://localhost:{int(process.stdout.readline())}"
        kept_documents.clear()
        settings.OIDC_ISSUER = issuer
        settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = "devrag", "secret"
        settings.OIDC_GROUPS = {"shop-team": ["shop:maintainer"]}
        yield issuer
        kept_documents.clear()
        process.communicate("\n")


def enter(browser: Client) -> str:
    """Sign in as a person does; return where it leads."""
    asked = browser.get("/sign-in/oidc/", {"next": "/jobs/"})["Location"]
    answer = httpx2.post(asked, data={"sub": "ann"}, trust_env=False)
    assert answer.status_code == 302
    back = urlsplit(answer.headers["Location"])
    assert back.path == "/sign-in/oidc/callback/"
    finished = browser.get(back.path, dict(parse_qsl(back.query)))
    assert finished.status_code == 302, finished.content.decode()
    return str(finished["Location"])


def test_a_sign_in_from_beginning_to_end(issuer: str) -> None:
    shop = Product.objects.create(name="shop", visibility="members")
    claims = {
        "preferred_username": "ann",
        "email": "ann@example.com",
        "email_verified": True,
        "groups": ["shop-team"],
    }
    httpx2.put(f"{issuer}/users/ann", json=claims, trust_env=False)
    browser = Client(HTTP_HOST="localhost")
    assert enter(browser) == "/jobs/"
    assert browser.get("/p/shop/settings/").status_code == 200
    assert User.objects.get().email == "ann@example.com"
    httpx2.put(f"{issuer}/users/ann", json={**claims, "groups": []}, trust_env=False)
    enter(Client(HTTP_HOST="localhost"))
    assert not Membership.objects.filter(product=shop).exists()
    assert User.objects.count() == 1
