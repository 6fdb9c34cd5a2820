"""Sign-in: few attempts, clear refusals, a log without passwords."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import structlog
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connections
from django.http import HttpResponse
from django.test import Client

from devrag.access import hashing
from devrag.access.sign_in import AccountAdapter, describe_lock

PASSWORD = "correct horse battery"
WRONG = "Incorrect username or password."


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", password=PASSWORD)


@pytest.fixture
def logged() -> Iterator[list[Any]]:
    with structlog.testing.capture_logs() as entries:
        yield entries


def sign_in(
    name: str = "ann",
    password: str = "wrong",
    address: str = "192.0.2.1",
    **more: Any,
) -> HttpResponse:
    client = Client(HTTP_HOST="localhost", REMOTE_ADDR=address)
    return client.post("/sign-in/", {"username": name, "password": password}, **more)


def test_the_right_password_signs_in_and_leads_on(ann: User) -> None:
    client = Client(HTTP_HOST="localhost")
    given = {"username": "ann", "password": PASSWORD, "next": "/jobs/"}
    assert client.post("/sign-in/", given)["Location"] == "/jobs/"
    assert client.get("/sign-in/?next=/jobs/")["Location"] == "/jobs/"
    client.post("/sign-out/")
    assert client.get("/settings/account/").status_code == 303


@pytest.mark.parametrize(
    "away",
    [
        "https://evil.example/",
        "//evil.example",
        "javascript:alert(1)",
        "/\\evil.example",
    ],
)
def test_sign_in_leads_to_no_other_host(ann: User, away: str) -> None:
    answer = sign_in(password=PASSWORD, query_params={"next": away})
    assert answer["Location"] == "/"


@pytest.mark.parametrize(
    ("name", "password"), [("ann", "wrong"), ("nobody", PASSWORD), ("ann", "a" * 9999)]
)
def test_wrong_is_wrong_in_the_same_words(ann: User, name: str, password: str) -> None:
    answer = sign_in(name, password)
    assert answer.status_code == 200
    assert WRONG in answer.content.decode()


def test_an_inactive_account_is_not_told_apart(ann: User) -> None:
    User.objects.update(is_active=False)
    assert WRONG in sign_in(password=PASSWORD).content.decode()


def test_after_five_wrong_passwords_the_right_one_waits(ann: User) -> None:
    assert {sign_in().status_code for _ in range(5)} == {200}
    answer = sign_in(password=PASSWORD)
    assert answer.status_code == 429
    assert 290 <= int(answer["Retry-After"]) <= 300
    assert "Try again in 5 minutes." in answer.content.decode()


@pytest.mark.parametrize("name", ["ANN", " ann ", "ａｎｎ"])
def test_another_spelling_is_the_same_account(ann: User, name: str) -> None:
    for _ in range(5):
        sign_in(name)
    assert sign_in(password=PASSWORD).status_code == 429


def test_who_guesses_elsewhere_locks_nobody_out(ann: User) -> None:
    for _ in range(6):
        sign_in(address="198.51.100.7")
    assert sign_in(password=PASSWORD).status_code == 302


@pytest.mark.slow
def test_one_address_may_try_few_accounts(ann: User) -> None:
    answers = [sign_in(f"user{n}").status_code for n in range(25)]
    assert answers == [200] * 20 + [429] * 5
    assert sign_in(password=PASSWORD, address="192.0.2.2").status_code == 302


def test_addresses_of_one_ipv6_network_count_as_one(ann: User) -> None:
    for n in range(5):
        sign_in(address=f"2001:db8::{n}")
    assert sign_in(address="2001:db8::ffff").status_code == 429


def test_ipv4_written_as_ipv6_is_no_common_network(ann: User) -> None:
    for _ in range(5):
        sign_in(address="::ffff:198.51.100.7")
    assert sign_in(address="198.51.100.7").status_code == 429
    assert sign_in(address="::ffff:198.51.100.8").status_code == 200


@pytest.mark.slow
def test_many_addresses_may_not_guess_for_ever(ann: User) -> None:
    answers = [sign_in(address=f"10.0.{n // 200}.{n % 200}") for n in range(101)]
    assert [answer.status_code for answer in answers] == [200] * 100 + [429]


@pytest.mark.slow
def test_guesses_from_many_addresses_lock_out_no_known_one(ann: User) -> None:
    sign_in(password=PASSWORD)
    for n in range(100):
        sign_in(address=f"10.0.0.{n}")
    assert sign_in(password=PASSWORD, address="192.0.2.2").status_code == 429
    assert sign_in(password=PASSWORD).status_code == 302
    assert [sign_in().status_code for _ in range(6)] == [200] * 5 + [429]


def test_right_passwords_are_not_counted(ann: User) -> None:
    assert {sign_in(password=PASSWORD).status_code for _ in range(30)} == {302}


def test_a_locked_attempt_does_not_prolong_the_lock(ann: User) -> None:
    for _ in range(5):
        sign_in()
    first = int(sign_in()["Retry-After"])
    assert all(int(sign_in()["Retry-After"]) <= first for _ in range(5))


def test_a_forwarded_address_is_not_believed(ann: User) -> None:
    for n in range(5):
        sign_in(headers={"X-Forwarded-For": f"203.0.113.{n}"})
    answer = sign_in(headers={"X-Forwarded-For": "203.0.113.99"})
    assert answer.status_code == 429


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
def test_a_proxy_that_is_not_trusted_is_logged_once(
    ann: User, logged: list[Any], monkeypatch: pytest.MonkeyPatch, header: str
) -> None:
    monkeypatch.setattr(AccountAdapter, "_is_proxy_reported", False)
    sign_in()
    assert not [entry for entry in logged if entry["event"] == "proxy_not_trusted"]
    for _ in range(2):
        sign_in(address="10.0.0.5", headers={header: "for=203.0.113.1"})
    (entry,) = [entry for entry in logged if entry["event"] == "proxy_not_trusted"]
    assert (entry["log_level"], entry["address"]) == ("warning", "10.0.0.5")
    assert "TRUSTED_PROXIES" in entry["solution"]
    assert "203.0.113.1" not in str(entry)


def test_where_proxies_are_trusted_there_is_no_warning(
    ann: User, logged: list[Any], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(AccountAdapter, "_is_proxy_reported", False)
    settings.TRUSTED_PROXIES = ["10.0.0.5"]
    sign_in(headers={"X-Forwarded-For": "203.0.113.1"})
    assert "proxy_not_trusted" not in str(logged)


def test_what_is_no_address_counts_as_one(ann: User, logged: list[Any]) -> None:
    for n in range(5):
        sign_in(address=f"garbage {n}")
    assert sign_in(address="").status_code == 429
    assert "garbage" not in str(logged)


def test_parallel_attempts_are_counted_before_they_are_checked(
    ann: User, transactional_db: None
) -> None:
    User.objects.create_user("ben", password=PASSWORD)

    def attempt(_: int) -> int:
        try:
            return sign_in("ben").status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(attempt, range(40)))
    assert sorted(answers) == [200] * 5 + [429] * 35


def test_failures_and_locks_are_logged_without_the_password(
    ann: User, logged: list[Any]
) -> None:
    for _ in range(6):
        sign_in(password="my secret")
    failed = [entry for entry in logged if entry["event"] == "sign_in_failed"]
    locked = [entry for entry in logged if entry["event"] == "sign_in_locked"]
    assert (len(failed), len(locked)) == (5, 1)
    assert (failed[0]["user_name"], failed[0]["address"]) == ("ann", "192.0.2.1")
    assert 290 <= locked[0]["retry_after_seconds"] <= 300
    assert "my secret" not in str(logged)


def test_who_signed_in_is_logged(ann: User, logged: list[Any]) -> None:
    sign_in(password=PASSWORD)
    (entry,) = [entry for entry in logged if entry["event"] == "signed_in"]
    assert (entry["user_name"], entry["address"]) == ("ann", "192.0.2.1")


@pytest.mark.parametrize("name", ["", "\x00", "a" * 200])
def test_impossible_names_are_refused(ann: User, name: str) -> None:
    answer = sign_in(name, PASSWORD)
    assert answer.status_code in {200, 400}
    assert "sessionid" not in answer.cookies


def test_sign_in_works_while_valkey_is_away(ann: User, settings: Any) -> None:
    broken = {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:9/0"}
    settings.CACHES = {"default": broken}
    assert sign_in(password=PASSWORD).status_code == 302
    for _ in range(5):
        assert sign_in().status_code == 200
    assert sign_in().status_code == 429


@pytest.mark.parametrize(
    ("seconds", "wait"),
    [(1, "1 second."), (59, "59 seconds."), (60, "1 minute."), (61, "2 minutes.")],
)
def test_a_lock_says_how_long(seconds: int, wait: str) -> None:
    assert describe_lock(seconds).endswith(f"Try again in {wait}")


# -- the administration -----------------------------------------------------------


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_administration_has_no_sign_in_of_its_own(ann: User, method: str) -> None:
    client = Client(HTTP_HOST="localhost")
    given = {"username": "ann", "password": PASSWORD, "next": "/admin/jobs/job/"}
    answer = getattr(client, method)("/admin/login/?next=/admin/jobs/job/", given)
    assert answer.status_code == 302
    assert answer["Location"] == "/sign-in/?next=%2Fadmin%2Fjobs%2Fjob%2F"
    assert "sessionid" not in client.cookies


def test_a_signed_in_person_cannot_try_passwords_there(ann: User) -> None:
    User.objects.create_superuser("root", password=PASSWORD)
    for staff in (False, True):
        User.objects.filter(username="ann").update(is_staff=staff)
        client = Client(HTTP_HOST="localhost")
        client.force_login(ann)
        given = {"username": "root", "password": PASSWORD}
        client.post("/admin/login/", given)
        assert client.session["_auth_user_id"] == str(ann.pk)


def test_the_administrations_password_page_is_the_one_of_the_settings(
    db: None,
) -> None:
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    answer = client.get("/admin/password_change/")
    assert answer["Location"] == "/settings/account/"
    assert client.get("/admin/login/")["Location"] == "/admin/"


@pytest.mark.parametrize(
    "path", ["signup/", "accounts/signup/", "password/reset/", "accounts/email/"]
)
def test_nothing_else_of_allauth_is_reachable(db: None, path: str) -> None:
    assert Client(HTTP_HOST="localhost").get(f"/{path}").status_code == 404


# -- hashing ----------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_no_connection_is_held_while_a_password_is_hashed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    User.objects.create_user("ann", password=PASSWORD)
    held: list[bool] = []

    def note(*_args: Any) -> str:
        held.append(connections["default"].connection is not None)
        return "pbkdf2_sha256$1$a$b"

    monkeypatch.setattr(hashing.PBKDF2PasswordHasher, "encode", note)
    assert User.objects.exists()
    assert connections["default"].connection is not None
    sign_in()
    sign_in("nobody")
    assert held
    assert not any(held)


def test_few_passwords_are_hashed_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    running, most = 0, 0
    lock = threading.Lock()

    def measure(*_args: Any) -> str:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        threading.Event().wait(0.01)
        with lock:
            running -= 1
        return ""

    monkeypatch.setattr(hashing.PBKDF2PasswordHasher, "encode", measure)
    monkeypatch.setattr(hashing, "_turns", threading.BoundedSemaphore(2))
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(hashing.BoundedPBKDF2Hasher().encode, "a" * 40, "b" * 40))
    assert most == 2


def test_who_waits_too_long_is_told_when_to_return(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hashing, "_turns", threading.BoundedSemaphore(1))
    monkeypatch.setattr(hashing, "MAX_WAIT_SECONDS", 0.05)
    with hashing.hashing_turn():
        answer = sign_in(password=PASSWORD)
        assert {sign_in().status_code for _ in range(6)} == {429}
    assert (answer.status_code, answer["Retry-After"]) == (429, "5")
    assert "Too many sign-ins are in progress" in answer.content.decode()
    # They were not checked, so they do not count.
    assert sign_in(password=PASSWORD).status_code == 302


def test_passwords_of_before_are_still_right() -> None:
    stored = PBKDF2PasswordHasher().encode(PASSWORD, "salt", 1_000)
    assert check_password(PASSWORD, stored)
    assert not check_password("x", stored)


# -- the cache behind the limits ----------------------------------------------------


def test_the_cache_is_shared_and_holds_no_pickles() -> None:
    cache.set("list", [1.5, True, None], 60)
    assert cache.get("list") == [1.5, True, None]
    client = cache._cache.get_client()
    assert client.get(cache.make_and_validate_key("list")) == b"[1.5, true, null]"


def test_more_threads_than_connections_share_one_count() -> None:
    with structlog.testing.capture_logs() as logged, ThreadPoolExecutor(150) as pool:
        added = list(pool.map(lambda n: cache.add("one", n, 60), range(600)))
    assert (added.count(True), logged) == (1, [])


def test_the_cache_never_empties_the_broker() -> None:
    with pytest.raises(NotImplementedError):
        cache.clear()


def test_an_unreachable_cache_is_not_asked_with_each_key(
    settings: Any, logged: list[Any]
) -> None:
    broken = {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:9/1"}
    settings.CACHES = {"default": broken}
    began = time.monotonic()
    assert cache.add("a", 1, 60)
    assert not cache.add("a", 2, 60)
    assert cache.get("a") == 1
    assert cache.delete("a")
    assert time.monotonic() - began < 5
    assert [entry["event"] for entry in logged] == ["shared_cache_unreachable"]
