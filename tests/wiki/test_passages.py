"""What is read alone is a passage; what leans on absent text is not."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.documents import read_sections
from devrag.wiki.analysis.passages import (
    is_dangling,
    is_telling,
    passages_of,
    stands_alone,
)


def told(text: str, *, has_subject: bool = False) -> list[tuple[str, int]]:
    """Return each passage as its text and how many blocks follow it."""
    (section,) = read_sections(text)
    found = passages_of(0, section.blocks, has_subject=has_subject)
    return [(p.text.text if p.text else "", len(p.followers)) for p in found]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("The client keeps its connections in a pool.", True),
        ("本を数えて在庫から減らします。", True),
        (
            "[Guide](a.md) · [API](b.md) · [FAQ](c.md) · [News](d.md) · [Blog](e.md)",
            False,
        ),
        ("![build](https://ci.example/badge.svg) See https://ci.example now", False),
        ("Released and licensed under the terms of the MIT License.", False),
        ("Our sponsors make the work on this possible.", False),
        ("::: httpx.Client options: members: all of them", False),
        ("+-----------+ the server +-------+ and its clients", False),
        (
            "Timeout(5.0) # all operations. Timeout(None, connect=5.0) # on connect.",
            False,
        ),
        ("Too short.", False),
    ],
)
def test_a_paragraph_is_prose_about_the_product(text: str, is_one: bool) -> None:
    assert is_telling(text) == is_one


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("This closes the pool.", True),
        ("When it is closed, nothing is sent.", True),
        ("For example, the pool is closed.", True),
        ("E.g. 'shop serve' closes the pool.", True),
        ("これは本を数える機能です。", True),
        ("「`<>`」も動作するが利用しない。", True),
        ("以下のように実行します。", True),
        ("This guide shows how orders are placed.", False),
        ("Thistles are flowers of the shop.", False),
        ("このリポジトリは本を数えます。", False),
        ("Every order has lines.", False),
    ],
)
def test_a_dangling_beginning_points_outside(text: str, is_so: bool) -> None:
    assert is_dangling(text) == is_so


@pytest.mark.parametrize(
    "sentence", ["The steps to take are these three:", "It can be written like this."]
)
def test_what_leads_on_does_not_stand_alone(sentence: str) -> None:
    assert not stands_alone(sentence)


def test_a_paragraph_keeps_the_list_that_it_leads_to() -> None:
    text = "The client has two kinds of hooks:\n\n- request hooks\n- response hooks\n"
    assert told(text) == [("The client has two kinds of hooks:", 2)]


def test_a_lead_in_without_its_list_goes() -> None:
    assert told(
        "The client has two kinds of hooks:\n\nThe pool is shared by all.\n"
    ) == [("The pool is shared by all.", 0)]


def test_a_numbered_rule_that_is_a_link_stays_among_the_others() -> None:
    rules = "1. Be short\n2. [Omit contractions](https://a.example/x)\n3. Be exact\n"
    text = f"Texts of the shop follow these rules:\n\n{rules}"
    assert told(text) == [("Texts of the shop follow these rules:", 3)]


def test_what_announces_reasons_stays_above_the_first() -> None:
    text = (
        "A better way is to package the shop with an entry point.\n\n"
        "There are two main reasons for this:\n\n"
        "The first one is that installers make wrappers for Windows.\n\n"
        "The second one is that scripts can be loaded by name.\n"
    )
    assert told(text)[1] == ("There are two main reasons for this:", 0)
    assert len(told(text)) == 4


def test_a_rule_behind_a_sentence_that_points_at_nothing_stays() -> None:
    text = "Commas begin a line. See the example below. Statements have no semicolon.\n"
    text = text.replace("See the example below.", "They are written as follows.")
    assert told(text) == [("Commas begin a line. Statements have no semicolon.", 0)]


def test_a_table_stays_where_a_pointer_before_it_goes() -> None:
    rows = (
        "| Field | What it is |\n| - | - |\n| name | the title |\n| day | its date |\n"
    )
    text = (
        "An order has the fields of the table.\n\n"
        "[Specification](https://shop.example/spec)\n\n" + rows
    )
    assert told(text) == [("An order has the fields of the table.", 0), ("", 3)]


def test_a_lead_in_of_one_word_leaves_its_sample() -> None:
    assert told("Example:\n\n```sh\nshop serve\n```\n") == [("", 1)]


def test_a_long_sample_goes_and_its_paragraph_stays() -> None:
    sample = "x = 1\n" * 40
    text = f"The client is made once and kept.\n\n```python\n{sample}```\n"
    assert told(text) == [("The client is made once and kept.", 0)]


def test_a_list_of_links_alone_is_navigation() -> None:
    text = "The documents of the shop are:\n\n- [One](a.md)\n- [Two](b.md)\n"
    assert told(text) == []


def test_a_list_of_people_tells_nothing() -> None:
    people = "- [jane-doe](https://git.example/jane-doe) - **Jane Doe** (she/her)\n"
    assert told(f"These people keep the shop going:\n\n{people * 3}") == []
    tools = "- [session](https://git.example/shop/session) keeps who is signed in\n"
    assert told(f"The shop has these parts:\n\n{tools * 3}") == [
        ("The shop has these parts:", 3)
    ]


def test_this_is_clear_behind_a_paragraph_that_is_told() -> None:
    text = (
        "The pool is shared by all clients.\n\nThis keeps the sockets few in number.\n"
    )
    assert len(told(text)) == 2


def test_this_is_clear_below_the_heading_of_a_definition() -> None:
    text = "This class keeps the sockets of all clients.\n"
    assert told(text) == []
    assert len(told(text, has_subject=True)) == 1


def test_a_table_stays_whole() -> None:
    text = (
        "The settings of the shop are:\n\n| a | b |\n|---|---|\n| c | d |\n| e | f |\n"
    )
    assert told(text) == [("The settings of the shop are:", 3)]


def test_a_bad_example_keeps_its_label() -> None:
    text = (
        "- クラス名は単語の先頭を大文字にする  \n   良い例：\n\n"
        "  ```java\n  class Entry {\n  ```\n\n  悪い例：\n\n"
        "  ```java\n  class entry {\n  ```\n"
    )
    assert told(text) == [("", 1), ("良い例：", 1), ("悪い例：", 1)]


def test_a_label_without_its_sample_goes() -> None:
    sample = "x = 1\n" * 40
    assert told(f"Bad example:\n\n```python\n{sample}```\n") == []


_ADDRESSES = (
    "| 規約 | URL |\n| - | - |\n"
    "| 一 | https://a.example/1 |\n| 二 | https://a.example/2 |\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What leads to a table that is not told goes with it, the rest stays.
        (
            f"規約は読む人のために書く。参照した規約を以下に示す。\n\n{_ADDRESSES}",
            [("規約は読む人のために書く。", 0)],
        ),
        (f"規約を以下に示す。下記の規約を抜粋している。\n\n{_ADDRESSES}", []),
        ("対応するバージョンは、以下のサイトを参考ください。\n", []),
        ("続いて要素ごとに具体的な規約を記載していく。\n", []),
        # What is told about it is lost with it.
        (
            f"規約を以下に示す。\n\n{_ADDRESSES}\n古い規約には従わない。\n",
            [],
        ),
        # A list may follow the next paragraph.
        (
            "要素は以下である。\n\n先に理解しておく。\n\n- 要素の版\n- 要素の項目\n",
            [("要素は以下である。", 0), ("先に理解しておく。", 2)],
        ),
        # A rule that points at its own sample is whole.
        (
            "次のように要素をつないで命名する。\n\n```text\n{env}-{role}\n```\n",
            [("次のように要素をつないで命名する。", 1)],
        ),
        # A limit is no lead-in.
        (
            "名前は 32 文字以下の英数字で書く。\n",
            [("名前は 32 文字以下の英数字で書く。", 0)],
        ),
        (
            "Orders are kept for a year. The following table shows all states.\n",
            [("Orders are kept for a year.", 0)],
        ),
    ],
)
def test_a_lead_in_stands_only_with_what_it_leads_to(
    text: str, expected: list[tuple[str, int]]
) -> None:
    assert told(text, has_subject=True) == expected


def test_reasons_go_with_their_rule() -> None:
    text = "::: warning\n\nthat\n\n理由:\n\n- 読む人が迷わない\n- 一覧で見切れない\n"
    assert told(text) == []
    rule = (
        "名前は必ず識別子で書く。\n\n理由:\n\n- 読む人が迷わない\n- 一覧で見切れない\n"
    )
    assert told(rule) == [("名前は必ず識別子で書く。", 0), ("理由:", 2)]
