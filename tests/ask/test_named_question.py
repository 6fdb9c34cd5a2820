"""Which definition a question names, and whether it asks for its uses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.ask.named.question import NameQuestion, read_names

DEFINITIONS = [
    ("Where is res.json defined?", "res.json"),
    ("Where is `res.json()` defined?", "res.json"),
    ("What does createApplication do?", "createApplication"),
    ("What does the function echo do?", "echo"),
    ("How does Client.get work?", "Client.get"),
    ("What is Context?", "Context"),
    ("Explain Cart::add", "Cart::add"),
    ("CheckErr は何をしますか？", "CheckErr"),
    ("「CheckErr」とは何ですか？", "CheckErr"),
    ("Command.Execute メソッドはどこで定義されていますか？", "Command.Execute"),
    ("AddCommand の使い方を教えてください", "AddCommand"),
    ("Where can I find `help`?", "help"),
    ("What does the function help do?", "help"),
    ("help 関数は何をしますか？", "help"),
    ("What does render() do?", "render"),
    ("What does `it` do?", "it"),
    ("What does Users do?", "Users"),
]
USES = [
    ("Where is app.listen used?", "app.listen"),
    ("Where is the method app.listen called from?", "app.listen"),
    ("Who calls echo?", "echo"),
    ("Which functions use make_context?", "make_context"),
    ("Show all callers of `render`", "render"),
    ("Who uses `listen`?", "listen"),
    ("Where is listen() called?", "listen"),
    ("What does createApplication do and where is it used?", "createApplication"),
    ("CheckErr はどこから呼ばれますか？", "CheckErr"),
    ("app.listen はどこで使われていますか？", "app.listen"),
    ("CheckErr の呼び出し元は？", "CheckErr"),
    ("CheckErr を使用している箇所", "CheckErr"),
    ("AddCommand は何をしますか？どこから呼ばれますか？", "AddCommand"),
]


@pytest.mark.parametrize(("text", "name"), DEFINITIONS)
def test_a_question_about_a_definition_names_it(text: str, name: str) -> None:
    found = read_names(text)
    assert found is not None
    assert (found.names, found.is_exact, found.is_about_uses) == ((name,), True, False)


@pytest.mark.parametrize(("text", "name"), USES)
def test_a_question_about_uses_names_what_is_used(text: str, name: str) -> None:
    found = read_names(text)
    assert found is not None
    assert (found.names, found.is_about_uses) == ((name,), True)


def test_names_elsewhere_in_a_question_are_not_all_that_it_asks() -> None:
    found = read_names("Does res.send call make_etag before it ends?")
    assert found is not None
    assert found.names == ("res.send", "make_etag")
    assert not found.is_exact


@pytest.mark.parametrize(
    "text",
    [
        "",
        "How are errors handled?",
        "Which function uses a lock?",
        "サブコマンドを追加するには？",
        "x" * 400,
        "What does it do?",
        "What does this function do?",
        "Who uses it?",
        "How does everything work?",
        "Where can I find help?",
        "Where is the documentation?",
        "What is used",
        "Who needs what and who uses us?",
        "help はどこにありますか？",
    ],
)
def test_other_questions_name_nothing(text: str) -> None:
    assert read_names(text) is None


@given(
    st.text("where is used callers of はどこから呼ばれますか？「」", max_size=60),
    st.from_regex(r"[a-z]{1,8}(\.[a-z]{1,8}){0,2}", fullmatch=True),
)
def test_every_question_names_words_of_its_own(words: str, name: str) -> None:
    text = f"{words} `{name}`"
    found = read_names(text)
    assert found is not None
    assert found.names
    assert all(each and each in text for each in found.names)


@pytest.mark.parametrize(
    "question",
    [
        "どこで CheckErr が使われていますか？",
        "CheckErr が使われている場所",
        "CheckErr を呼び出す関数は？",
        "CheckErr はどこから参照されていますか",
        "CheckErr を使っているのはどこ？",
    ],
)
def test_japanese_ways_to_ask_for_uses(question: str) -> None:
    asked = read_names(question)
    assert asked == NameQuestion(("CheckErr",), is_exact=True, is_about_uses=True)


@pytest.mark.parametrize(
    "question",
    [
        "Where is CheckErr defined?",
        "CheckErr はどこ？",
        "CheckErr はどのファイルで定義されていますか",
        "どこで CheckErr は定義されていますか？",
        "CheckErr の定義場所は？",
    ],
)
def test_ways_to_ask_for_the_place(question: str) -> None:
    asked = read_names(question)
    assert asked == NameQuestion(("CheckErr",), is_exact=True, is_about_place=True)
