"""The errors of a wiki that a question describes: what happens if something is missing.

What happens when a required flag is not given?  →  `required flag(s) "%s" not set`
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from devrag.ask.from_wiki.pages import FoundSection
from devrag.ask.reasons import AskedWord
from devrag.search.api import read_question

_HAPPENS = re.compile(
    r"\bwhat\s+happens\b|\bwhat\s+(?:is|are)\s+(?:raised|thrown|returned)\b"
    r"|\b(?:missing|not\s+(?:given|set|passed|specified|provided))\b"
    r"|どうな(?:る|り)|何が起|エラー",
    re.IGNORECASE,
)
# How a question says that something is not there; a message says it in its own words.
_ABSENT = frozenset(
    read_question(
        "if when missing absent given set passed specified provided called omitted "
        "without not error raise throw 指定 設定 渡す 省略 ない エラー 呼ぶ"
    ).stems
)
_RULE = re.compile(r"^\|[\s|:-]+\|?\s*$")
_CITED = re.compile(r"\[(\d+)\]\(cite:\1\)")
_FEWEST_WORDS = 2


def asks_for_error(question: str) -> bool:
    """Return whether a question is about what happens when something is wrong."""
    return _HAPPENS.search(question) is not None


def choose_error(
    words: Iterable[AskedWord], sections: Sequence[FoundSection], *, raiser: str = ""
) -> FoundSection | None:
    """Return a table of errors with only the row that has most words of a question.

    None where none has enough.
    raiser: the function that raises it, of which half of the words are enough. Else a
    message has all, but for those that only say that something is missing.
    """
    own = read_question(raiser).stems
    telling = [w for w in words if not w.is_in(_ABSENT) and not w.is_in(own)]
    if len(telling) < (1 if raiser else _FEWEST_WORDS):
        return None
    best, most = None, (len(telling) - 1) // 2 if raiser else len(telling) - 1
    for section in sections:
        head = section.lines[: _first_row(section.lines)]
        for row in section.lines[len(head) :]:
            if not row.startswith("|") or (raiser and f"`{raiser}" not in row):
                continue
            stems = read_question(_CITED.sub("", row)).stems
            count = sum(word.is_in(stems) for word in telling)
            if count > most:
                best, most = replace(section, lines=(*head, row)), count
    return best


def _first_row(lines: Sequence[str]) -> int:
    """Return where the rows of the first table begin, the end without a table."""
    rules = (at for at, line in enumerate(lines) if _RULE.match(line))
    return next(rules, len(lines)) + 1
