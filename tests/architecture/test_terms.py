"""One term per concept, in texts that people read: docs/glossary.md lists the terms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

import pytest
from babel.messages.catalog import Message

from devrag.core.command_list import COMMANDS, overview
from tests.architecture.modules import ROOT
from tests.architecture.test_guide import command, parsers
from tests.architecture.test_messages import messages

# Variant → the term. Patterns ignore case; code is not checked.
ENGLISH = {
    r"\be-mails?\b": "email",
    r"\bsearch(ed|es|ing)? by (meaning|words?)\b": "semantic search, keyword search",
    r"\b(lexical|word) index\b": "keyword index",
    r"\bplain windows\b": "indexed as plain text",
    r"\bremote models?\b": "external model",
    r"\b(kept|former) versions\b": "stored versions",
    r"\bsay (whether|what|which|how)\b": "an imperative: show, choose, give",
    r"\bfor good\b": "permanently",
    r"\banew\b": "again",
    r"\bhardly\b": "an exact word",
    r"\bof whom\b": "a plain sentence",
    r"\basked for\b": "requested, started",
    r"\bmend(s|ed)?\b": "repair, fix",
    r"\bsources of (its|their|your) own\b": "separate sources",
}
JAPANESE = {
    r"意味(で|による|から)検索": "意味検索",
    r"(単語|語句|語)(で|による)?検索": "キーワード検索",
    r"索引": "インデックス",
    r"情報源": "ソース",
    r"製品": "プロダクト",
    r"レポジトリ": "リポジトリ",
    r"フォルダ(?!ー)": "フォルダー",
    r"サーバ(?!ー)": "サーバー",
    r"ユーザ(?!ー)": "ユーザー",
    r"ブラウザ(?!ー)": "ブラウザー",
    r"メンテナ(?!ー|ンス)": "メンテナー",
    r"ウィキ": "Wiki",
    r"出典": "引用",
    r"電子メール|[EＥ]-?メール": "メール",
    r"ログイン": "サインイン",
    r"ログアウト": "サインアウト",
    r"リトライ": "再試行",
}
_CODE = re.compile(r"```.*?```|`[^`\n]*`|<[^>\n]*>|\]\([^)\n]*\)", re.S)
PAGES = [
    *sorted((ROOT / "docs" / "guide").glob("*.md")),
    ROOT / "docs" / "demo.md",
    ROOT / "README.md",
]


@cache
def english() -> tuple[tuple[str, str], ...]:
    """Return (place, text): marked texts, the guide and the help of commands."""
    return (*_marked(), *_pages(), *_help())


def _marked() -> Iterator[tuple[str, str]]:
    for text, places in messages.collect().items():
        yield places[0], f"{text.singular}\n{text.plural}"


def _pages() -> Iterator[tuple[str, str]]:
    for path in PAGES:
        yield path.name, _CODE.sub(" ", path.read_text(encoding="utf-8"))


def _help() -> Iterator[tuple[str, str]]:
    yield "devrag --help", overview()
    for name in COMMANDS:
        yield f"devrag {name} --help", command(name).help
        for parser in parsers(name).values():
            yield (
                f"devrag {name} --help",
                "\n".join(action.help or "" for action in parser._actions),
            )


def _translations() -> Iterator[tuple[str, str]]:
    path = messages.LOCALE / "ja" / "LC_MESSAGES" / "django.po"
    for message in messages.read_catalogue(path):
        yield _id(message), _CODE.sub(" ", _text(message.string))


def _id(message: Message) -> str:
    return _text(message.id)


def _text(value: object) -> str:
    return "\n".join(value) if isinstance(value, list | tuple) else str(value or "")


def find(variant: str, texts: Iterable[tuple[str, str]]) -> list[str]:
    """Return each place that has the variant, with the words found."""
    pattern = re.compile(variant, re.IGNORECASE)
    found = ((place, pattern.search(text)) for place, text in texts)
    return [f"{place}: {hit[0]}" for place, hit in found if hit]


@pytest.mark.parametrize(("variant", "term"), ENGLISH.items())
def test_english_texts_use_one_term(variant: str, term: str) -> None:
    assert find(variant, english()) == [], f"use: {term}"


@pytest.mark.parametrize(("variant", "term"), JAPANESE.items())
def test_japanese_texts_use_one_term(variant: str, term: str) -> None:
    assert find(variant, _translations()) == [], f"use: {term}"
