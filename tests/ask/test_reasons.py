"""Why a passage is among the places of an answer."""

from __future__ import annotations

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


def test_a_heading_names_what_is_asked_by_most_of_its_words() -> None:
    asked = read_words("How do I run the tests?")
    assert asked.are_named_in("Running tests")
    assert not asked.are_named_in("Tests")
