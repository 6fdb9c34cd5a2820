"""Numbers of citations, and the lines that they narrow down to."""

from __future__ import annotations

from devrag.ask.writing.citation_numbers import CitationNumbers
from devrag.wiki.evidence.blocks import split_blocks
from tests.ask.passages import PASSAGES, passage

LONG = passage(
    "E4",
    "shop/long.py",
    "\n".join(
        [f"line_{n} = {n}" for n in range(40)]
        + ["def refund(order):", "    order.cancel()", "    pay_back(order)"]
        + [f"last_{n} = {n}" for n in range(40)]
    ),
    start=100,
)
BY_ID = {each.id: each for each in (*PASSAGES, LONG)}


def test_numbers_follow_the_order_of_first_use() -> None:
    blocks = split_blocks("One [[E3]]. Two [[E1]] [[E3]].\n\n- Three [[E1]].")
    markdown, cited = CitationNumbers(BY_ID).number(blocks)
    assert markdown == (
        "One [1](cite:1). Two [2](cite:2) [1](cite:1).\n\n- Three [2](cite:2).\n"
    )
    assert [each.id for each in cited] == ["E3", "E1"]


def test_a_long_passage_is_cited_by_the_lines_that_bear_the_sentence() -> None:
    said = "`refund` cancels the order and calls `pay_back` [[E4]]."
    _, (cited,) = CitationNumbers(BY_ID).number(split_blocks(said))
    assert (cited.start_line, cited.end_line) == (140, 142)
    assert cited.text.startswith("def refund(order):")
    assert (cited.content_hash, cited.version_identifier) == (
        LONG.content_hash,
        LONG.version_identifier,
    )


def test_two_places_of_a_passage_are_two_citations() -> None:
    said = "`refund` calls `pay_back` [[E4]]. First comes `line_3` [[E4]]."
    _, cited = CitationNumbers(BY_ID).number(split_blocks(said))
    assert len(cited) == 2
    assert all(each.line_count <= 26 for each in cited)


def test_places_that_overlap_are_one_citation() -> None:
    said = "`refund` takes the order [[E4]]. `refund` calls `pay_back` [[E4]]."
    _, cited = CitationNumbers(BY_ID).number(split_blocks(said))
    assert len(cited) == 1


def test_what_goes_on_with_a_sentence_has_its_lines_too() -> None:
    said = "`refund` cancels the order [[E4]]. It comes after `line_3` [[E4]]."
    markdown, (first, second) = CitationNumbers(BY_ID).number(split_blocks(said))
    assert (first.start_line, second.start_line) == (140, 100)
    assert markdown.endswith("after `line_3` [2](cite:2) [1](cite:1).\n")


def test_rows_have_the_lines_of_the_sentence_above_them() -> None:
    said = (
        "`refund` cancels the order [[E4]]:\n\n| case | place |\n|---|---|\n"
        "| early | `line_3` [[E4]] |\n| late | `last_33` [[E4]] |"
    )
    markdown, cited = CitationNumbers(BY_ID).number(split_blocks(said))
    assert len(cited) == 3
    assert "`line_3` [2](cite:2) [1](cite:1) |" in markdown
    assert "`last_33` [1](cite:1) [3](cite:3) |" in markdown


def test_what_leads_to_code_has_its_lines() -> None:
    lead = "The first `line_3` is set [[E4]]:"
    said = f"{lead}\n\n```\norder.cancel()\npay_back(order)\n```"
    _, cited = CitationNumbers(BY_ID).number(split_blocks(said))
    assert [(c.start_line, c.end_line) for c in cited] == [(100, 106), (141, 142)]


def test_what_follows_code_has_its_lines() -> None:
    code = "The method [[E4]]:\n\n```\norder.cancel()\n```"
    said = f"{code}\n\nThe `line_3` stays as it is [[E4]]."
    markdown, _ = CitationNumbers(BY_ID).number(split_blocks(said))
    assert markdown.rstrip().endswith("[1](cite:1).")


def test_code_keeps_its_brackets() -> None:
    markdown, _ = CitationNumbers(BY_ID).number(
        split_blocks("See [[E1]]:\n\n```sh\nif [[E1]]\n```")
    )
    assert "if [[E1]]" in markdown


def test_code_has_its_path_and_lines_above_it() -> None:
    code = "```python\npay_back(order)\n```"
    said = f"It pays back [[E4]]:\n\n{code}"
    markdown, _ = CitationNumbers(BY_ID).number(split_blocks(said))
    assert f"[1](cite:1):\n\n`shop/long.py:142` [1](cite:1)\n\n{code}" in markdown


def test_its_place_stands_instead_of_the_path_alone() -> None:
    said = "`shop/long.py` [[E4]]:\n\n```python\ndef refund(order):\n```"
    markdown, _ = CitationNumbers(BY_ID).number(split_blocks(said))
    assert markdown.startswith("`shop/long.py:140` [1](cite:1)\n\n```")
