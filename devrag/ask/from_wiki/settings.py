"""The rows of the configuration page on the settings that a question names: pure text.

What is the default of "trust proxy"?      →  the row `trust proxy`
How do I change --exit-code?               →  the row `--exit-code`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from devrag.ask.from_wiki.pages import FoundSection
from devrag.core.plain_markdown import to_plain

_ASKED = re.compile(
    r"\bdefaults?\b|\b(?:set|sets|setting|configured?|configure|enabled?|disabled?"
    r"|change|override|adjust|turn(?:ed)?\s+(?:on|off)|options?|flags?|variables?)\b"
    r"|デフォルト|既定|初期値|標準値|設定|有効|無効|変更|オプション|フラグ|環境変数",
    re.IGNORECASE,
)
_VARIABLES = re.compile(r"\benv(?:ironment)?\s+var(?:iable)?s?\b|環境変数", re.I)
_OTHER = re.compile(
    r"^\s*(?:where|who|why)\b|\b(?:add|write|implement|difference)\b"
    r"|どこ|なぜ|追加|実装|違い",
    re.IGNORECASE,
)
_CITED = re.compile(r"\s*\[\d+\]\(cite:\d+\)")
_RULE = re.compile(r"^\|[\s|:-]+$")
_CELL = re.compile(r"(?<!\\)\|")
# What nobody writes in prose.
_NO_WORD = re.compile(r"[-_.]|[a-z][A-Z]|\s|\d")
_SEPARATORS = re.compile(r"[\s_-]+")


def asks_for_setting(question: str) -> bool:
    """Return whether a question asks for a default, or how something is set."""
    return bool(_ASKED.search(question)) and not _OTHER.search(question)


def asks_for_variables(question: str) -> bool:
    """Return whether a question asks for environment variables alone."""
    return _VARIABLES.search(question) is not None


def sections_on_settings(
    question: str, sections: Sequence[FoundSection]
) -> list[FoundSection]:
    """Return sections with the rows alone that a question names, none without any."""
    return [
        replace(section, lines=lines)
        for section in sections
        if (lines := tuple(_lines_on(question, section.lines)))
    ]


def _lines_on(question: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield what introduces a table, its head and the rows that a question names."""
    rows = [line for line in lines if line.startswith("|")]
    named = [row for row in rows[2:] if _is_named(question, _name_of(row))]
    if not named or len(rows) < 3 or not _RULE.match(rows[1]):
        return
    yield from lines[: lines.index(rows[0])]
    yield from (*rows[:2], *named)


def _name_of(row: str) -> str:
    cell = _CELL.split(row.strip().strip("|"))[0]
    return to_plain(_CITED.sub("", cell)).strip()


def _is_named(question: str, name: str) -> bool:
    """Return whether a question has a whole name, however it separates its words.

    A name that is a word of the language has to be quoted.
    """
    bare = name.strip("-`<> ")
    words = [re.escape(each) for each in _SEPARATORS.split(bare) if each]
    if not words:
        return False
    spelt = r"[\s_-]+".join(words)
    if _NO_WORD.search(bare) or name.startswith("-"):
        edge = r"(?<![\w-])(?:--?)?" if _NO_WORD.search(bare) else r"(?<!\w)--?"
        way = rf"{edge}{spelt}(?![\w-])"
    else:
        way = rf"[\"'`“「]{spelt}[\"'`”」]"
    return re.search(way, question, re.IGNORECASE | re.ASCII) is not None
