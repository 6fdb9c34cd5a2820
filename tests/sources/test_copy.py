"""Rows by COPY fail as other statements fail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import IntegrityError, OperationalError, connection

from devrag.sources.copy import copy_rows

TABLE, COLUMNS = "django_content_type", ("app_label", "model")
pytestmark = pytest.mark.django_db(transaction=True)


def test_a_row_that_cannot_be() -> None:
    with pytest.raises(IntegrityError):
        copy_rows(TABLE, COLUMNS, [("tea", "cup"), ("tea", "cup")])


def test_a_server_that_goes_meanwhile() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (ours,) = cursor.fetchone()

    def rows() -> Iterator[tuple[str, str]]:
        yield "tea", "cup"
        other = connection.copy()
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [ours])
        other.close()
        yield "tea", "pot"

    with pytest.raises(OperationalError):
        copy_rows(TABLE, COLUMNS, rows())
    connection.close()
