"""What a benchmark reads of an exported wiki."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.exported_wiki import (
    CitedPlace,
    CitedSentence,
    ExportedPage,
    read_wiki,
    size_of,
)


@pytest.fixture
def pages(exported_wiki: Path) -> list[ExportedPage]:
    return read_wiki(exported_wiki)


@pytest.fixture
def sentences(pages: list[ExportedPage]) -> list[CitedSentence]:
    return list(pages[0].cited_sentences())


def test_the_front_page_comes_first_and_only_pages_count(
    pages: list[ExportedPage],
) -> None:
    assert [page.path for page in pages] == ["index.md", "features/till.md"]


def test_a_folder_without_pages_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no Markdown files"):
        read_wiki(tmp_path)


def test_a_reader_sees_no_citations(pages: list[ExportedPage]) -> None:
    assert "charging a customer. It is small" in pages[0].text
    assert "[^" not in pages[0].text


def test_words_are_those_outside_of_diagrams_and_rules_of_tables() -> None:
    text = (
        "# Two words\n\n| a | b |\n| --- | --- |\n\n```mermaid\nc d e\n```\n\nf.[^1]\n"
    )
    assert ExportedPage("x.md", text).words == 5


@pytest.mark.parametrize("quotation", ["> one two", "- > one two", "  > one two"])
def test_quoted_words_are_those_of_block_quotations(quotation: str) -> None:
    page = ExportedPage("x.md", f"{quotation}\n\nthree > four five\n")
    assert (page.quoted_words, page.words) == (2, 5)


def test_size_gives_the_quoted_share_of_all_pages() -> None:
    pages = [ExportedPage("a.md", "> one\n"), ExportedPage("b.md", "two three four\n")]
    assert size_of(pages) == {"pages": 2, "words": 4, "quoted_share": 0.25}


def test_a_sentence_has_the_places_of_its_footnotes(
    sentences: list[CitedSentence],
) -> None:
    first = sentences[0]
    version = first.places[0].version
    assert first == CitedSentence(
        "index.md",
        "Shop",
        "",
        "The shop is about charging a customer.",
        (CitedPlace("shop", "shop/till.py", 1, 2, version),),
        is_quotation=False,
    )
    assert len(version) == 12


def test_a_sentence_comes_with_the_one_before_it(
    sentences: list[CitedSentence],
) -> None:
    second = sentences[1]
    assert second.text == "It is small, and keeping orders."
    assert second.before == "The shop is about charging a customer."


def test_quotations_are_told_apart(sentences: list[CitedSentence]) -> None:
    quoted = [each.text for each in sentences if each.is_quotation]
    assert quoted == ["Tea is served."]


def test_a_row_comes_with_the_head_of_its_table(
    sentences: list[CitedSentence],
) -> None:
    row = sentences[-1]
    assert row.text == "| `charge` | Takes money. |"
    assert row.before == "| Name | Meaning |"


def test_an_item_may_cite_several_places(sentences: list[CitedSentence]) -> None:
    (item,) = (each for each in sentences if each.text.startswith("Till"))
    assert [place.path for place in item.places] == ["shop/till.py", "README.md"]


def test_what_cites_nothing_is_no_claim(sentences: list[CitedSentence]) -> None:
    assert len(sentences) == 5
    assert not any("refund" in each.text for each in sentences)


def test_a_sentence_keeps_its_signs_of_comparison() -> None:
    note = "[^1]: answer `shop/till.py:3-4`"
    page = ExportedPage("x.md", f"It stops if `n > limit` and a > b.[^1]\n\n{note}\n")
    assert [each.text for each in page.cited_sentences()] == [
        "It stops if `n > limit` and a > b."
    ]
