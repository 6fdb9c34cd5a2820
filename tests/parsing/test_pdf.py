from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devrag.parsing.api import Decoded, Unreadable, extract, parse_file
from devrag.parsing.types import ChunkFacts

from .pdfs import encrypted, make_pdf, page_of

GUIDE = make_pdf(
    [page_of("Tea guide", "Brew green tea at 70 degrees."), page_of("More on kettles.")]
)
SCANNED = page_of()


def _read(data: bytes, path: str = "guide.pdf") -> Decoded:
    found = extract(path, data)
    assert isinstance(found, Decoded)
    return found


def _chunks(data: bytes) -> list[ChunkFacts]:
    return list(parse_file("docs/guide.pdf", _read(data).text).chunks)


def _reason(data: bytes) -> str:
    found = extract("guide.pdf", data)
    assert isinstance(found, Unreadable)
    return found.reason


def test_pages_are_told_apart_by_a_form_feed() -> None:
    found = _read(GUIDE)
    assert found.text == (
        "\nTea guide\nBrew green tea at 70 degrees.\n\f\n\nMore on kettles.\n"
    )
    assert (found.encoding, found.warnings) == ("pdf", ())


def test_a_page_is_a_chunk_that_says_its_number() -> None:
    first, second = _chunks(GUIDE)
    assert (first.heading, first.kind) == ("Page 1", "window")
    assert (second.heading, second.text) == ("Page 2", "More on kettles.")
    assert (second.start_line, second.end_line) == (6, 6)


def test_page_numbers_count_pages_without_text() -> None:
    data = make_pdf([page_of("one"), SCANNED, page_of("three")])
    assert [c.heading for c in _chunks(data)] == ["Page 1", "Page 3"]


def test_bookmarks_become_sections_that_begin_at_their_title() -> None:
    data = make_pdf(
        [
            page_of("Chapter 1", "About leaves.", "1.1 Green", "Light and fresh."),
            page_of("Chapter 2", "About water."),
        ],
        outline=[("Chapter 1", 0), (">1.1 Green", 0), ("Chapter 2", 1)],
    )
    chunks = _chunks(data)
    sections = {c.heading: c for c in chunks if c.kind == "section"}
    assert [(h, c.depth) for h, c in sections.items()] == [
        ("Chapter 1", 1),
        ("1.1 Green", 2),
        ("Chapter 2", 1),
    ]
    assert sections["1.1 Green"].text == "1.1 Green\nLight and fresh."
    assert sections["1.1 Green"].parent == sections["Chapter 1"].ordinal
    pages = {c.heading: c for c in chunks if c.kind == "window"}
    assert pages["Page 2"].parent == sections["Chapter 2"].ordinal
    assert pages["Page 2"].header == "docs/guide.pdf > Chapter 2 > Page 2"


def test_a_chapter_over_the_limit_is_left_to_its_pages() -> None:
    page = page_of(*["Tea grows on hills and in valleys, slowly and well."] * 40)
    chunks = _chunks(make_pdf([page] * 5, outline=[("Chapter 1", 0)]))
    assert {c.kind for c in chunks} == {"window"}
    assert {c.heading for c in chunks} == {f"Page {n}" for n in range(1, 6)}
    assert all("Chapter 1" in c.header for c in chunks)


def test_scanned_pages_are_named() -> None:
    pages = [page_of("one"), page_of("two"), SCANNED, SCANNED, SCANNED, page_of("six")]
    found = _read(make_pdf([*pages, SCANNED]))
    assert found.warnings == ("scanned or blank: no text on pages 3-5, 7",)


def test_a_scanned_document_says_so() -> None:
    assert _reason(make_pdf([SCANNED] * 3)) == "scanned PDF (no text on 3 pages)"


def test_an_encrypted_document_says_so() -> None:
    assert _reason(encrypted(GUIDE, "open sesame")) == "encrypted PDF"


def test_an_empty_password_is_tried() -> None:
    assert "Brew green tea" in _read(encrypted(GUIDE, "")).text


@pytest.mark.parametrize("data", [GUIDE[: len(GUIDE) // 2], b"%PDF-1.7\nnothing"])
def test_a_broken_document_says_so(data: bytes) -> None:
    assert _reason(data).startswith("broken PDF (")


def test_a_pdf_is_known_by_its_bytes_whatever_its_name() -> None:
    assert _read(GUIDE, "guide.bin").encoding == "pdf"
    assert _read(b"\n\n" + GUIDE, "guide.pdf").encoding == "pdf"


def test_a_text_named_pdf_is_a_text() -> None:
    assert _read(b"not a PDF at all\n").encoding == "utf-8"


@pytest.mark.slow
def test_a_page_that_unpacks_to_gigabytes_costs_only_itself() -> None:
    bomb = b"BT /F1 12 Tf " + b"(a) Tj " * 12_000_000
    found = _read(make_pdf([page_of("before"), bomb, page_of("after")]))
    assert found.warnings == ("page 2 could not be read (too large when unpacked)",)
    assert "before" in found.text
    assert "after" in found.text


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.integers(0, len(GUIDE) - 1), st.binary(min_size=1, max_size=40))
def test_damaged_bytes_never_raise(place: int, damage: bytes) -> None:
    data = GUIDE[:place] + damage + GUIDE[place + len(damage) :]
    found = extract("guide.pdf", data)
    assert isinstance(found, Decoded | Unreadable)


@given(st.text(alphabet="\f\n# ab", max_size=60))
@settings(deadline=None)
def test_any_text_parses_with_every_line_in_a_chunk(text: str) -> None:
    facts = parse_file("a.pdf", text)
    assert not facts.warnings
    for number, line in enumerate(text.split("\n"), start=1):
        for at in facts.chunks:
            assert at.start_line <= at.end_line
        if line.strip():
            assert any(c.start_line <= number <= c.end_line for c in facts.chunks)
