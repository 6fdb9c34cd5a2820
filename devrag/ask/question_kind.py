"""What kind of answer a question wants: an order, a list, steps, a condition: pure.

In what order are the hooks called?   →   a numbered list
Which characters are allowed?         →   a list or a table
How do I hide a command?              →   steps or code
When should StringBuilder be used?    →   the sentences that say when
"""

from __future__ import annotations

import re
from typing import Literal

AnswerKind = Literal["order", "list", "steps", "condition"]
_ASKED: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = (
    (
        "order",
        re.compile(
            r"\b(?:order|sequence|precedence|priority)\b|順番|順序|順に|どの順|優先",
            re.IGNORECASE,
        ),
    ),
    (
        "condition",
        re.compile(
            r"^\s*when\b|\b(?:in|under) (?:what|which) (?:cases?|conditions?|"
            r"circumstances)\b|いつ|(?:どんな|どのような|どういう)(?:場合|とき|時|条件)",
            re.IGNORECASE,
        ),
    ),
    (
        "list",
        re.compile(
            r"\b(?:which|what) (?:are\b|(?:\w+ ){0,2}\w+s (?:are|can|may|do|does)\b)"
            r"|\b(?:list|kinds?|types?|values) of\b|何がありますか|には何が|一覧|種類"
            r"|どれ|どんな\w{1,12}が|使え(?:ない|る)|許され|できる\w{1,12}は",
            re.IGNORECASE,
        ),
    ),
    (
        "steps",
        re.compile(
            r"\bhow (?:do|can|should|could|must|would|to)\b|\bsteps?\b|するには"
            r"|には[?？]|方法|やり方|書き方|付け方|手順|どう(?:やって|すれば|書|付|命名)|命名規[則約]",
            re.IGNORECASE,
        ),
    ),
)
_WHERE = re.compile(
    r"^\s*(?:where|in which (?:file|class|function|method|module))\b"
    r"|どこ[でにが]|どの(?:ファイル|クラス|関数|メソッド|モジュール)",
    re.IGNORECASE,
)
# Where a sentence says when something holds.
CONDITION = re.compile(
    r"\b(?:when|whenever|if|unless|while|before|after|until|only|once|in case|should)\b"
    r"|際|場合|とき|時に|時は|処理中|前に|後に|なら|限り|(?:れ|け|せ)ば|には.{0,60}を.?[利使]用",
    re.IGNORECASE,
)


def answer_kinds(question: str) -> frozenset[AnswerKind]:
    """Return what kinds of answer a question may want, none where nothing tells."""
    return frozenset(kind for kind, asked in _ASKED if asked.search(question))


def asks_where(question: str) -> bool:
    """Return whether a question asks for a place, which code is before documents."""
    return _WHERE.search(question) is not None
