"""Sentences that lead to a list, table or sample below: without it they say nothing."""

from __future__ import annotations

import re

_COLONS = (":", "：", "..", "…")
# Japanese `32 文字以下である` is a limit, not what stands below.
_POINTS_ON = re.compile(
    r"^\W*(in )?(the following \w+|below (is|are)\b|here (is|are) (a|an|the|some)\b"
    r"|the (example|table|list|code|snippet|figure)s? below)"
    r"|(?:^|[^\d\s%字個件行分倍名歳])(?:以下|下記|次の|次に)[^。]{0,20}(示[すし]|記載|記述"
    r"|挙げ|述べ|まとめ|参照|参考|通り|とおり|よう|構成され|説明|推奨|従[うい]|である|です"
    r"|な[るり])[^。]{0,10}。?$"
    r"|^\W*(以下|下記)[^。]{0,20}(示[すし]|記載|参照|参考|述べ|説明)[^。]{0,10}。?$"
    r"|^\W*続いて[^。]{0,40}(記載|説明|紹介|述べ)[^。]{0,10}。?$",
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
    return ends_with_colon(text) or bool(_LEADS_ON.search(text.rstrip()))


def ends_with_colon(text: str) -> bool:
    """Return whether what a text leads to stands right below it, if anywhere."""
    return text.rstrip().endswith(_COLONS)


def points_on(sentence: str) -> bool:
    """Return whether a sentence is of use only with what stands below it."""
    return is_leading(sentence) or bool(_POINTS_ON.search(sentence))
