"""Sentences taken from docstrings and READMEs are whole, clean and harmless."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from devrag.wiki.analysis.documents import read_sections
from devrag.wiki.analysis.names import Names
from devrag.wiki.analysis.prose import (
    cited,
    clean,
    first_sentence,
    full_stop,
    join_sentences,
    opening,
    plain_sentence,
    sentences,
)
from devrag.wiki.analysis.purposes import purpose_of
from devrag.wiki.evidence.page_evidence import MARKER

NAMES = Names({"Flask", "shop.orders", "load", "shop/orders"})


def test_stars_inside_of_code_stay() -> None:
    said = "`/**`で始まり、`*/`で終わる。`/*` ends with `*/`."
    assert clean(said, Names(set())) == said


@pytest.mark.parametrize(
    ("docstring", "said"),
    [
        ("Load a file. Then more.", "Load a file."),
        ("Load a file", "Load a file."),
        ("See e.g. the guide. Next.", "See e.g. the guide."),
        ("Version 1.5 is read. Next.", "Version 1.5 is read."),
        ("The :class:`Flask` object.\n\n:param x: no", "The `Flask` object."),
        ("Uses :meth:`the loader <a.b.load>` here.", "Uses the loader here."),
        ("Set by\n:envvar:`DEBUG` today.", "Set by DEBUG today."),
        ("Calls {@code load} of {@link Book#load(int)}.", "Calls `load` of Book.load."),
        ("Takes {@link Book the book}.", "Takes the book."),
        ("Uses `the shop <https://shop.example/a_b>`_ today.", "Uses the shop today."),
        ("これは本です（在庫です。）", "これは本です（在庫です。）"),
        ("Use ``load`` or ``gone`` now.", "Use `load` or gone now."),
        ("本を数える。在庫を減らす。", "本を数える。"),
        ("注文を受け付ける", "注文を受け付ける。"),
        ("Title\n=====\n\nThe text.", "The text."),
        ("**Bold** and [link](http://x.example).", "Bold and link."),
        ("**`load`** - reads a file.", "`load` - reads a file."),
        ("Args:\n    x: no", ""),
        ("-----", ""),
    ],
)
def test_first_sentence(docstring: str, said: str) -> None:
    assert first_sentence(docstring, NAMES) == said


def test_opening_takes_whole_sentences_within_the_limit() -> None:
    assert opening("One. Two is long. Three.", NAMES, limit=18) == [
        "One.",
        "Two is long.",
    ]


@given(st.text(alphabet="ab`[]<>E1*_ .\n", max_size=60))
@example("``1<`")
@example("``` `1<`")
def test_repository_text_never_becomes_a_citation_or_html(text: str) -> None:
    cleaned = clean(text, NAMES)
    outside = re.sub(r"(?<!\\)`[^`]*`", "", cleaned)
    assert not MARKER.search(outside)
    assert not re.search(r"(?<!\\)<", outside)


@given(st.text(alphabet="ab. 。A\n`", max_size=80))
def test_splitting_loses_no_letter(text: str) -> None:
    kept = "".join("".join(sentences(text)).split())
    assert kept == "".join(text.split())


def test_backticks_that_do_not_pair_are_text() -> None:
    assert clean("``1<`", NAMES) == r"\`\`1\<\`"


def test_a_name_that_does_not_exist_loses_its_backticks() -> None:
    assert (
        clean("`shop.orders` and `shop.gone`", NAMES) == "`shop.orders` and shop.gone"
    )


def test_sections_know_their_lines_and_skip_badges() -> None:
    text = "---\nx: 1\n---\n# T\n\n[![b](u)](v)\n\nFirst\nline.\n\n```sh\nrun\n```\n"
    (section,) = read_sections(text)
    found = [(b.kind, b.text, b.start_line, b.end_line) for b in section.blocks]
    assert section.title == "T"
    assert found == [("text", "First line.", 8, 9), ("code", "run", 11, 13)]


def test_underlined_headings_open_sections() -> None:
    found = read_sections("Top\n===\n\nText.\n\nSub\n---\n\nMore.\n")
    assert [(s.level, s.title) for s in found] == [(1, "Top"), (2, "Sub")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"""Count books."""\nx = 1\n', "Count books."),
        ("#!/bin/sh\n# Deploy it.\nset -e\n", "Deploy it."),
        ("// Copyright 2020\n\n/* Draws the map. */\n", "Draws the map."),
        ("{# The sign-in page. #}\n", "The sign-in page."),
        ("import os\n# not at the top\n", None),
        ("# typed: false\n\n# Shows stories.\n", "Shows stories."),
        ("// FIXME: make it stop\nlet a = 1\n", None),
        ("/**\n * Module dependencies.\n * @private\n */\nlet a = b()\n", None),
        ("// Local variables:\nlet a = 1\n", None),
        ("// Resolves dependencies.\nlet a = 1\n", "Resolves dependencies."),
        ("#waiting .spinner {\n  top: 0\n}\n", None),
        ("#!/bin/sh\n# Author: A. N. Other\nset -e\n", None),
    ],
)
def test_a_files_own_words(text: str, said: str | None) -> None:
    purpose = purpose_of(text)
    assert (purpose.text if purpose else None) == said


def test_a_sentence_that_only_points_elsewhere_is_left_out() -> None:
    said = "It reads text aloud. All of it is told [here](https://x.example)."
    assert opening(said, NAMES) == ["It reads text aloud."]


def test_evidence_that_is_cited_twice_is_marked_once() -> None:
    told = cited("It pours.", " [[E1]] [[E2]] [[E1]] [[E11]]")
    assert told == "It pours [[E2]] [[E1]] [[E11]]."


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (["本を売る。", "在庫を数える。"], "本を売る。在庫を数える。"),
        (["本を売る。", "`Shop`は店である。"], "本を売る。 `Shop`は店である。"),
        (["本を売る。", "Shop sells them."], "本を売る。 Shop sells them."),
        (["It sells.", "It counts."], "It sells. It counts."),
    ],
)
def test_sentences_are_joined_as_their_scripts_are(found: list[str], text: str) -> None:
    assert join_sentences(found) == text


@pytest.mark.parametrize(
    ("sentence", "ended"),
    [
        ("It sells books", "It sells books."),
        ("本を売る", "本を売る。"),
        ("It is at https://a.example/x.html", "It is at https://a.example/x.html"),
        ("これは https://a.example/ja/", "これは https://a.example/ja/"),
        (
            "It is at https://a.example/x（本の店）",
            "It is at https://a.example/x（本の店）。",
        ),
    ],
)
def test_a_sentence_gets_its_stop_and_an_address_none(
    sentence: str, ended: str
) -> None:
    assert full_stop(sentence) == ended


def test_underscores_of_two_names_mark_nothing_between_them() -> None:
    said = "Each has a way: `__all__` and the imports of `__init__.py`."
    assert clean(said, Names({"__all__", "__init__.py"})) == said
    assert clean("Use __`all`__ of it.", Names({"all"})) == "Use `all` of it."


@pytest.mark.parametrize(
    ("docstring", "said"),
    [
        (
            "Add a ``--password`` option, see :class:`~click.Context`.\n\n:param x: y",
            "Add a --password option, see click.Context.",
        ),
        (
            "Wraps :any:`thing`\\ s of `Sphinx`_ |release| [1]_ and :attr:`!name`.",
            "Wraps things of Sphinx release and name.",
        ),
        ("Where a | b is `x`_y.", "Where a | b is x_y."),
        ("Raise the `HTTPStatusError`. Or not.", "Raise the HTTPStatusError."),
        (".. versionadded:: 8.0\n\nMore.", ""),
        (
            "{@link Gson#toJson(Object)} of <code>x</code>.\n@param y",
            "Gson.toJson of x.",
        ),
        ("トークンを検証する。`x` を返す。", "トークンを検証する。"),
        (
            "__init__ does *it* with snake_case_name",
            "__init__ does it with snake_case_name",
        ),
        (
            "Set _Content-Type_ in __init__ of a_b.",
            "Set Content-Type in __init__ of a_b.",
        ),
    ],
)
def test_a_docstring_is_one_plain_sentence(docstring: str, said: str) -> None:
    assert plain_sentence(docstring) == said


def test_asterisks_of_neighbouring_spans_stay() -> None:
    names = Names({"/*", "x"})
    assert clean("「 `/*` `*/` 」と **`x`** を使う。", names) == (
        "「 `/*` `*/` 」と `x` を使う。"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{func}`echo_via_pager` shows it.", "`echo_via_pager` shows it."),
        ("{func}`~shop.pager` shows it.", "`shop.pager` shows it."),
        ("See {ref}`the tests <testing>`.", "See the tests."),
        ("See {doc}`/quickstart`.", "See quickstart."),
        ("Set _Content-Type_ of it.", "Set Content-Type of it."),
        ("As :pep:`565` recommends.", "As PEP 565 recommends."),
    ],
)
def test_roles_leave_names_or_words(text: str, said: str) -> None:
    names = Names({"echo_via_pager", "shop.pager"})
    assert clean(text, names) == said


@pytest.mark.parametrize(
    "docstring",
    [
        "A value is considered missing if:\n\n- it is empty",
        "Takes one of the following values:\n\n- a",
    ],
)
def test_a_sentence_that_its_list_ends_says_nothing_alone(docstring: str) -> None:
    assert first_sentence(docstring, NAMES) == ""
    assert opening(docstring, NAMES) == []


def test_a_sentence_that_a_list_explains_is_told() -> None:
    docstring = "Process the value of this parameter:\n\n1. Cast it."
    assert first_sentence(docstring, NAMES) == "Process the value of this parameter."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The **`load` entry** matches.", "The `load` entry matches."),
        ("Use `/*` `*/` here.", "Use `/*` `*/` here."),
    ],
)
def test_emphasis_that_begins_with_code_is_no_markup(text: str, said: str) -> None:
    assert clean(text, NAMES) == said
