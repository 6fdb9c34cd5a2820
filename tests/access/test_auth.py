"""Reading without sign-in: only straight from this machine."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest
from django.test import Client, RequestFactory

from devrag.access.auth import (
    LOCAL_READER,
    is_direct_local_request,
    principal_of_request,
    principal_of_user,
)
from devrag.core.principal import ANONYMOUS, Role


@pytest.fixture(autouse=True)
def open_reading(settings: Any) -> None:
    settings.IS_OPEN_READING = True


def request(
    host: str = "localhost:8080", peer: str = "127.0.0.1", **headers: str
) -> HttpRequest:
    made = RequestFactory().get("/", headers=headers, REMOTE_ADDR=peer)
    made.META["HTTP_HOST"] = host
    made.user = AnonymousUser()
    return made


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8080",
        "LOCALHOST:8080",
        "127.0.0.1",
        "127.0.0.1:8080",
        "[::1]",
        "[::1]:8080",
    ],
)
def test_a_local_name_is_local(host: str) -> None:
    assert is_direct_local_request(request(host))


@pytest.mark.parametrize(
    "host",
    [
        "",
        "devrag.example",
        "127.0.0.1.evil.example",
        "127.0.0.1.evil.example:8080",
        "localhost.evil.example",
        "evil.example:127.0.0.1",
        "evil@localhost",
        "localhost@evil.example",
        "localhost:8080@evil.example",
        "127.0.0.2",
        "127.1",
        "2130706433",
        "0.0.0.0",
        "[::]",
        "::1",
        "[::1].evil.example",
        "[::ffff:127.0.0.1]",
        "localhost, evil.example",
        " localhost",
        "localhost/x",
        "192.168.0.10:8080",
    ],
)
def test_any_other_name_is_not(host: str) -> None:
    assert not is_direct_local_request(request(host))


def test_a_request_without_host_is_not_local() -> None:
    made = request()
    del made.META["HTTP_HOST"]
    assert not is_direct_local_request(made)


@pytest.mark.parametrize(
    "header",
    [
        "Forwarded",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "X-Forwarded-Proto",
        "X-Forwarded-Anything",
        "X-Forwarded",
        "Via",
        "X-Real-IP",
        "X-Client-IP",
        "True-Client-IP",
        "CF-Connecting-IP",
        "CDN-Loop",
    ],
)
@pytest.mark.parametrize("value", ["127.0.0.1", ""])
def test_what_came_past_a_proxy_is_not_local(header: str, value: str) -> None:
    assert not is_direct_local_request(request(**{header: value}))


@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "odd"])
@pytest.mark.parametrize(
    ("mode", "dest"),
    [
        ("no-cors", "image"),
        ("no-cors", "script"),
        ("cors", "empty"),
        ("navigate", "iframe"),
        ("navigate", "object"),
        ("no-cors", "document"),
        ("", ""),
    ],
)
def test_what_a_page_of_another_origin_asks_for_is_not_local(
    site: str, mode: str, dest: str
) -> None:
    sent = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
    assert not is_direct_local_request(request(**sent))


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "http://localhost",
        "http://localhost:3000",
        "https://localhost:8080",
        "http://localhost:8080.evil.example",
    ],
)
def test_another_origin_is_not_local(origin: str) -> None:
    assert not is_direct_local_request(request(Origin=origin))


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"},
        {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost:8080"},
    ],
)
def test_what_its_own_page_asks_for_is_local(sent: dict[str, str]) -> None:
    assert is_direct_local_request(request(**sent))


def test_a_link_from_elsewhere_may_be_followed() -> None:
    sent = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }
    assert is_direct_local_request(request(**sent))


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.9.9.9", "::1"])
def test_a_loopback_peer_is_local(peer: str) -> None:
    assert is_direct_local_request(request(peer=peer))


@pytest.mark.parametrize(
    "peer", ["192.0.2.7", "10.0.0.1", "fe80::1", "0.0.0.0", "", "unix:", "localhost"]
)
def test_any_other_peer_is_not(peer: str) -> None:
    assert not is_direct_local_request(request(peer=peer))


def test_nobody_is_local_when_the_setting_is_off(settings: Any) -> None:
    settings.IS_OPEN_READING = False
    assert not is_direct_local_request(request())


def test_a_direct_local_request_may_read_and_nothing_more() -> None:
    assert principal_of_request(request()) is LOCAL_READER
    assert LOCAL_READER.role == Role.VIEWER
    assert LOCAL_READER.user_id is None


def test_a_request_from_elsewhere_is_anonymous() -> None:
    assert principal_of_request(request(peer="192.0.2.7")) is ANONYMOUS


@pytest.mark.django_db
def test_a_signed_in_user_stays_that_user_on_this_machine() -> None:
    made = request()
    made.user = User.objects.create_user("alice")
    assert principal_of_request(made).name == "alice"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("flags", "role"),
    [
        ({}, Role.VIEWER),
        ({"is_staff": True}, Role.MAINTAINER),
        ({"is_superuser": True}, Role.ADMIN),
        ({"is_superuser": True, "is_active": False}, Role.NONE),
    ],
)
def test_flags_of_a_user_make_the_role(flags: dict[str, bool], role: Role) -> None:
    assert principal_of_user(User.objects.create_user("dora", **flags)).role == role


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/search", "/jobs/"])
def test_pages_open_on_this_machine(path: str) -> None:
    assert Client(HTTP_HOST="127.0.0.1:8080").get(path).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/search", "/jobs/"])
def test_pages_behind_a_tunnel_ask_for_sign_in(path: str) -> None:
    client = Client(HTTP_HOST="127.0.0.1:8080", headers={"X-Forwarded-For": "::1"})
    assert client.get(path).status_code == 303


@pytest.mark.django_db
def test_open_reading_never_writes() -> None:
    answer = Client(HTTP_HOST="localhost").post("/add/", {"location": "/etc"})
    assert answer.status_code == 303
    assert answer["Location"].startswith("/sign-in/")


@pytest.mark.django_db
def test_open_reading_is_no_token() -> None:
    assert Client(HTTP_HOST="localhost").get("/api/v1/products").status_code == 401


def test_a_host_that_is_not_ours_is_refused() -> None:
    assert Client(HTTP_HOST="evil.example").get("/").status_code == 400
