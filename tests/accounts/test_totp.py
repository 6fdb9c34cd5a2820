"""Codes by RFC 6238, once each, with a clock that may be off by half a minute."""

from __future__ import annotations

import base64

import pytest

from devrag.accounts.totp import (
    accepted_counter,
    make_totp_secret,
    totp_address,
    totp_code,
)

# The RFC's secret and moments; its codes have eight digits, of which we show six.
RFC = base64.b32encode(b"12345678901234567890").decode()


@pytest.mark.parametrize(
    ("now", "code"),
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
        (20000000000, "353130"),
    ],
)
def test_codes_are_those_of_the_rfc(now: int, code: str) -> None:
    assert totp_code(RFC, now) == code
    assert accepted_counter(RFC, code, now=now, last_counter=0) == now // 30


@pytest.mark.parametrize(
    ("away", "is_taken"),
    [(-60, False), (-30, True), (0, True), (30, True), (60, False)],
)
def test_clocks_may_be_a_step_apart(away: int, is_taken: bool) -> None:
    code = totp_code(RFC, 1_000_000_020 + away)
    found = accepted_counter(RFC, code, now=1_000_000_020, last_counter=0)
    assert (found is not None) is is_taken


def test_a_code_or_an_older_one_does_not_count_again() -> None:
    now = 1_000_000_020
    counter = accepted_counter(RFC, totp_code(RFC, now), now=now, last_counter=0)
    assert counter is not None
    for code in (totp_code(RFC, now), totp_code(RFC, now - 30)):
        assert accepted_counter(RFC, code, now=now, last_counter=counter) is None
    after = totp_code(RFC, now + 30)
    assert accepted_counter(RFC, after, now=now, last_counter=counter) == counter + 1


@pytest.mark.parametrize(
    "code", ["", "28708", "2870820", "２８７０８２", "28708a", "-28708"]
)
def test_what_is_no_code(code: str) -> None:
    assert accepted_counter(RFC, code, now=59, last_counter=0) is None


def test_the_address_is_what_apps_read() -> None:
    secret = make_totp_secret()
    address = totp_address(secret, "ann", "devrag host")
    assert address.startswith("otpauth://totp/devrag%20host:ann?")
    assert f"secret={secret}" in address
    assert secret != make_totp_secret()
