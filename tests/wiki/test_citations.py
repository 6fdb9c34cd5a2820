"""Markers become numbered citations; excerpts are narrow and shared."""

from __future__ import annotations

from devrag.wiki.evidence.citations import (
    after_punctuation,
    as_footnotes,
    render_citations,
)
from devrag.wiki.evidence.page_evidence import MOST_LINES, EvidenceBook
from tests.wiki.shop import COMMIT, analyse

TEXT = "".join(f"line {n}\n" for n in range(1, 101))


def book_of(text: str = TEXT, **options: int) -> EvidenceBook:
    analysis = analyse({"a.txt": text})
    return EvidenceBook(analysis.files, analysis.texts, **options)


def test_numbers_follow_first_use_and_are_shared() -> None:
    book = book_of()
    first, second = book.cite(1, 1, 2), book.cite(1, 5, 5)
    page = f"# A\n\nOne{second}. Two{first}. Three{second}.\n"
    text, claims = render_citations(page, book.items)
    assert text == ("# A\n\nOne [1](cite:1). Two [2](cite:2). Three [1](cite:1).\n")
    assert [(c.ordinal, c.sentence, c.start_line) for c in claims] == [
        (1, "One.", 5),
        (2, "Two.", 1),
    ]


def test_a_claim_keeps_its_place_version_and_excerpt() -> None:
    book = book_of()
    _, (claim,) = render_citations(f"It says{book.cite(1, 3, 4)}.\n", book.items)
    assert (claim.source, claim.path) == ("shop", "a.txt")
    assert claim.version_identifier == COMMIT
    assert claim.excerpt == "line 3\nline 4"
    assert len(claim.content_hash) == 64


def test_evidence_is_at_most_forty_lines() -> None:
    book = book_of()
    book.cite(1, 10, 99)
    (item,) = book.items
    assert item.end_line - item.start_line + 1 == MOST_LINES


def test_equal_places_are_one_item() -> None:
    book = book_of()
    assert book.cite(1, 1, 2) == book.cite(1, 1, 2)
    assert len(book.items) == 1


def test_what_the_budget_cuts_is_counted() -> None:
    book = book_of(budget_lines=5)
    assert book.cite(1, 1, 4)
    assert book.cite(1, 10, 14) == ""
    assert book.left_out == 1


def test_lines_beyond_the_file_are_no_evidence() -> None:
    assert book_of("one\n").cite(1, 40, 50) == ""


def test_markers_in_diagrams_are_left_alone() -> None:
    page = "# A\n\n```mermaid\nflowchart TD\n  a[[E1]]\n```\n"
    assert render_citations(page, ())[0] == page


def test_exported_citations_are_footnotes_with_path_and_lines() -> None:
    book = book_of()
    rendered = render_citations(f"It says{book.cite(1, 3, 4)}.\n", book.items)
    assert as_footnotes(*rendered) == (
        f"It says[^1].\n\n[^1]: shop `a.txt:3-4` at {COMMIT[:12]}\n"
    )


def test_citations_of_a_japanese_list_stay_with_their_names() -> None:
    text = "A [1](cite:1)、B [2](cite:2)。\n\nC [3](cite:3)."
    moved = "A [1](cite:1)、B。[2](cite:2)\n\nC.[3](cite:3)"
    assert after_punctuation(text) == moved
