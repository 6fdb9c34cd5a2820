"""Numbers of citations, and the lines that they narrow down to."""

from __future__ import annotations

from devrag.ask.writing.citation_numbers import CitationNumbers, bearing_lines
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


def test_lines_of_a_method_are_cited_with_all_of_it() -> None:
    method = ["    def close(", "        self,", "    ) -> None:"]
    method += [f"        step_{n}()" for n in range(30)]
    method += ["        return self.file.close()", ""]
    filler = [f"    value_{n} = {n}" for n in range(30)]
    text = "\n".join(["class File:", *filler, *method, *filler])
    long = passage("E5", "shop/file.py", text)
    said = "`step_11` and then `step_12` are called [[E5]]."
    assert bearing_lines(said, long) == (32, 65)


def test_two_places_of_a_passage_are_two_citations() -> None:
    said = "`refund` calls `pay_back` [[E4]]. First comes `line_3` [[E4]]."
    _, cited = CitationNumbers(BY_ID).number(split_blocks(said))
    assert len(cited) == 2
    assert all(each.line_count <= 26 for each in cited)


def test_places_that_overlap_are_one_citation() -> None:
    said = "`refund` takes the order [[E4]]. `refund` calls `pay_back` [[E4]]."
    _, cited = CitationNumbers(BY_ID).number(split_blocks(said))
    assert len(cited) == 1


def test_an_unclear_sentence_cites_the_whole_passage() -> None:
    assert bearing_lines("It is written [[E4]].", LONG) == (100, 182)
    far = "`line_0` comes before `last_39` [[E4]]."
    assert bearing_lines(far, LONG) == (100, 182)


def test_a_number_of_the_sentence_stays_in_its_lines() -> None:
    said = "`refund` cancels the order and calls `pay_back`, after 39 [[E4]]."
    assert bearing_lines(said, LONG) == (136, 145)


def test_code_keeps_its_brackets() -> None:
    markdown, _ = CitationNumbers(BY_ID).number(
        split_blocks("See [[E1]]:\n\n```sh\nif [[E1]]\n```")
    )
    assert "if [[E1]]" in markdown
