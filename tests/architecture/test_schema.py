"""The page about the database says what the models and the database itself say."""

from __future__ import annotations

import importlib.util
import re

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection

from devrag.wiki.checking.mermaid import shared_parser
from tests.architecture.modules import ROOT

_spec = importlib.util.spec_from_file_location("schema", ROOT / "scripts" / "schema.py")
assert _spec
assert _spec.loader
schema = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(schema)

PAGE = (ROOT / "docs" / "data-schema.md").read_text()
TABLES = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", PAGE, re.M | re.S))
# Those of Django and allauth, and the tables of vectors: one for each model, made when
# it is chosen.
_OTHERS = re.compile(r"auth_|account_|django_|search_embedding_\d|unfold_")
_COLUMN = re.compile(r"^\| `(\w+)` \| ([^|]+) \| (yes)? *\|.*\| ([^|]*) \|$", re.M)


def test_the_page_is_what_the_models_say() -> None:
    assert schema.render_page() == PAGE, "Run: make schema"


def test_every_column_has_a_meaning_and_every_table_a_purpose() -> None:
    assert TABLES
    for table, text in TABLES.items():
        assert not text.lstrip().startswith("|"), table
        empty = [row[0] for row in _COLUMN.findall(text) if not row[3].strip()]
        assert empty == [], table


def test_no_meaning_is_left_of_a_column_that_is_gone() -> None:
    columns = {
        table: {row[0] for row in _COLUMN.findall(t)} for table, t in TABLES.items()
    }
    for table, words in schema._WORDS.items():
        known = set().union(*columns.values()) if table == "*" else columns[table]
        assert set(words) <= known, table


@pytest.mark.django_db
def test_the_page_has_the_columns_of_the_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name, is_nullable = 'YES' "
            "FROM information_schema.columns WHERE table_schema = 'public'"
        )
        found = {row for row in cursor.fetchall() if not _OTHERS.match(row[0])}
    told = {
        (table, row[0], row[2] == "yes")
        for table, text in TABLES.items()
        for row in _COLUMN.findall(text)
    }
    assert told == found


@pytest.mark.django_db
def test_the_page_has_the_named_indexes_of_the_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname FROM pg_indexes WHERE schemaname = 'public' "
            "AND tablename = ANY(%s)",
            [list(TABLES)],
        )
        stored = {row[0] for row in cursor.fetchall()}
    told = set(re.findall(r"^\* (?:unique|index) `(\w+)`", PAGE, re.M))
    assert told <= stored


@pytest.mark.parametrize("package", [c.label for c in apps.get_app_configs()])
def test_the_diagrams_are_accepted_by_the_parser(package: str) -> None:
    models = schema.list_models(apps.get_app_config(package))
    if models:
        diagram = schema.draw(models)
        assert diagram in PAGE
        assert shared_parser(settings.MERMAID_PATH).error_in(diagram) is None
