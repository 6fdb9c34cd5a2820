"""Which questions about a whole product the wiki answers."""

from __future__ import annotations

import pytest

from devrag.ask.from_wiki.question import read_subject

_NAMES = ("harbour", "Harbour Desk")


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("What is harbour for?", "purpose"),
        ("What is this project for?", "purpose"),
        ("Harbour Desk は何のためのライブラリですか？", "purpose"),
        ("harbour とは何ですか？", "purpose"),
        ("How do I run the tests?", "tests"),
        ("テストはどのように実行しますか？", "tests"),
        ("How can I install harbour?", "install"),
        ("インストール方法を教えてください", "install"),
        ("How is it built?", "build"),
        ("What is the build process?", "build"),
        ("ビルドの手順は？", "build"),
        ("Which environment variables does it read?", "configuration"),
        ("どのような環境変数がありますか？", "configuration"),
        ("設定項目には何がありますか？", "configuration"),
    ],
)
def test_what_is_asked_of_a_product_is_read(question: str, subject: str) -> None:
    assert read_subject(question, _NAMES) == subject


@pytest.mark.parametrize(
    "question",
    [
        "What is Command for?",
        "How do I test a command with arguments?",
        "How do I install a plugin?",
        "How do I build a command line tool with subcommands?",
        "Which settings does the parser need?",
        "環境変数でフラグを設定するには？",
        "テストコードの書き方は？",
        "How do I run the tests? " * 10,
        "",
    ],
)
def test_whatever_else_is_asked_is_no_matter_of_the_wiki(question: str) -> None:
    assert read_subject(question, _NAMES) is None


@pytest.mark.parametrize(
    ("question", "name", "subject"),
    [
        ("Where is build-tools?", "build-tools", None),
        ("What is there in test-run?", "test-run", None),
        ("How do I run the tests of build-tools?", "build-tools", "tests"),
        ("setupはどうやってビルドしますか？", "setup", "build"),
        ("How do I run the tests?", "te", "tests"),
    ],
)
def test_the_name_of_a_product_asks_for_nothing(
    question: str, name: str, subject: str | None
) -> None:
    assert read_subject(question, [name]) == subject
