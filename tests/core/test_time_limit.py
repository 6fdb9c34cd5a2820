"""Statements end at a deadline, and the session is as before afterwards."""

from __future__ import annotations

import time

import pytest
from django.db import connection, transaction

from devrag.core.time_limit import TimeLimitExceeded, remaining_seconds, time_limit

pytestmark = pytest.mark.django_db(transaction=True)


def run(statement: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return str(cursor.fetchone()[0])


def test_a_statement_ends_at_the_deadline() -> None:
    began = time.monotonic()
    with pytest.raises(TimeLimitExceeded, match="too long"), time_limit(0.2):
        run("SELECT pg_sleep(30)")
    assert time.monotonic() - began < 10
    assert run("SHOW statement_timeout") == "0"


def test_the_statements_share_one_limit() -> None:
    with time_limit(1.0):
        run("SELECT pg_sleep(0.5)")
        # It may take the rest, and what a round trip saves.
        assert 0 < int(run("SHOW statement_timeout").removesuffix("ms")) < 800


def test_nothing_begins_after_the_deadline() -> None:
    with time_limit(0.0), pytest.raises(TimeLimitExceeded):
        run("SELECT 1")
    assert run("SELECT 1") == "1"


def test_a_limit_within_a_limit_ends_alone() -> None:
    with time_limit(60):
        with pytest.raises(TimeLimitExceeded), time_limit(0.2):
            run("SELECT pg_sleep(30)")
        assert run("SELECT 1") == "1"
        left = remaining_seconds()
        assert left is not None
        assert left > 30
    assert remaining_seconds() is None


def test_an_inner_limit_cannot_be_longer() -> None:
    with time_limit(0.2), time_limit(60), pytest.raises(TimeLimitExceeded):
        run("SELECT pg_sleep(30)")


def test_a_transaction_can_be_undone_after_the_deadline() -> None:
    with transaction.atomic():
        with time_limit(0.2), pytest.raises(TimeLimitExceeded), transaction.atomic():
            run("SELECT pg_sleep(30)")
        assert run("SELECT 1") == "1"
    assert run("SHOW statement_timeout") == "0"


def test_without_a_limit_nothing_is_limited() -> None:
    with time_limit(None):
        assert remaining_seconds() is None
        assert run("SHOW statement_timeout") == "0"
