"""Which sections of documentation answer a question."""

from __future__ import annotations

from dataclasses import replace

from devrag.ask.reasons import read_words
from devrag.ask.sections import answer_worth
from tests.ask.passages import passage

SOURCES = passage(
    "E1",
    "docs/options.md",
    "## Value sources\n\nThe value of an option is looked up in this order:\n\n"
    "1. The command line\n2. The environment\n",
    kind="documentation",
    title="Value sources",
)
ASKED = read_words("In what order does Shop look for the value of an option?")


def test_a_section_whose_text_has_what_is_asked_answers() -> None:
    assert answer_worth(SOURCES, ASKED) > 0
    far = "The order is kept.\n\nUnrelated.\n\nMore.\n\nAn option is set.\n"
    assert answer_worth(replace(SOURCES, text=far, title="Notes"), ASKED) == 0
    assert answer_worth(replace(SOURCES, kind="definition"), ASKED) == 0
    assert answer_worth(replace(SOURCES, path="CHANGES.md"), ASKED) == 0


def test_a_heading_of_nothing_but_asked_words_answers() -> None:
    asked = read_words("How can I test a command line application?")
    section = replace(SOURCES, title="Testing shop applications", text="Use it.")
    assert answer_worth(section, asked) > answer_worth(
        replace(SOURCES, title="Text", text="Test a command line application."), asked
    )
    assert answer_worth(replace(section, title="Testing all else"), asked) == 0


def test_one_word_is_answered_by_the_section_that_is_called_so() -> None:
    asked = read_words("インデントは何を使いますか？")
    section = replace(SOURCES, title="インデント", text="タブを使う。")
    assert answer_worth(section, asked) > 0
    assert answer_worth(replace(section, title="その他"), asked) == 0


def test_a_japanese_task_finds_an_english_section() -> None:
    asked = read_words("サブコマンドを追加するには？")
    text = "Use AddCommand to add a subcommand.\n"
    assert answer_worth(replace(SOURCES, title="Commands", text=text), asked) > 0


def test_who_asks_when_is_answered_by_a_sentence_that_says_when() -> None:
    asked = read_words("StringBuilder は いつ 使うべき？")
    says = replace(
        SOURCES, title="連結", text="繰り返し処理中は StringBuilder を利用します。\n"
    )
    assert answer_worth(says, asked) > 0
    shows = replace(says, text="これは StringBuilder です。\n")
    assert answer_worth(shows, asked) == 0


def test_parts_of_a_name_are_not_asked_for() -> None:
    asked = read_words("StringBuilder とは？")
    section = replace(SOURCES, title="String builders", text="The string is built.\n")
    assert answer_worth(section, asked) == 0


def test_a_heading_that_begins_with_what_is_asked_comes_before_a_kind_of_it() -> None:
    asked = read_words("How does it decide the value of an option?")
    text = "Rules of the value of an option.\n"
    of_it = replace(SOURCES, title="Option value resolution", text=text)
    of_kind = replace(SOURCES, title="Multi value options", text=text)
    assert answer_worth(of_it, asked) > answer_worth(of_kind, asked) > 0


def test_a_sentence_that_enumerates_answers_what_is_listed() -> None:
    asked = read_words("Which report formats are supported?")
    text = "There are several report formats: json, csv and sarif.\n"
    section = replace(SOURCES, title="Additional configuration", text=text)
    assert answer_worth(section, asked) > 0
    bare = replace(section, text="Report formats are described elsewhere.\n")
    assert answer_worth(bare, asked) == 0
