"""A sentence cites lines that stand together once, and keeps all that it cites."""

from __future__ import annotations

from devrag.wiki.evidence.joined_citations import join_citations
from devrag.wiki.evidence.page_evidence import MARKER, EvidenceBook
from tests.wiki.shop import analyse

TEXT = "\n".join(f"line_{n} = {n}" for n in range(1, 81)) + "\n"


def book_of_lines() -> tuple[EvidenceBook, int]:
    analysis = analyse({"app/lines.py": TEXT})
    [file] = [f for f in analysis.survey.files if f.path == "app/lines.py"]
    return EvidenceBook(analysis.files, analysis.texts), file.id


def cited_lines(text: str, book: EvidenceBook) -> list[tuple[int, int]]:
    items = {item.id: item for item in book.items}
    found = [items[key] for key in MARKER.findall(text)]
    return [(item.start_line, item.end_line) for item in found]


def test_one_place_is_cited_once_in_a_sentence() -> None:
    book, file = book_of_lines()
    mark = book.cite(file, 3, 4)
    text = join_citations(f"It sets `line_3`{mark} and `line_4`{mark}.\n", book)
    assert text == f"It sets `line_3` and `line_4`{mark}.\n"


def test_lines_that_stand_together_are_one_place() -> None:
    book, file = book_of_lines()
    one, other = book.cite(file, 3, 4), book.cite(file, 6, 9)
    text = join_citations(f"It sets `line_3`{one}, then more{other}.\n", book)
    assert cited_lines(text, book) == [(3, 9)]


def test_lines_far_apart_stay_two_places() -> None:
    book, file = book_of_lines()
    one, other = book.cite(file, 3, 4), book.cite(file, 40, 41)
    said = f"It sets `line_3`{one}, then more{other}.\n"
    assert join_citations(said, book) == said


def test_a_long_stretch_is_not_joined() -> None:
    book, file = book_of_lines()
    said = f"All{book.cite(file, 1, 14)} of it{book.cite(file, 15, 28)}.\n"
    assert join_citations(said, book) == said


def test_each_sentence_keeps_its_own_mark() -> None:
    book, file = book_of_lines()
    mark = book.cite(file, 3, 4)
    said = f"It is one{mark}. It is another{mark}.\n"
    assert join_citations(said, book) == said


def test_a_row_is_cited_at_its_first_cell() -> None:
    book, file = book_of_lines()
    mark = book.cite(file, 3, 4)
    said = f"| Name | What |\n| --- | --- |\n| `line_3`{mark} | Three{mark}. |\n"
    row = join_citations(said, book).splitlines()[-1]
    assert row == f"| `line_3`{mark} | Three. |"


def test_code_and_headings_stay_as_they_are() -> None:
    book, _ = book_of_lines()
    said = "# A title\n\n```python\nx = [[1], [1]]\n```\n"
    assert join_citations(said, book) == said
