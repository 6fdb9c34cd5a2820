"""An answer at a terminal: text that grows, then its citations."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.cli.answer_output import AnswerPrinter
from devrag.core.terminal import Terminal


def _citation(number: int, path: str, source: str = "shop") -> dict[str, Any]:
    place = {"number": number, "sourceName": source, "path": path}
    return {**place, "startLine": 7, "title": "charge"}


def _answer(text: str, *citations: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "answer": text,
        "citations": list(citations),
        "diagram": "",
        "notes": [],
        "isComplete": True,
        **fields,
    }


class Shown:
    """A printer with what it wrote to stdout and stderr."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._err: list[str] = []
        self.printer = AnswerPrinter(Terminal(self._out.append, self._err.append))

    @property
    def out(self) -> str:
        return "".join(self._out)

    @property
    def err(self) -> str:
        return "".join(self._err)


@pytest.fixture
def shown() -> Shown:
    return Shown()


def test_an_answer_ends_with_a_line_for_each_citation(shown: Shown) -> None:
    text = "It pays [1](https://x/a#L7) and adds [2].\n"
    one, two = _citation(1, "a.py"), _citation(2, "b.py")
    shown.printer.finish(_answer(text, one, two))
    assert shown.out == (
        "It pays [1] and adds [2].\n\n[1] a.py:7  charge\n[2] b.py:7  charge\n"
    )


def test_sources_are_named_where_there_are_several(shown: Shown) -> None:
    one, two = _citation(1, "a.py"), _citation(2, "a.py", "site")
    shown.printer.finish(_answer("Both.", one, two))
    assert "[1] shop:a.py:7  charge\n[2] site:a.py:7  charge\n" in shown.out


def test_checked_sentences_are_printed_once(shown: Shown) -> None:
    show = shown.printer.show
    show("draft", {"text": "It may pay"})
    show("checked", {"answer": "It pays [1](https://x).", "citations": []})
    assert shown.out == "It pays [1]."
    shown.printer.finish(_answer("It pays [1](https://x). Then it ends.\n"))
    assert shown.out == "It pays [1]. Then it ends.\n"


def test_sentences_that_may_still_be_refused_wait_for_the_end(shown: Shown) -> None:
    told = {"answer": "It pays. It lies.", "citations": [], "isSettled": False}
    shown.printer.show("checked", told)
    assert shown.out == ""
    shown.printer.finish(_answer("It pays."))
    assert shown.out == "It pays.\n"


def test_what_is_done_and_what_to_know_are_no_part_of_the_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = Shown()
    shown.printer.show("progress", {"text": "Reading till.py"})
    shown.printer.show("evidence", {"passages": [{}]})
    shown.printer.finish(_answer("It pays.", notes=["No vectors."], isComplete=False))
    assert shown.out == "It pays.\n"
    assert shown.err == "No vectors.\nThe answer is incomplete.\n"
    progress = capsys.readouterr().err
    assert "Reading till.py" in progress
    assert "Found 1 place " in progress


def test_a_diagram_is_a_block_of_mermaid(shown: Shown) -> None:
    shown.printer.finish(_answer("A calls B.", diagram="sequenceDiagram\n  A->>B: f"))
    assert "\n```mermaid\nsequenceDiagram\n  A->>B: f\n```\n" in shown.out


def test_no_text_steers_the_terminal(shown: Shown) -> None:
    evil = _citation(1, "a\x1b[2J.py")
    shown.printer.finish(_answer("\tdef f():\n\x1b]0;title\x07", evil))
    assert "\x1b" not in shown.out
    assert shown.out.startswith("    def f():\n\\x1b]0;title\\x07\n")
