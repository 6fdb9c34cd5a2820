"""Requests of commands on the server's own machine: signed, and only for a moment."""

from __future__ import annotations

import pytest

from devrag.core import local_operator
from devrag.core.local_operator import is_local_request, sign_local_request


def test_a_request_is_known_by_any_of_the_keys() -> None:
    secret = sign_local_request("present")
    assert is_local_request(secret, ["present"])
    assert is_local_request(secret, ["next", "present"])
    assert not is_local_request(secret, ["next"])


def test_no_two_requests_are_alike() -> None:
    assert sign_local_request("key") != sign_local_request("key")


@pytest.mark.parametrize(
    "change",
    [
        lambda secret: secret[:-1],
        lambda secret: secret.replace("local.", "local.9"),
        lambda secret: secret.replace("local.", "other."),
        lambda _secret: "local.²." + "0" * 64,
        lambda secret: f"{secret}é",
        lambda _secret: "local.1.a.é",
        lambda _secret: "local.1é.a." + "0" * 64,
        lambda _secret: f"local.{'9' * 5000}.a.{'0' * 64}",
        lambda _secret: "devrag_0123456789",
        lambda _secret: "",
    ],
)
def test_what_was_changed_is_not_known(change: object) -> None:
    assert callable(change)
    assert not is_local_request(change(sign_local_request("key")), ["key"])


@pytest.mark.parametrize(("seconds", "is_known"), [(59, True), (62, False)])
def test_a_request_is_known_for_a_minute(
    monkeypatch: pytest.MonkeyPatch, seconds: int, is_known: bool
) -> None:
    now = local_operator.time.time()
    secret = sign_local_request("key")
    monkeypatch.setattr(local_operator.time, "time", lambda: now + seconds)
    assert is_local_request(secret, ["key"]) is is_known
