"""The wiki's own words in every language: complete, none dead, same places."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from devrag.products.wiki_settings import LANGUAGES
from devrag.wiki.wording import WORDINGS
from devrag.wiki.wording.japanese import COUNTS, PHRASES
from devrag.wiki.wording.japanese.quotations import NOTE
from devrag.wiki.wording.japanese.terms import _TERMS, TERMS
from devrag.wiki.writing.page_kinds import PAGE_KINDS

WIKI = Path("devrag/wiki")
COUNTED_AT = {"counted": 1, "listed": 2, "listed_cited": 3}
# What the page kinds translate themselves.
OF_KINDS = [pair for kind in PAGE_KINDS for pair in kind.wording.get("ja", {}).items()]
ALL_PHRASES = {**PHRASES, **dict(OF_KINDS)}
ALL_COUNTS = {
    **COUNTS,
    **{
        english.removeprefix("{n} "): said
        for english, said in OF_KINDS
        if english.startswith("{n} ")
    },
}


@cache
def trees() -> dict[Path, ast.Module]:
    """Return path → syntax tree of the wiki's code."""
    files = sorted(WIKI.rglob("*.py"))
    return {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}


@cache
def calls() -> tuple[tuple[str, list[ast.expr]], ...]:
    """Return the name and arguments of every call in the wiki's code."""
    return tuple(_find_calls())


def _find_calls() -> Iterator[tuple[str, list[ast.expr]]]:
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield node.func.id, node.args
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                yield node.func.attr, node.args


def said() -> set[str]:
    """Return the templates that are said, or marked to be said later."""
    return {
        args[0].value
        for name, args in calls()
        if name in {"say", "phrase"} and args and isinstance(args[0], ast.Constant)
    }


def topic_titles() -> set[str]:
    """Return the texts of the modules that name topics; their titles are of these."""
    folder = WIKI / "analysis" / "topics"
    of_topics = [tree for file, tree in trees().items() if file.parent == folder]
    constants = (
        n for t in of_topics for n in ast.walk(t) if isinstance(n, ast.Constant)
    )
    return {node.value for node in constants if isinstance(node.value, str)}


def counted() -> set[str]:
    """Return the nouns that are counted."""
    return {
        noun.value
        for name, args in calls()
        if name in COUNTED_AT and len(args) > COUNTED_AT[name]
        if isinstance(noun := args[COUNTED_AT[name]], ast.Constant)
    }


def places(template: str) -> set[str]:
    return {place for _, place, _, _ in Formatter().parse(template) if place}


def test_every_language_of_the_settings_has_a_wording() -> None:
    assert {code: w.language for code, w in WORDINGS.items()} == {
        code: code for code in LANGUAGES
    }


def test_every_phrase_is_there_in_japanese() -> None:
    assert said() - set(ALL_PHRASES) - set(ALL_COUNTS) == set()
    assert counted() - set(ALL_COUNTS) == set()


def test_a_phrase_is_translated_in_one_place() -> None:
    assert len(ALL_PHRASES) == len(PHRASES) + len(OF_KINDS)
    assert len(ALL_COUNTS) == len(COUNTS) + sum(e[:3] == "{n}" for e, _ in OF_KINDS)


def test_no_translation_is_left_over() -> None:
    nouns = {"more", *counted(), *said()}
    numbers = {f"{{n}} {noun}" for noun in nouns}
    assert set(ALL_PHRASES) - said() - numbers - topic_titles() == set()
    assert set(ALL_COUNTS) - nouns == set()


def test_a_translation_fills_places_that_its_english_has() -> None:
    assert [e for e, said in ALL_PHRASES.items() if places(said) != places(e)] == []


def test_blanks_stand_around_names_and_not_around_japanese() -> None:
    say = WORDINGS["ja"].say
    assert say("It keeps {names}.", names="`A`") == "`A` のデータを保持します。"
    assert (
        say("It keeps {names}.", names="ほか 2 件") == "ほか 2 件のデータを保持します。"
    )


def test_a_list_ends_with_what_is_left() -> None:
    for language, wanted in {
        "en": "a, b and 2 other files",
        "ja": "a、b、ほか 2 個のファイル",
    }.items():
        assert WORDINGS[language].listed(["a", "b"], 2, "other file") == wanted


def test_a_title_of_two_terms_is_joined_in_the_language_of_the_wiki() -> None:
    title = WORDINGS["ja"].title_of_topic("Settings and Command line")
    assert title == "設定とコマンドライン"
    assert WORDINGS["en"].title_of_topic("Settings and CLI") == "Settings and CLI"


@pytest.mark.parametrize(
    ("english", "japanese"),
    [
        ("Completions", "補完"),
        ("Flag groups", "フラググループ"),
        ("Arguments", "引数"),
        ("Bash, powershell and other completions", "Bash・PowerShell などの補完"),
        ("Man, ReST, YAML and md docs", "Man・ReST・YAML・Markdown のドキュメント"),
        ("Hooks, logs and settings files", "フック、ログ、設定ファイル"),
        ("Cobra User Contract", "Cobra 利用者への約束"),
        ("HTTP routers", "HTTP ルーター"),
        ("Exceptions and Option groups", "例外とオプショングループ"),
        ("Default values", "既定値"),
        ("Defaults", "既定値"),
        ("Default commands", "Default commands"),
        ("Default Commands", "Default Commands"),
        ("User names", "ユーザー名"),
        ("Class Diagrams", "クラス図"),
        ("Classes", "クラス"),
        ("Statuses", "ステータス"),
        ("Aliases", "エイリアス"),
        ("Databases", "データベース"),
        ("Releases", "リリース"),
        ("Libraries", "ライブラリ"),
        ("Reading files", "Reading files"),
        ("Odd completions", "Odd completions"),
        ("PostgreSQL", "PostgreSQL"),
        ("Kubernetes", "Kubernetes"),
        ("How to write tests", "How to write tests"),
        ("注文の処理", "注文の処理"),
    ],
)
def test_terms_of_titles_are_japanese_where_all_of_them_are_known(
    english: str, japanese: str
) -> None:
    assert WORDINGS["ja"].title_of_topic(english) == japanese
    assert WORDINGS["en"].title_of_topic(english) == english


def test_no_term_stands_twice_in_the_table() -> None:
    assert len(TERMS) == _TERMS.count(": ")
    assert all(term == term.lower() and said for term, said in TERMS.items())


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (
            "- **コマンド**：Command is just that, a command [[E1]].",
            "- **コマンド**：「Command is just that, a command [[E1]].」",
        ),
        (
            "It runs the command [[E1]]. It stops all of them. 次に進みます。",
            "「It runs the command [[E1]]. It stops all of them.」 次に進みます。",
        ),
        ("It runs the command [[E1]].", "It runs the command [[E1]]."),
        ("- `run()`：`a.go` [[E1]]", "- `run()`：`a.go` [[E1]]"),
        ("- `run()`：Runs it once.", "- `run()`：Runs it once."),
        (
            "主なファイルは `a.go`、`b.go` です。",
            "主なファイルは `a.go`、`b.go` です。",
        ),
        ("### How it is run now", "### How it is run now"),
    ],
)
def test_english_within_a_japanese_line_is_quoted(block: str, expected: str) -> None:
    assert WORDINGS["ja"].finish(block) == expected
    assert WORDINGS["en"].finish(block) == block


def test_a_japanese_page_says_once_that_its_english_is_quoted() -> None:
    page = (
        "# 題\n\nIt runs the command and waits for it.\n\nIt stops all of them then.\n"
    )
    told = WORDINGS["ja"].finish_page(page)
    assert told.startswith(f"# 題\n\n{NOTE}\n\nIt runs")
    assert told.count(NOTE) == 1
    assert WORDINGS["en"].finish_page(page) == page
    member = "# 題\n\n- `run()`：Runs the command and waits for it [[E1]].\n"
    assert NOTE in WORDINGS["ja"].finish_page(member)
    japanese = "# 題\n\n`run` を実行します。\n\n```sh\nrun it once and for all\n```\n"
    assert WORDINGS["ja"].finish_page(japanese) == japanese
