"""In which group of the navigation a page of a wiki on code stands, and their order.

A reader expects what begins first, then the concepts that documents explain, the
code, what is looked up, and last how the project is built and documented.
"""

from __future__ import annotations

import re

START, CONCEPTS, CODE, REFERENCE, PROJECT = (
    "start",
    "concepts",
    "code",
    "reference",
    "project",
)
PAGE_GROUPS = (START, CONCEPTS, CODE, REFERENCE, PROJECT)
_OF_KIND = {
    "index": START,
    "examples": CONCEPTS,
    "architecture": CODE,
    "api": REFERENCE,
    "interfaces": REFERENCE,
    "data-model": REFERENCE,
    "configuration": REFERENCE,
    "glossary": REFERENCE,
}
_BEGINS = re.compile(
    r"(?:quick ?start|get(?:ting)? started|installation|introduction|why\b"
    r"|what is\b|first steps|overview|basic usage|tutorial"
    r"|はじめに|クイックスタート|概要|導入|チュートリアル)",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"(?:quick ?start|get(?:ting)? started|installation|first steps"
    r"|はじめに|クイックスタート|導入)",
    re.IGNORECASE,
)
_OF_PROJECT = re.compile(
    r"\b(?:contract|(?:code of )?conduct|contrib(?:ut(?:ing|ors|ion))?|security policy"
    r"|governance|roadmap|change ?log|release notes|upgrad(?:e|ing)|migrat(?:e|ing|ion)"
    r"|support policy)\b|行動規範|変更履歴|リリースノート|コントリビュ",
    re.IGNORECASE,
)


def group_of(kind: str, title: str, *, has_files: bool) -> str:
    """Return the group of a page. has_files: whether a topic has code of its own."""
    if kind != "feature":
        return _OF_KIND.get(kind, PROJECT)
    if has_files:
        return CODE
    if _OF_PROJECT.search(title):
        return PROJECT
    return START if begins(title) else CONCEPTS


def begins(title: str) -> bool:
    """Return whether a document of this title is read before all others."""
    return bool(_BEGINS.match(title))


def comes_first(title: str) -> bool:
    """Return whether a document of this title leads straight to a first result."""
    return bool(_FIRST.match(title))
