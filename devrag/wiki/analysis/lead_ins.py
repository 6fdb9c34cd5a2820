"""Sentences that lead to a list, table or sample below: without it they say nothing."""

from __future__ import annotations

import re

_COLONS = (":", "：", "..", "…")
# Japanese `32 文字以下の` is a limit, not what stands below.
_POINTS_ON = re.compile(
    r"\b(the following|as follows|(shown|listed|given|described|see|in the"
    r" (table|list|example)) below|below (is|are|shows?|lists?))\b"
    r"|(?:^|[^\d\s%字個件行分倍名歳])(?:以下|下記)(?:の|に|は|で|を|、|いずれ)"
    r"|^\W*(以下|下記)|次に(示|挙げ|記[しす])|続いて.{0,24}(記載|説明|紹介|述べ)"
    r"|次の(よう|とおり|通り|表|図|一覧|例|いずれか|要素|項目|手順|リスト|サイト|観点"
    r"|順|\d)",
    re.IGNORECASE,
)
_LEADS_ON = re.compile(
    r"\b(like (this|so)|as follows|(is|are|shown|listed) below|the following)\W*$"
    r"|(以下|次|下記)の(通り|とおり|ように)[^。]{0,12}。?$"
    r"|(以下|次|下記)に[^。]{0,6}(示す|示します|記載する|挙げる|まとめる)。?$"
    r"|(以下|次|下記)の[^。]{1,24}(参考|参照)[^。]{0,10}。?$"
)


def is_leading(text: str) -> bool:
    """Return whether a text ends by pointing at what stands below it."""
    bare = text.rstrip()
    return bare.endswith(_COLONS) or bool(_LEADS_ON.search(bare))


def points_on(sentence: str) -> bool:
    """Return whether a sentence speaks of what stands below it, wherever it does."""
    return is_leading(sentence) or bool(_POINTS_ON.search(sentence))
