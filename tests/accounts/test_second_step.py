"""After the right password a code: once, few attempts, recovery codes, the way out."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.http import HttpResponse
from django.test import Client

from devrag.accounts.models import RecoveryCode, SecondFactor
from devrag.accounts.second_factor import (
    begin_second_factor,
    confirm_second_factor,
    take_code,
)
from devrag.accounts.totp import totp_code

PASSWORD = "correct horse battery"
PAGE, STEP = "/settings/account/two-step/", "/sign-in/code/"


class Clock:
    """The time of codes, in seconds since 1970."""

    now = 1_800_000_000.0

    def next(self) -> float:
        """Go on to the next code."""
        self.now += 30
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("devrag.accounts.second_factor._now", lambda: made.now)
    return made


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", password=PASSWORD)


@pytest.fixture
def browser() -> Client:
    return Client(HTTP_HOST="localhost")


def turn_on(user: User, clock: Clock) -> tuple[str, list[str]]:
    """Return the secret and the recovery codes."""
    secret = begin_second_factor(user.pk)
    codes = confirm_second_factor(user.pk, totp_code(secret, clock.now))
    assert codes
    return secret, codes


def enter_password(browser: Client, onwards: str = "/jobs/") -> HttpResponse:
    given = {"username": "ann", "password": PASSWORD, "next": onwards}
    return browser.post("/sign-in/", given)


def is_signed_in(browser: Client) -> bool:
    return browser.get("/settings/account/").status_code == 200


def text(answer: HttpResponse) -> str:
    return answer.content.decode()


def test_a_code_is_asked_for_after_the_password(
    ann: User, browser: Client, clock: Clock
) -> None:
    secret, _ = turn_on(ann, clock)
    assert enter_password(browser)["Location"] == STEP
    assert not is_signed_in(browser)
    assert "Enter the code" in text(browser.get(STEP))
    answer = browser.post(STEP, {"code": totp_code(secret, clock.next())})
    assert answer["Location"] == "/jobs/"
    assert is_signed_in(browser)


def test_a_code_counts_once(ann: User, browser: Client, clock: Clock) -> None:
    secret, _ = turn_on(ann, clock)
    code = totp_code(secret, clock.next())
    enter_password(browser)
    assert browser.post(STEP, {"code": code}).status_code == 302
    other = Client(HTTP_HOST="localhost")
    enter_password(other)
    refused = other.post(STEP, {"code": code})
    assert refused.status_code == 422
    assert "Incorrect or used code." in text(refused)
    assert not is_signed_in(other)


def test_codes_are_tried_a_few_times_only(
    ann: User, browser: Client, clock: Clock
) -> None:
    secret, _ = turn_on(ann, clock)
    enter_password(browser)
    for _ in range(5):
        assert browser.post(STEP, {"code": "000000"}).status_code == 422
    answer = browser.post(STEP, {"code": totp_code(secret, clock.next())})
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    again = Client(HTTP_HOST="localhost")
    enter_password(again)
    assert again.post(STEP, {"code": "000000"}).status_code == 429


def test_right_codes_are_not_counted(ann: User, clock: Clock) -> None:
    secret, _ = turn_on(ann, clock)
    for _ in range(7):
        device = Client(HTTP_HOST="localhost")
        enter_password(device)
        code = totp_code(secret, clock.next())
        assert device.post(STEP, {"code": code}).status_code == 302


def test_without_the_password_there_is_no_step(
    ann: User, browser: Client, clock: Clock
) -> None:
    secret, _ = turn_on(ann, clock)
    answer = browser.post(STEP, {"code": totp_code(secret, clock.next())})
    assert answer["Location"] == "/sign-in/"
    assert not is_signed_in(browser)


def test_a_sign_in_can_be_cancelled(ann: User, browser: Client, clock: Clock) -> None:
    turn_on(ann, clock)
    enter_password(browser)
    assert browser.post(STEP, {"action": "cancel"})["Location"] == "/sign-in/"
    assert browser.get(STEP)["Location"] == "/sign-in/"


def test_a_recovery_code_lets_in_once(ann: User, browser: Client, clock: Clock) -> None:
    _, codes = turn_on(ann, clock)
    assert len(set(codes)) == 10
    enter_password(browser)
    written = codes[0].upper().replace("-", " ")
    assert browser.post(STEP, {"code": written}).status_code == 302
    other = Client(HTTP_HOST="localhost")
    enter_password(other)
    assert other.post(STEP, {"code": codes[0]}).status_code == 422
    assert codes[0].replace("-", "") not in str(list(RecoveryCode.objects.values()))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_recovery", [False, True])
def test_a_code_that_is_sent_twice_at_once_counts_once(
    clock: Clock, is_recovery: bool
) -> None:
    ann = User.objects.create_user("ann", password=PASSWORD)
    secret, codes = turn_on(ann, clock)
    code = codes[0] if is_recovery else totp_code(secret, clock.next())

    def send(_: int) -> bool:
        try:
            return take_code(ann.pk, code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(send, range(4))) == [False, False, False, True]


def test_the_secret_is_stored_encrypted(ann: User, clock: Clock) -> None:
    secret, _ = turn_on(ann, clock)
    assert secret.encode() not in bytes(SecondFactor.objects.get().secret)


def test_it_is_set_up_with_the_password_and_a_first_code(
    ann: User, browser: Client, clock: Clock
) -> None:
    browser.force_login(ann)
    device = Client(HTTP_HOST="localhost")
    device.force_login(ann)
    assert is_signed_in(device)
    wrong = browser.post(PAGE, {"action": "begin", "password": "wrong"})
    assert "Incorrect password." in text(wrong)
    browser.post(PAGE, {"action": "begin", "password": PASSWORD})
    page = text(browser.get(PAGE))
    assert "data:image/svg+xml" in page
    secret = re.search(r"<code>([A-Z2-7 ]{39})</code>", page)
    assert secret
    assert enter_password(Client(HTTP_HOST="localhost"))["Location"] == "/jobs/"
    plain = secret[1].replace(" ", "")
    assert browser.post(PAGE, {"action": "confirm", "code": "1"}).status_code == 422
    given = {"action": "confirm", "code": totp_code(plain, clock.now)}
    page = text(browser.post(PAGE, given))
    assert (
        len(re.findall(r"^(?:.*>)?(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$", page, re.M)) == 10
    )
    assert not is_signed_in(device)
    assert enter_password(device)["Location"] == STEP
    assert plain not in text(browser.get(PAGE))


def test_it_is_turned_off_and_renewed_with_the_password(
    ann: User, browser: Client, clock: Clock
) -> None:
    _, codes = turn_on(ann, clock)
    browser.force_login(ann)
    browser.post(PAGE, {"action": "remove", "password": "wrong"})
    assert SecondFactor.objects.exists()
    browser.post(PAGE, {"action": "renew", "password": PASSWORD})
    assert not take_code(ann.pk, codes[1])
    answer = browser.post(PAGE, {"action": "remove", "password": PASSWORD})
    assert answer["Location"] == "/settings/account/"
    assert not SecondFactor.objects.exists()
    assert not RecoveryCode.objects.exists()


def test_an_administrator_removes_it_for_who_lost_it(
    ann: User, browser: Client, clock: Clock
) -> None:
    turn_on(ann, clock)
    browser.force_login(User.objects.create_superuser("root"))
    path = f"/admin/accounts/secondfactor/{ann.pk}/delete/"
    assert browser.post(path, {"post": "yes"}).status_code == 302
    device = Client(HTTP_HOST="localhost")
    assert enter_password(device)["Location"] == "/jobs/"


def test_a_sign_in_does_not_wait_for_ever(
    ann: User, browser: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, _ = turn_on(ann, clock)
    enter_password(browser)
    late = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: late)
    answer = browser.post(STEP, {"code": totp_code(secret, clock.next())})
    assert answer["Location"] == "/sign-in/"
