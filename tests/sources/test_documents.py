"""What a page says of itself, above its text."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devrag.core.text import clean_text
from devrag.sources.documents import (
    DocumentFacts,
    read_document,
    read_time,
    text_of_document,
    write_document,
)

TICKET = DocumentFacts(
    title="支払い — تقرير 🚀",
    kind="ticket",
    place=("Shop", "Payment: flow"),
    status="In review",
    is_closed=True,
    author="Aoi \u2028 Tanaka",
    labels=("bug", "a: b"),
    created="2026-01-02T03:04:05+09:00",
    changed="2026-01-03T00:00:00Z",
    url="https://tracker.example/issues/7?a=1#b",
    version="12",
)


def test_what_is_written_is_read() -> None:
    assert read_document(write_document(TICKET, "Body\n---\nmore")) == TICKET


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(), st.lists(st.text(), max_size=3), st.text())
def test_any_words_come_back(title: str, labels: list[str], body: str) -> None:
    facts = DocumentFacts(
        title=clean_text(title) or "-", labels=tuple(map(clean_text, labels))
    )
    assert read_document(write_document(facts, body)) == facts


def test_the_head_is_yaml_with_the_body_below() -> None:
    text = write_document(DocumentFacts("A", labels=("x",)), "\nBody\n\n")
    assert text == '---\ntitle: "A"\nkind: "page"\nlabels: ["x"]\n---\n\nBody\n'


@pytest.mark.parametrize(
    "text",
    ["", "---", "no head", "---\ntitle: 5\n---\n", '---\nkind: "page"\n---\n', "---\n"],
)
def test_a_text_without_such_a_head_is_none(text: str) -> None:
    assert read_document(text) is None


def test_values_of_another_form_do_no_harm() -> None:
    text = '---\ntitle: "A"\nplace: 5\nkind: "x"\nis_closed: "no"\nurl: "javascript:x"'
    found = read_document(f"{text}\nother: 1\nbroken: {{\n---\n")
    assert found == DocumentFacts("A")


@pytest.mark.parametrize("written", ["", "yesterday", "2026-13-01", "0001-01-01T00+14"])
def test_a_time_that_is_none_is_not_known(written: str) -> None:
    assert read_time(written) is None


def test_times_are_in_utc() -> None:
    assert TICKET.created_at == datetime(2026, 1, 1, 18, 4, 5, tzinfo=UTC)
    assert read_time("2026-01-03") == datetime(2026, 1, 3, tzinfo=UTC)


def test_a_head_with_values_that_cannot_be_stored_is_cleaned() -> None:
    head = r'---\ntitle: "a\u0000\ud800"\nkind: []\nurl: "http://[x"\n---\n'
    found = read_document(head.replace(r"\n", "\n"))
    assert found is not None
    assert (found.title, found.kind, found.url) == ("a\ufffd\ufffd", "page", "")


def test_a_part_is_read_without_the_lines_above_the_text() -> None:
    facts = DocumentFacts(title="A", labels=("x",), is_closed=True, kind="ticket")
    written = write_document(facts, "# A\n\nstatus: of the ship\n")
    assert text_of_document(written) == "# A\n\nstatus: of the ship"
    assert text_of_document(written.partition("\n---\n")[0]) == ""
    assert text_of_document('Text.\nkind: "ticket"\nlabels: ["x"]') == "Text."
