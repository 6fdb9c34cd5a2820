"""prepared_cursor(): each connection plans a statement once; Django still sees it."""

from __future__ import annotations

import pytest
from django.db import DataError, connection
from django.test.utils import CaptureQueriesContext

from devrag.search.prepared import prepared_cursor

_STATEMENT = "SELECT %s::int / %s::int"


def _ask(one: int, other: int) -> int:
    with prepared_cursor() as cursor:
        cursor.execute(_STATEMENT, [one, other])
        return int(cursor.fetchone()[0])


@pytest.mark.django_db
def test_a_statement_is_planned_once_for_all_values() -> None:
    assert [_ask(6, 3), _ask(8, 2), _ask(9, 1)] == [2, 4, 9]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT generic_plans, custom_plans FROM pg_prepared_statements "
            "WHERE statement LIKE 'SELECT $1::int /%%'"
        )
        assert cursor.fetchall() == [(3, 0)]


@pytest.mark.django_db
def test_statements_are_counted_with_all_others() -> None:
    with CaptureQueriesContext(connection) as captured:
        _ask(6, 3)
    assert len(captured) == 1


@pytest.mark.django_db
def test_the_databases_errors_are_djangos() -> None:
    with pytest.raises(DataError, match="division by zero"):
        _ask(1, 0)
