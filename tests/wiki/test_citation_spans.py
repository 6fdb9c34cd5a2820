"""A citation points at the lines that bear its sentence, not at a whole chunk."""

from __future__ import annotations

import pytest

from devrag.wiki.evidence.page_evidence import MOST_LINES, EvidenceBook
from devrag.wiki.writing.model.citation_spans import bearing_lines, narrow_citations
from tests.wiki.shop import analyse

FILLER = ["x = 1"] * 60
LONG = "\n".join(
    [
        "class Till:",
        *FILLER,
        "    def charge(self, amount):",
        '        """Take the money, tax included."""',
        "        return amount + self.tax",
        *FILLER,
        "    def 在庫確認(self):  # 在庫を数える",
    ]
)


@pytest.mark.parametrize(
    ("sentence", "lines"),
    [
        ("`charge()` takes the money with its tax [[E1]].", (61, 62)),
        ("It is a `Till` [[E1]].", (0, 0)),
        ("ここで在庫を数える [[E1]]。", (124, 124)),
        ("Nothing of that is there [[E1]].", (0, MOST_LINES - 1)),
    ],
)
def test_the_window_holds_what_the_sentence_names(
    sentence: str, lines: tuple[int, int]
) -> None:
    assert bearing_lines(sentence, LONG) == lines


def test_no_window_is_wider_than_40_lines() -> None:
    first, last = bearing_lines("`Till` has `charge` and 在庫確認 [[E1]].", LONG)
    assert last - first < MOST_LINES


def test_markers_move_to_items_of_those_lines() -> None:
    analysis = analyse({"till.py": LONG})
    book = EvidenceBook(analysis.files, analysis.texts)
    book.hold(1, 1, LONG.count("\n") + 1)
    text = narrow_citations("# Till\n\n`charge()` takes money [[E1]].\n", book)
    assert text == "# Till\n\n`charge()` takes money [[E2]].\n"
    assert (book.items[1].start_line, book.items[1].end_line) == (62, 63)


def test_a_name_far_from_the_rest_keeps_its_lines() -> None:
    analysis = analyse({"till.py": LONG})
    book = EvidenceBook(analysis.files, analysis.texts)
    book.hold(1, 1, LONG.count("\n") + 1)
    said = "`charge()` of `Till` takes the money with its tax [[E1]].\n"

    text = narrow_citations(said, book)

    assert text.endswith("with its tax [[E2]] [[E3]].\n")
    assert [item.start_line for item in book.items[1:]] == [62, 1]
