"""Token estimate that depends on no model, so that chunks never do either."""

from __future__ import annotations

import math
import re

CHARACTERS_PER_TOKEN = 3.5
# Kana, kanji, hangul, CJK punctuation and full-width forms: about a token each.
_CJK_RUN = re.compile(
    "[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\uff00-\uffef\U00020000-\U0003ffff]+"
)
_KANA = re.compile("[\u3041-\u30ff\uff66-\uff9f]")
_JAPANESE_SHARE = 0.1


def count_cjk(text: str) -> int:
    """Return the number of CJK characters."""
    return 0 if text.isascii() else sum(map(len, _CJK_RUN.findall(text)))


def token_weight(text: str) -> float:
    """Return the estimate before rounding, for summing over lines."""
    wide = count_cjk(text)
    return wide + (len(text) - wide) / CHARACTERS_PER_TOKEN


def estimate_tokens(text: str) -> int:
    """Return the estimated tokens: a CJK character is 1, others are 1/3.5."""
    return math.ceil(token_weight(text))


def text_language(text: str) -> str:
    """Return `ja` for text with kana and a share of CJK characters, else `en`."""
    if text.isascii() or not _KANA.search(text):
        return "en"
    visible = len(text) - text.count(" ") - text.count("\n")
    return "ja" if count_cjk(text) >= _JAPANESE_SHARE * visible else "en"
