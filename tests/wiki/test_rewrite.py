"""What an answer says of sentences, diagrams and code that were refused."""

from __future__ import annotations

from devrag.wiki.writing.model.rewrite import read_rewritten

DRAWN = "```mermaid\nflowchart TD\n  a -->\n```"
BETTER = "```mermaid\nflowchart TD\n  a --> b\n```"


def test_diagrams_and_sentences_are_read_from_one_answer() -> None:
    said = f"1| It pours [[E1]].\n2|\n{BETTER}\n3| It boils [[E2]]."
    found = read_rewritten(said, ["It stirs.", DRAWN, "It cools."])
    assert found == {
        "It stirs.": "It pours [[E1]].",
        DRAWN: BETTER,
        "It cools.": "It boils [[E2]].",
    }


def test_a_sentence_never_takes_the_place_of_a_diagram() -> None:
    assert read_rewritten("1| It is drawn above [[E1]].", [DRAWN]) == {}


def test_lines_within_a_diagram_are_no_sentences() -> None:
    said = f"2|\n{BETTER.replace('a --> b', '1| --> b')}"
    assert list(read_rewritten(said, ["It stirs.", DRAWN])) == [DRAWN]
