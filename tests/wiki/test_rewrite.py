"""What an answer says of sentences, diagrams and code that were refused."""

from __future__ import annotations

from devrag.wiki.checking.validators import Finding
from devrag.wiki.evidence.page_evidence import EvidenceItem
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.rewrite import read_rewritten, rewrite_request

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


def test_little_is_shown_that_is_not_cited() -> None:
    body = "\n".join(f"pours(tea_{n})  # what is poured here" for n in range(40))
    items = {
        f"E{n}": EvidenceItem(f"E{n}", n, "shop", "till.py", 1, 40, "1", "", body)
        for n in range(1, 7)
    }
    said = "It `pours` tea [[E1]]."
    failed = {said: Finding("page.md", "support", "not shown", said, said)}
    (_, asked) = rewrite_request(failed, items, Brief("Shop"))
    shown = [key for key in items if f"{key} shop/" in asked.content]
    assert shown[0] == "E1"
    assert 1 < len(shown) < len(items)
