"""Headings of documents by which a newcomer can ask, since they answer: pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from devrag.ask.quotations import read_blocks
from devrag.ask.whole_sections import headings

# What a section shows below its heading: rules in a list, or values in a table.
Shown = Literal["rules", "values"]
MOST_HEADING_CHARACTERS = 60_000  # of a document, those that are read
_SHORTEST, _LONGEST, _LEAST_ITEMS = 3, 30, 3
_NAMING = re.compile(r"\bnaming|\bformat|\bstyle|命名|書式|記法", re.IGNORECASE)
_VAGUE = re.compile(
    r"introduction|overview|(?:table of )?contents|references?|resources?|links?"
    r"|examples?|notes?|appendix|faq|はじめに|概要|目次|参考.*|付録|注意.*|前提.*|全般|その他.*"
    r"|サンプル.*|例|.*(?:重要性|心得|目的|について|背景|経緯|方針|取り組み)|.*とは",
    re.IGNORECASE,
)
_MARKED = re.compile(r"[{}<>|`$]|https?:")


def telling_headings(text: str) -> list[tuple[str, Shown]]:
    """Return headings with a table or list below, those about names first."""
    found = list(_headings(text[:MOST_HEADING_CHARACTERS]))
    return sorted(found, key=lambda each: _NAMING.search(each[0]) is None)


def _headings(text: str) -> Iterator[tuple[str, Shown]]:
    lines = text.split("\n")
    heads = list(headings(text).items())
    ends = [start for start, _ in heads[1:]] + [len(lines) + 1]
    for (start, title), end in zip(heads, ends, strict=False):
        is_short = _SHORTEST <= len(title) <= _LONGEST
        if not is_short or _VAGUE.fullmatch(title) or _MARKED.search(title):
            continue
        for block in read_blocks("\n".join(lines[start : end - 1])):
            if block.kind == "table" and len(block.lines) > _LEAST_ITEMS:
                yield title, "values"
                break
            if block.kind == "list" and len(block.lines) >= _LEAST_ITEMS:
                yield title, "rules"
                break
