"""Statements end at a deadline, and the session is as before afterwards."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from django.db import OperationalError, ProgrammingError, connection, transaction

from devrag.core.time_limit import TimeLimitExceeded, remaining_seconds, time_limit

pytestmark = pytest.mark.django_db(transaction=True)

_TIMEOUT = "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'"  # in ms


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
    with time_limit(10):
        run("SELECT pg_sleep(0.5)")
        # It may take the rest, and what a round trip saves.
        assert 0 < int(run(_TIMEOUT)) <= 9_750


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


def test_nothing_of_an_inner_limit_is_left_behind() -> None:
    with suppress(LookupError), time_limit(60), time_limit(30):
        run("SELECT 1")
        raise LookupError
    assert run("SHOW statement_timeout") == "0"


def test_the_limit_holds_after_a_rollback_that_undid_it() -> None:
    with time_limit(60):
        with suppress(ProgrammingError), transaction.atomic():
            run("SELECT no_such_column")
        assert run("SHOW statement_timeout") != "0"


def test_a_lost_connection_fails_as_any_statement_does() -> None:
    with time_limit(60), connection.cursor() as cursor:
        connection.connection.close()
        with pytest.raises(OperationalError):
            cursor.execute("SELECT 1")
    connection.close()
    assert run("SHOW statement_timeout") == "0"


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
