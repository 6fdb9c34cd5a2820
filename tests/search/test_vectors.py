"""Tokens as PostgreSQL's search types: its own parsers never see them."""

from __future__ import annotations

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from devrag.search.wiki_sections.vectors import phrase_of, quote, vector_of


def test_fields_have_weights_and_a_gap_between_them() -> None:
    assert vector_of([("Basket", "A"), ("read it", "D")]) == (
        "'basket':1A 'read':4D 'it':5D"
    )


def test_a_phrase_is_of_neighbours() -> None:
    assert phrase_of("Read it!") == "'read' <-> 'it'"
    assert phrase_of("!") == ""


@pytest.mark.django_db
@given(st.text(min_size=1).filter(lambda text: "\0" not in text))
def test_any_token_survives(token: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tsvector_to_array(%s::tsvector)", [f"{quote(token)}:1"])
        assert cursor.fetchone() == ([token],)
