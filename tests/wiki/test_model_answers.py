"""Answers that are no section, and what is made of those that nearly are."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.model.answers import LONGEST, read_section, read_sections
from devrag.wiki.writing.model.language import is_in_language
from tests.wiki.scripted import completion

ENGLISH = "It keeps the orders of all customers in one table [[E1]]."
JAPANESE = "すべての顧客の注文を一つの表に保持する [[E1]]。"


@pytest.mark.parametrize(
    ("text", "reason", "gate"),
    [
        ("", "stop", "empty"),
        (" \n\n ", "stop", "empty"),
        ("[[E1]]", "stop", "empty"),
        ("I'm sorry, but I cannot help with that request.", "stop", "refusal"),
        ("申し訳ありませんが、お手伝いできません。", "stop", "refusal"),
        ("It keeps the", "content_filter", "refusal"),
        (JAPANESE, "stop", "language"),
        ("Here is everything that you need to know about it.", "stop", "format"),
        ('{"answer": "no Markdown at all, whatever was asked"}', "stop", "format"),
        ("x" * (LONGEST + 1), "stop", "size"),
    ],
)
def test_what_is_no_section_says_why(text: str, reason: str, gate: str) -> None:
    answer = read_section(completion(text, reason), "Orders", "en")
    assert (answer.gate, answer.text == "" or bool(answer.problem)) == (gate, True)


def test_an_enormous_answer_is_not_asked_for_again() -> None:
    answer = read_section(completion("word " * 400_000), "Orders", "en")
    assert answer.is_hopeless
    assert answer.text == ""


def test_an_answer_is_split_at_its_marks_and_each_section_is_read_by_itself() -> None:
    said = (
        f"=== 0\n{ENGLISH}\n\n=== 2 ===\nNothing proves it at all.\n=== Summary\nAll."
    )
    found, summary = read_sections(completion(said), {0: "", 1: "A", 2: "B"}, "en")
    assert found[0].text == f"{ENGLISH}\n"
    assert found[1].problem == "the answer lacks the section"
    assert found[2].gate == "format"
    assert summary == "All."


def test_of_an_answer_that_was_cut_only_the_last_section_is_cut() -> None:
    said = f"=== 0\n{ENGLISH} It\n=== 1\n{ENGLISH} And it goes on to"
    headings = {0: "", 1: "A", 2: "B"}
    found, summary = read_sections(completion(said, "length"), headings, "en")
    assert [found[n].is_cut for n in headings] == [False, True, False]
    assert found[1].text == f"{ENGLISH}\n"
    assert found[2].gate == "format"
    assert summary == ""


@pytest.mark.parametrize("dash", ["-", "—", "–."])
def test_a_dash_leaves_a_section_out(dash: str) -> None:
    answer = read_section(completion(f"=== 0\n{dash}\n"), "Orders", "en")
    assert (answer.is_left_out, answer.text, answer.problem) == (True, "", "")


def test_a_section_may_only_show_a_fact() -> None:
    assert read_section(completion("=== 0\n[[F2]]"), "Orders", "en").problem == ""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("One is here [[E1]]. Two is not wh", "One is here [[E1]].\n"),
        ("One is here [[E1]].\n\n- Two is", "One is here [[E1]].\n"),
        ("一つはここにある [[E1]]。二つ目はま", "一つはここにある [[E1]]。\n"),
        ("One is here [[E1]].\n\n```mermaid\nflowchart", "One is here [[E1]].\n"),
        (
            "One is here [[E1]].\n\n```sh\nmake\n```",
            "One is here [[E1]].\n\n```sh\nmake\n```\n",
        ),
    ],
)
def test_an_answer_cut_at_the_limit_ends_at_a_whole_sentence(
    text: str, kept: str
) -> None:
    language = "ja" if "一" in text else "en"
    answer = read_section(completion(text, "length"), "Orders", language)
    assert (answer.text, answer.is_cut) == (kept, True)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (f"```markdown\n{ENGLISH}\n```", ENGLISH),
        (f"## Orders\n\n{ENGLISH}", ENGLISH),
        (f"# Anything\n\n{ENGLISH}", ENGLISH),
        (f"{ENGLISH}\n\n## More\n\nText.", f"{ENGLISH}\n\n### More\n\nText."),
        ("It keeps them [[E1, E2]].", "It keeps them [[E1]] [[E2]]."),
        ("It keeps them [[E1]] [[E2]] [[E1]].", "It keeps them [[E1]] [[E2]]."),
        ("It [[E1]] keeps [[E1]].", "It [[E1]] keeps [[E1]]."),
        ("It keeps them [E1]【E2】.", "It keeps them [[E1]] [[E2]]."),
        (
            "It keeps them. [[E1]] It adds. [[E2]].",
            "It keeps them [[E1]]. It adds [[E2]].",
        ),
        ("表に保持する。[[E1]]", "表に保持する[[E1]]。"),
        ("It\x00 keeps them [[E1]].", "It\ufffd keeps them [[E1]]."),
    ],
)
def test_small_slips_are_put_right(text: str, meant: str) -> None:
    language = "ja" if "。" in text else "en"
    assert read_section(completion(text), "Orders", language).text == f"{meant}\n"


@pytest.mark.parametrize(
    ("text", "language", "is_right"),
    [
        (ENGLISH, "en", True),
        (ENGLISH, "ja", False),
        (JAPANESE, "ja", True),
        (JAPANESE, "en", False),
        (
            "注文はすべて `OrderService.place_order` が `orders` に書き込む。",
            "ja",
            True,
        ),
        ("所有客户的订单都保存在同一张数据库表中并由服务统一管理。", "ja", False),
        ("The word 注文 means order, and it stands in the code.", "en", True),
        ("`a`", "ja", True),
    ],
)
def test_the_language_is_judged_outside_code(
    text: str, language: str, is_right: bool
) -> None:
    assert is_in_language(text, language) is is_right


@pytest.mark.parametrize(
    ("levels", "kept"),
    [
        ("## ####", "### #####"),
        ("####", "###"),
        ("#", "###"),
        ("# #####", "### ######"),
    ],
)
def test_headings_begin_right_below_the_section(levels: str, kept: str) -> None:
    def said(marks: str) -> str:
        headed = (
            f"{mark} Part {n}\n\n{ENGLISH}" for n, mark in enumerate(marks.split())
        )
        return "\n\n".join([ENGLISH, *headed]) + "\n"

    assert read_section(completion(said(levels)), "Orders", "en").text == said(kept)
