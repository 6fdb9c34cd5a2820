"""Which page of a wiki answers a question, if nothing else is asked: pure text.

What is click for?                    →  purpose
How do I run the tests?               →  tests
インストール方法は？                  →  install
Which settings does it read?          →  configuration
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Subject = Literal["purpose", "install", "tests", "build", "configuration"]
_MOST_CHARACTERS = 120
# Words of a question that name nothing.
_FILLER = (
    r"\b(?:how|what|where|which|do|does|did|can|could|should|would|must|may|to|i|you|we"
    r"|one|it|its|this|that|the|an?|is|are|there|of|for|in|on|from|with|my|our|any|all"
    r"|and|by|be|please|show|tell|explain|me|need|way|best|exist|available|supported"
    r"|project|projects|repository|repo|library|libraries|package|product|framework"
    r"|tool|app|application|program|codebase|code|source|commands?|steps?|process"
    r"|instructions?)\b"
    r"|どのような|どのように|どうやって|どうすれば|どんな|どう|方法|手順|やり方|コマンド"
    r"|何|なに|この|その|プロダクト|プロジェクト|リポジトリ|ライブラリ|パッケージ|ツール"
    r"|アプリケーション|アプリ|フレームワーク|プログラム|コード|ソース"
    r"|教えて|ください|下さい|知りたい|あり(?:ますか|ます)?|ある|ですか|です|でしょうか"
    r"|しますか|するには|すれば|するのか|するか|する|します|したい|して|できますか|できる"
    r"|よいですか|いいですか|よい|良い|いい|とは|には|では|[はがをのにでもかとへ]"
)
_BREAKS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class _Asked:
    """telling: what the question must have; also: what may stand beside it."""

    subject: Subject
    telling: re.Pattern[str]
    also: re.Pattern[str]


def _asked(subject: Subject, telling: str, also: str) -> _Asked:
    also_or_filler = re.compile(f"{also}|{_FILLER}")
    return _Asked(subject, re.compile(telling), also_or_filler)


_SUBJECTS = (
    _asked(
        "tests",
        r"\b(?:run|runs|running|execute|executed|start|launch)\b.*\btest(?:s|ing)?\b"
        r"|\btests?\b.*\b(?:run|executed|started)\b|テスト.*(?:実行|走らせ|動か|流)",
        r"\b(?:run|runs|running|execute|executed|start|started|launch|unit|automated)\b"
        r"|\btest(?:s|ing)?\b|\bsuites?\b"
        r"|(?:単体|ユニット|自動)?テスト(?:コード|スイート)?|実行|走らせる?|動かす?|流す?",
    ),
    _asked(
        "install",
        r"\binstall(?:ed|ation|ing)?\b|\bset\s*up\b|\bget(?:ting)?\s+started\b"
        r"|\bquick\s*start\b|インストール|セットアップ|導入|使い始め|クイックスタート|始め方",
        r"\binstall(?:ed|ation|ing)?\b|\bset\s*up\b|\bget(?:ting)?\s+started\b"
        r"|\bquick\s*start\b|インストール|セットアップ|導入|使い始め(?:方|る)?"
        r"|クイックスタート|始め方",
    ),
    _asked(
        "build",
        r"\b(?:build|built|compile|compiled|building)\b|ビルド|コンパイル",
        r"\b(?:build|built|compile|compiled|building)\b|ビルド|コンパイル",
    ),
    _asked(
        "configuration",
        r"\bsettings?\b|\bconfiguration\b|\bconfigured?\b|\benvironment\s+variables?\b"
        r"|\benv\s+vars?\b|設定|環境変数",
        r"\bsettings?\b|\bconfiguration\b|\bconfigured?\b|\benvironment\s+variables?\b"
        r"|\benv\s+vars?\b|\b(?:reads?|uses?|used|has|have|files?|options?|know|knows)\b"
        r"|設定(?:項目|値|ファイル)?|環境変数|使用|利用|使われ|使い|使え|読み込|読み|読ま"
        r"|参照|一覧|種類|ます|まれ|される|られる|れる|れ|む|み|う",
    ),
)
_THIS = (
    r"(?:it|(?:this|the)\s+(?:project|repository|repo|library|package|product|framework"
    r"|tool|app|application|code|codebase|document|documentation))"
)
_THIS_IN_JAPANESE = (
    r"(?:これ|この(?:プロジェクト|リポジトリ|ライブラリ|パッケージ|プロダクト|ツール"
    r"|フレームワーク|アプリケーション|アプリ|ソース|コード|文書|ドキュメント))"
)
_KINDS_IN_JAPANESE = r"(?:ライブラリ|ツール|フレームワーク|パッケージ|プロダクト|もの)"


def read_subject(question: str, names: Collection[str]) -> Subject | None:
    """Return what of a whole product a question asks for, None for anything else.

    names: what the product is called.
    """
    line = " ".join(question.split()).casefold()
    if not line or len(line) > _MOST_CHARACTERS:
        return None
    called = [re.escape(name.casefold()) for name in names if name]
    called.sort(key=len, reverse=True)
    if _asks_purpose(line, called):
        return "purpose"
    rest = _named(called).sub(" ", line) if called else line
    for each in _SUBJECTS:
        if each.telling.search(rest) and _says_nothing(each.also.sub(" ", rest)):
            return each.subject
    return None


def _named(called: list[str]) -> re.Pattern[str]:
    """Return a pattern for names as whole words, Japanese ones beside anything."""
    return re.compile(rf"(?<![a-z0-9_])(?:{'|'.join(called)})(?![a-z0-9_])")


def _says_nothing(text: str) -> bool:
    return not _BREAKS.sub("", text)


def _asks_purpose(line: str, called: list[str]) -> bool:
    name = rf"(?:the\s+)?[`\"'「]*(?:{'|'.join([*called, _THIS])})[`\"'」]*"
    japanese = rf"[「`]*(?:{'|'.join([*called, _THIS_IN_JAPANESE])})[」`]*"
    ways = (
        rf"what(?:\s+is|'s)\s+{name}(?:\s+(?:for|used\s+for|good\s+for|about))?",
        rf"what\s+does\s+{name}\s+do",
        rf"(?:what(?:\s+is|'s)\s+the\s+)?(?:purpose|goal)\s+of\s+{name}",
        rf"why\s+(?:does\s+{name}\s+exist|(?:should|would)\s+(?:i|we)\s+use\s+{name})",
        (
            rf"{japanese}\s*(?:とは|は|って)[、\s]*(?:何|なに|どんな|どういう|どのような)?"
            rf"(?:のため|を|に使う|をする|する)?の?{_KINDS_IN_JAPANESE}?"
            r"(?:ですか|でしょうか|です|しますか|か)?"
        ),
        rf"{japanese}の(?:目的|用途|役割|概要)(?:は|を|とは|って)?(?:何|なに|教えて)?.{{0,8}}",
    )
    text = line.strip(" ?？。.!")
    return any(re.fullmatch(way, text) for way in ways)
