"""Why a passage is among the places of an answer."""

from __future__ import annotations

from itertools import product
from string import ascii_lowercase
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.ask.reasons import read_words


def test_words_are_named_as_asked_and_once() -> None:
    asked = read_words("How is the ETag of a response computed?")
    assert asked.found_in("function etag(response)") == ("etag", "response")


def test_other_forms_of_a_word_count() -> None:
    assert read_words("Who closes pools?").found_in("close_pool()") == (
        "closes",
        "pools",
    )


def test_parts_of_a_japanese_word_are_named_as_the_word() -> None:
    asked = read_words("トークンの検証はどこ？")
    assert asked.found_in("トークンを検証する") == ("トークン", "検証")
    assert asked.found_in("def verify(token)")[0] == "トークン"


@pytest.mark.parametrize(
    ("question", "text", "words"),
    [
        ("Oracle と PostgreSQL の違いますか？", "Oracle と違う", ("oracle", "違う")),
        ("CheckErr はどこから呼ばれますか？", "err を呼ぶ", ("err", "呼ぶ")),
        ("インデントは何を使いますか？", "タブを使う", ("使う",)),
        ("方法を教えてください", "方法を教える", ("方法", "教える")),
        ("ＳＱＬ と ＪＡＶＡ", "sql java", ("sql", "java")),
    ],
)
def test_inflected_words_are_named_in_their_dictionary_form(
    question: str, text: str, words: tuple[str, ...]
) -> None:
    assert read_words(question).found_in(text) == words


@given(
    st.text("呼使違書教えるばれますきか方法 SQLａ、？", max_size=30),
    st.text(max_size=30),
)
def test_every_question_can_be_read(question: str, text: str) -> None:
    asked = read_words(question)
    assert all(0 <= word.start <= word.end for word in asked.words)
    assert len(asked.found_in(text + question)) <= len(asked.words)


def test_a_heading_names_what_is_asked_by_most_of_its_words() -> None:
    asked = read_words("How do I run the tests?")
    assert asked.are_named_in("Running tests")
    assert not asked.are_named_in("Tests")


def test_a_long_question_is_counted_in_many_texts_quickly() -> None:
    words = ["".join(each) for each in product(ascii_lowercase, repeat=3)][:1_900]
    asked = read_words(" ".join(words))
    started = process_time()
    for word in words[:60]:
        assert asked.count_in(f"of {word}") > 0
    assert process_time() - started < 5


def test_parts_of_a_name_do_not_tell_beside_it() -> None:
    asked = read_words("When does preRun run and when preRunHook?")
    assert [each.text for each in asked.telling] == ["prerun", "prerunhook"]
