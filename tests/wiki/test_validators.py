"""Each gate sees its planted fault, cuts it and says so."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings

from devrag.wiki.analysis.names import Names
from devrag.wiki.checking.mermaid import shared_parser
from devrag.wiki.checking.validators import Gates, check_page, check_pages
from devrag.wiki.evidence.page_evidence import EvidenceBook, problem_with
from tests.wiki.shop import analyse

GOOD = "flowchart TD\n  a --> b"
BAD = "flowchart TD\n  a -->"


def check(
    markdown: str, *, broken: dict[str, str] | None = None
) -> tuple[str, list[str]]:
    analysis = analyse({"a.py": "def work():\n    return 1\n"})
    book = EvidenceBook(analysis.files, analysis.texts)
    book.cite(1, 1, 2)
    gates = Gates(
        page="features/a.md",
        pages=frozenset({"index.md", "features/a.md"}),
        names=Names({"work"}),
        items={item.id: item for item in book.items},
        broken_items=broken or {},
        diagram_error=shared_parser(settings.MERMAID_PATH).error_in,
    )
    text, findings = check_page(markdown, gates)
    return text, [finding.gate for finding in findings]


@pytest.mark.parametrize(
    ("sentence", "gate"),
    [
        ("It leans on nothing [[E99]].", "citation"),
        ("It calls `vanish()` daily.", "name"),
        ("It is in `src/gone.py` now.", "name"),
        ("Unlike `vanish()` it is here.", "name"),
        ("See [more](gone.md) there.", "link"),
        ("See [more](#gone) there.", "link"),
        ("See [more](https://x.example) there.", "link"),
        ("A <script>alert(1)</script> here.", "html"),
    ],
)
def test_only_the_failing_sentence_is_cut(sentence: str, gate: str) -> None:
    text, gates = check(f"# A\n\nIt has `work()` [[E1]]. {sentence} It ends here.\n")
    assert gates == [gate]
    assert text == "# A\n\nIt has `work()` [[E1]]. It ends here.\n"


def test_a_name_in_the_cited_lines_exists() -> None:
    text = "# A\n\nIt says `return` [[E1]].\n"
    assert check(text) == (text, [])


def test_evidence_that_changed_since_is_cut() -> None:
    _, gates = check("# A\n\nIt works [[E1]].\n", broken={"E1": "a.py has changed"})
    assert gates == ["citation"]


def test_a_list_item_without_its_first_sentence_goes_whole() -> None:
    text, _ = check("# A\n\n- `gone()` is here. It works.\n- `work()` is here.\n")
    assert text == "# A\n\n- `work()` is here.\n"


def test_a_table_loses_the_rows_that_fail_and_goes_with_the_last() -> None:
    table = "| A | B |\n| --- | --- |\n| `gone()` | x |\n"
    text, gates = check(f"# A\n\n{table}| `work()` | y |\n")
    assert "| `work()` | y |" in text
    assert "gone" not in text
    assert gates == ["name"]
    assert "|" not in check(f"# A\n\nIt stays.\n\n{table}")[0]


def test_a_heading_with_nothing_left_goes_too() -> None:
    text, _ = check("# A\n\nText here.\n\n## B\n\n`gone()` is here.\n\n## C\n\nMore.\n")
    assert "## B" not in text
    assert "## C" in text


def test_a_broken_diagram_is_cut_and_a_good_one_stays() -> None:
    page = f"# A\n\n```mermaid\n{GOOD}\n```\n\n```mermaid\n{BAD}\n```\n"
    text, gates = check(page)
    assert gates == ["diagram"]
    assert GOOD in text
    assert BAD + "\n```" not in text


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("return 1", "return 2"),
        lambda text: "\n" + text,
        lambda text: "",
    ],
)
def test_evidence_is_held_against_the_file(change: Callable[[str], str]) -> None:
    analysis = analyse({"a.py": "def work():\n    return 1\n"})
    book = EvidenceBook(analysis.files, analysis.texts)
    book.cite(1, 1, 2)
    text = analysis.texts.text(1)
    assert problem_with(book.items[0], analysis.files[1], text) == ""
    assert problem_with(book.items[0], analysis.files[1], change(text))


def test_pages_that_are_empty_twice_or_missing_are_found() -> None:
    words = "one two three four five six seven eight nine"
    pages = {"a.md": f"# A\n\n{words}\n", "b.md": f"# B\n\n{words}\n", "c.md": "# C\n"}
    kept, findings = check_pages(pages, ["a.md", "b.md", "c.md", "d.md"])
    assert list(kept) == ["a.md"]
    assert sorted(f.page for f in findings) == ["b.md", "c.md", "d.md"]


def test_a_link_to_a_page_that_was_dropped_becomes_text() -> None:
    words = "one two three four five six seven eight nine"
    pages = {"a.md": f"# A\n\n{words} [b](b.md#x) [1](cite:1)\n", "b.md": "# B\n"}
    kept, _ = check_pages(pages, pages)
    assert kept["a.md"].endswith("nine b [1](cite:1)\n")


def test_a_node_of_a_diagram_leads_to_pages_only() -> None:
    good = '  click a href "../index.md"'
    bad = '  click b href "https://x.example"'
    text, gates = check(f"# A\n\n```mermaid\n{GOOD}\n{good}\n{bad}\n```\n")
    assert gates == ["link"]
    assert text == f"# A\n\n```mermaid\n{GOOD}\n{good}\n```\n"
