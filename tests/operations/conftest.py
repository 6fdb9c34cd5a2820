"""A PostgreSQL of its own for the tests of backups."""

from __future__ import annotations

from tests.runtime.conftest import session_postgres

__all__ = ["session_postgres"]  # a fixture
