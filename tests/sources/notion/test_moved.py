"""Texts of pages that lie elsewhere, or link to pages that do."""

from __future__ import annotations

import pytest

from devrag.sources.api import DocumentFacts, read_document
from devrag.sources.connectors.notion.moved import Moves, moved_text
from devrag.sources.documents import write_document

PLAIN = "0123456789abcdef0123456789abcdef"
MOVES = Moves(
    {
        "A/Old": "A/New (1)",
        "A/Old/Page": "A/New (1)/Page",
        "B": "B",
        "B/100%": "C/100%",
    },
    {"A/Gone": f"https://www.notion.so/{PLAIN}"},
    lambda url: "B" if url.endswith(f"{PLAIN}?pvs=4") else "",
)


def moved(body: str, before: str, after: str) -> str:
    text = write_document(DocumentFacts("Page", place=("A", "Old")), body)
    found = moved_text(text, before, after, MOVES, ("A", "New (1)"))
    facts = read_document(found)
    assert facts is not None
    assert facts.place == (("A", "Old") if before == after else ("A", "New (1)"))
    return found.partition("\n---\n\n")[2].rstrip("\n")


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[up](../Old.md)", "[up](../New%20%281%29.md)"),
        ("[other](../../B.md)", "[other](../../B.md)"),
        ("[more](../../B/100%.md)", "[more](../../C/100%.md)"),
        ("[gone](../Gone.md)", f"[gone](https://www.notion.so/{PLAIN})"),
        ("[unknown](../../X.md)", "[unknown](../../X.md)"),
        ("[web](https://a.example/x.md)", "[web](https://a.example/x.md)"),
        (f"[known](https://www.notion.so/{PLAIN}?pvs=4)", "[known](../../B.md)"),
        (f"![shot](https://www.notion.so/{PLAIN}?pvs=4)", None),
        (f"[block](https://www.notion.so/{PLAIN}?pvs=4#{PLAIN})", None),
    ],
)
def test_links_lead_to_where_pages_lie_now(link: str, expected: str | None) -> None:
    found = moved(f"# Page\n\n{link}", "A/Old/Page", "A/New (1)/Page")
    assert found == f"# Page\n\n{expected or link}"


def test_a_page_that_stays_has_links_to_those_that_do_not() -> None:
    found = moved("See [it](A/Old/Page.md).", "B", "B")
    assert found == "See [it](A/New%20%281%29/Page.md)."


def test_files_stay_beside_a_page_of_another_name() -> None:
    found = moved("[a.csv](Page/a.csv)", "A/Old/Page", "A/New (1)/Page (2)")
    assert found == "[a.csv](Page%20%282%29/a.csv)"


def test_what_is_no_page_of_ours_stays() -> None:
    text = "no head\n---\n[up](../Old.md)"
    assert moved_text(text, "A/Old/Page", "A/New (1)/Page", MOVES, ()) == text
