"""Every operation of REST, with every kind of token.

The operations are those of the description of the interface. A new one needs a line
under `[rest.operations]` in scripts/permissions.toml.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from devrag.access.models import ApiToken
from scripts.permissions import DECLARED, rest_outcomes
from tests.people import People, bearer

from .operations import OPERATIONS
from .test_hidden import places, send_example

__all__ = ["places"]  # a fixture

_PAGES = "/api/v1/products/{productID}/wiki/pages"
# Nothing is there to be shown or changed, also for who may.
_NOTHING = {
    "post /api/v1/search/related",
    "post /api/v1/ask",
    f"post {_PAGES}",
    f"patch {_PAGES}/{{path}}",
    f"delete {_PAGES}/{{path}}",
    "delete /api/v1/sources/{sourceID}/labels/{label}/{path}",
}
_DECLARED: dict[str, str] = DECLARED["rest"]["operations"]
Headers = dict[str, str]


@pytest.fixture
def tokens(written: People, admin_user: Any) -> dict[str, Headers]:
    """Return a token of each role that has all scopes."""
    return {
        "other user": bearer("admin", user=written.charlie),
        "other product": bearer("admin", products=(written.market,)),
        "viewer": bearer("admin", user=written.bob),
        "maintainer": bearer("admin", user=written.alice),
        "administrator": bearer("admin", user=admin_user),
    }


@pytest.fixture
def known(places: dict[str, Any], tokens: dict[str, Headers]) -> dict[str, Any]:
    token = ApiToken.objects.filter(user__username="charlie").first()
    assert token is not None
    return {**places, "tokenID": token.pk, "kind": "github", "source": "teahouse-code"}


def test_every_operation_is_declared() -> None:
    missing = OPERATIONS.keys() - _DECLARED.keys()
    assert not missing, (
        f"{sorted(missing)}: say in scripts/permissions.toml, under [rest.operations], "
        "who may use them, then `make permissions`."
    )
    assert _DECLARED.keys() - OPERATIONS.keys() == set()


def test_every_role_gets_what_is_declared(
    client: Client, tokens: dict[str, Headers], known: dict[str, Any]
) -> None:
    # Each request is taken back: one teahouse serves for all of them.
    wrong = {
        f"{name} as {role}": f"{got}, declared {declared}"
        for name, level in _DECLARED.items()
        for role, declared in rest_outcomes(level).items()
        for got in [_in_words(_ask(client, name, known, tokens[role]))]
        if got != declared and not (got == "hidden" and name in _NOTHING)
    }
    assert wrong == {}


def _scope_of(name: str) -> str:
    security = OPERATIONS[name].get("security", [])
    return str(security[0]["BearerToken"][0]) if security else ""


def test_a_token_without_the_scope_is_refused(
    client: Client, written: People, known: dict[str, Any]
) -> None:
    lesser = {
        "index": bearer("read", "wiki", user=written.alice),
        "wiki": bearer("read", "index", user=written.alice),
        "admin": bearer("read", "index", "wiki", user=written.alice),
    }
    for name in _DECLARED:
        if headers := lesser.get(_scope_of(name)):
            assert _ask(client, name, known, headers).status_code == 403, name


def test_nothing_is_answered_without_a_token(
    client: Client, written: People, known: dict[str, Any]
) -> None:
    for name in _DECLARED:
        assert _ask(client, name, known, {}).status_code == 401, name


def _ask(
    client: Client, name: str, known: dict[str, Any], headers: Headers
) -> HttpResponse:
    with transaction.atomic():
        answer: HttpResponse = send_example(client, name, known, headers)
        transaction.set_rollback(True)
    return answer


def _in_words(answer: HttpResponse) -> str:
    words = {401: "no", 403: "no", 404: "hidden", 500: "error"}
    return words.get(answer.status_code, "yes")
