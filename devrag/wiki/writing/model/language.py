"""Whether prose is in the language that was asked for, code left aside."""

from __future__ import annotations

import re

from devrag.wiki.evidence.blocks import plain, split_blocks

_CODE = re.compile(r"`[^`]*`")
_KANA = re.compile("[\u3041-\u30ff]")
_CJK = re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")
_FEWEST_LETTERS = 12
_LEAST_JAPANESE, _MOST_JAPANESE, _LEAST_KANA = 0.4, 0.2, 0.1


def is_title_in_language(title: str, language: str) -> bool:
    """Return whether a title is in `en` or `ja`.

    Names may be most of a Japanese one.
    """
    letters = len(_LETTER.findall(_CODE.sub("", title)))
    if letters < _FEWEST_LETTERS or language != "ja":
        return is_in_language(title, language)
    return _CJK.search(title) is not None


def is_in_language(
    markdown: str, language: str, *, fewest: int = _FEWEST_LETTERS
) -> bool:
    """Return whether the prose is in `en` or `ja`; with fewer letters it passes."""
    prose = " ".join(
        _CODE.sub("", plain(block.text))
        for block in split_blocks(markdown)
        if block.kind in {"paragraph", "item", "heading"}
    )
    letters = len(_LETTER.findall(prose))
    if letters < fewest:
        return True
    japanese = len(_CJK.findall(prose))
    if language != "ja":
        return japanese / letters <= _MOST_JAPANESE
    # Kanji without kana are Chinese.
    kana = len(_KANA.findall(prose))
    return japanese / letters >= _LEAST_JAPANESE and kana >= _LEAST_KANA * japanese
