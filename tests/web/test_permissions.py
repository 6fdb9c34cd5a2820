"""Every address of the pages, by every method, in every role.

The addresses are those of the application. A new one needs a line under
`[pages.addresses]` in scripts/permissions.toml.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from devrag.access.auth import principal_of_user
from devrag.access.models import SignedInSession
from devrag.access.services import create_token
from devrag.accounts.api import create_invitation
from scripts import permissions
from scripts.permissions import PAGE_ROLES, declared_pages, page_outcomes

from .conftest import Harbour
from .test_hidden import NOWHERE, fill_address, places

__all__ = ["places"]  # a fixture

# An answer in parts: it is read by its own tests, and refused like the others.
_STREAMED = {("web:turn_stream", "post")}
# Nothing is there to be shown, also for who may see it: no provider and no email is
# set up here (tests/accounts).
_NOTHING = {
    *NOWHERE,
    *("web:model_test", "web:oidc_start", "web:oidc_callback", "web:forgot_password"),
}
_REFUSED = {"no", "hidden", "sign in"}
_ELSEWHERE = "192.0.2.7"  # where reading is not open


@pytest.fixture
def clients(
    alice: Client, bob: Client, charlie: Client, stranger: Client
) -> dict[str, Client]:
    """Return a client for each role."""
    root = Client(HTTP_HOST="localhost")
    root.force_login(User.objects.create_superuser("root"))
    signed_in = {
        "other user": charlie,
        "viewer": bob,
        "maintainer": alice,
        "administrator": root,
    }
    for client in signed_in.values():
        client.defaults["REMOTE_ADDR"] = _ELSEWHERE
    return {
        "anonymous": stranger,
        "open reading": Client(HTTP_HOST="localhost"),
        **signed_in,
    }


@pytest.fixture
def known(places: dict[str, Any], indexed: Harbour, clients: Any) -> dict[str, Any]:
    """Return what addresses are filled with; what is somebody's is Alice's."""
    clients["maintainer"].get("/settings/account/")  # notes the session
    alice = User.objects.get(username="alice")
    token, _ = create_token(name="laptop", scopes=["read"], user=alice)
    session = SignedInSession.objects.filter(user=alice).first()
    assert session is not None
    invitation, secret = create_invitation(
        principal=principal_of_user(alice), role="viewer", product_name="harbour"
    )
    return {
        **places,
        "token_id": token.pk,
        "user_id": alice.pk,
        "session_id": session.pk,
        "invitation_id": invitation.pk,
        "secret": secret,
        "uid": urlsafe_base64_encode(force_bytes(alice.pk)),
        "token": default_token_generator.make_token(alice),
    }


def test_every_address_is_declared() -> None:
    missing = permissions.list_addresses().keys() - declared_pages().keys()
    assert not missing, (
        f"{sorted(missing)}: say in scripts/permissions.toml, under [pages.addresses], "
        "who may open them, then `make permissions`."
    )


def test_every_declared_address_is_there() -> None:
    assert declared_pages().keys() - permissions.list_addresses().keys() == set()


def test_the_page_for_operators_is_up_to_date() -> None:
    assert permissions.PAGE.read_text() == permissions.write_page(), "make permissions"


def test_every_role_gets_what_is_declared(
    clients: dict[str, Client], known: dict[str, Any]
) -> None:
    # Each request is taken back: one harbour serves for all of them.
    wrong = {
        f"{method} {name} as {role}": f"{got}, declared {declared}"
        for name, pattern, method in _requests()
        for role in PAGE_ROLES
        for declared in [page_outcomes(declared_pages()[name])[role]]
        for got in [_outcome(clients[role], method, fill_address(name, pattern, known))]
        if got != "no such method" and not _is_as_declared(name, got, declared)
    }
    assert wrong == {}


def _requests() -> Iterator[tuple[str, URLPattern, str]]:
    for name, patterns in permissions.list_addresses().items():
        for pattern in patterns:
            for method in ("get", "post"):
                if (name, method) not in _STREAMED:
                    yield name, pattern, method


def _outcome(client: Client, method: str, address: str) -> str:
    cookies = deepcopy(client.cookies)  # of a session that may end within
    with transaction.atomic():
        answer = getattr(client, method)(address)
        transaction.set_rollback(True)
    client.cookies = cookies
    return _in_words(answer)


def _in_words(answer: HttpResponse) -> str:
    target = answer.headers.get("Location", "") or answer.headers.get("HX-Redirect", "")
    if target.startswith("/sign-in/?"):
        return "sign in"
    words = {401: "no", 403: "no", 404: "hidden", 405: "no such method"}
    words[500] = "error"
    return words.get(answer.status_code, "yes")


def _is_as_declared(name: str, got: str, declared: str) -> bool:
    if declared == "refused":
        return got in _REFUSED
    is_nothing = name in _NOTHING and got == "hidden"
    return got == declared or (is_nothing and declared == "yes")


def test_a_streamed_answer_is_refused_like_the_others(
    clients: dict[str, Client], known: dict[str, Any]
) -> None:
    for name, method in _STREAMED:
        (pattern,) = permissions.list_addresses()[name]
        address = fill_address(name, pattern, known)
        for role, declared in page_outcomes(declared_pages()[name]).items():
            if declared != "yes":
                got = _outcome(clients[role], method, address)
                assert _is_as_declared(name, got, declared), (role, got)
