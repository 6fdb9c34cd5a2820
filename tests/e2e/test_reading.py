"""Who may read without signing in: only somebody at this machine, past no proxy."""

from __future__ import annotations

import pytest

from tests.conftest import Repository

from .instance import Instance

pytestmark = pytest.mark.xdist_group("e2e")
FILE = "/p/shop/s/shop/{}/current/shop/cart.py"


def test_a_direct_reader_needs_no_sign_in(instance: Instance) -> None:
    assert instance.http("/").status == 200


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("X-Forwarded-For", "192.0.2.7"),
        ("X-Forwarded-Host", "localhost"),
        ("Forwarded", "for=192.0.2.7"),
    ],
)
@pytest.mark.parametrize("path", ["/", FILE.format("-"), FILE.format("raw")])
def test_who_comes_through_a_proxy_must_sign_in(
    instance: Instance, shop: Repository, header: str, value: str, path: str
) -> None:
    answer = instance.http(path, headers={header: value})
    assert answer.status in (302, 303)
    assert answer.headers["Location"].startswith("/sign-in/")


def test_another_host_name_is_refused(instance: Instance) -> None:
    assert instance.http("/", headers={"Host": "devrag.example"}).status == 400


@pytest.mark.parametrize(
    ("path", "status"),
    [("/add/", 303), ("/p/shop/wiki-regenerate/", 403)],  # sent there, or form in hand
)
def test_writing_needs_a_sign_in(
    instance: Instance, shop: Repository, path: str, status: int
) -> None:
    token = "t" * 32  # a matching pair passes the CSRF check, as a page's own form
    answer = instance.http(
        path,
        f"csrfmiddlewaretoken={token}&location=/tmp",
        headers={
            "Cookie": f"csrftoken={token}",
            "Content-Type": "application/x-www-form-urlencoded",
        },
    )
    assert answer.status == status
    assert "/sign-in/" in f"{answer.headers.get('Location')}{answer.text}"


def test_a_form_of_another_site_is_refused(instance: Instance) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert instance.http("/add/", "location=/tmp", headers=headers).status == 403


def test_a_raw_file_can_never_be_a_document(
    instance: Instance, shop: Repository
) -> None:
    answer = instance.http(FILE.format("raw"))
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in answer.headers["Content-Security-Policy"]
