"""Cut a document into passages that a model can compare with code.

Pure. Only what statements are read from: lines about the present product.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devrag.core.hashing import sha256_hex
from devrag.wiki.conflicts.lines import (
    DocumentLine,
    is_of_another_time,
    present_lines,
)
from devrag.wiki.conflicts.statements import TICKET

_MOST_LINES, _MOST_CHARACTERS = 40, 2_400
_MOST_OF_A_DOCUMENT = 200
# What code could decide: names, figures, and words for limits, order and behaviour.
_NAMED = re.compile(r"`[^`\n]+`|\b\w+_\w+\b|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+")
_CLAIM = re.compile(
    r"\b(default\w*|must|limit\w*|at (most|least)|maximum|minimum|second\w*|minute\w*"
    r"|bytes?|retr\w+|rais\w+|return\w*|order\w*|first|before|after|only|always|never"
    r"|ignor\w+|requir\w+|enabl\w+|disabl\w+|automatic\w*|times?|support\w*)\b"
    r"|既定|必須|上限|最大|最小|秒|順|返|必ず|のみ|無効|有効",
    re.IGNORECASE,
)
# Lines without words, and directives that only name something.
_BARE = re.compile(r"^\W*$|^\s*\.\. [\w-]+:: ?\S*$|^\s*\.\. _[^:]+:")


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a document under one heading. about: the headings around it."""

    start_line: int
    end_line: int
    about: str
    text: str

    @property
    def text_hash(self) -> str:
        """Return what stays the same while it says the same under the same heading."""
        return sha256_hex(f"{self.about}\x00{self.text}")

    @property
    def weight(self) -> int:
        """Return how much of it code could contradict, 0 for nothing."""
        names, claims = _NAMED.findall(self.text), _CLAIM.findall(self.text)
        return len(set(names)) + len(claims) if names else 0


def passages_of(
    path: str, text: str, *, language: str = "", kind: str = ""
) -> list[Passage]:
    """Return the passages of a document that code may contradict, in their order.

    kind: as of `statements_of`. Tickets have none: they say what should change.
    """
    if kind == TICKET or (not kind and is_of_another_time(path)):
        return []
    is_rst = language == "rst" or path.endswith((".rst", ".txt"))
    found = (_passage(part) for part in _parts(present_lines(text, is_rst=is_rst)))
    return [each for each in found if each.weight][:_MOST_OF_A_DOCUMENT]


def _passage(lines: list[DocumentLine]) -> Passage:
    text = "\n".join(line.text for line in lines)
    return Passage(lines[0].number, lines[-1].number, lines[0].about, text)


def _parts(lines: Iterable[DocumentLine]) -> Iterator[list[DocumentLine]]:
    """Yield lines that follow each other under one heading, cut at empty ones."""
    part: list[DocumentLine] = []
    size = 0
    for line in lines:
        is_next = bool(part) and _belongs(line, part[-1])
        is_full = len(part) >= _MOST_LINES or size >= _MOST_CHARACTERS
        is_half = len(part) > _MOST_LINES // 2 or size > _MOST_CHARACTERS // 2
        is_end = is_full or (is_half and not line.text.strip())
        if part and (not is_next or is_end):
            yield from _trimmed(part)
            part, size = [], 0
        part.append(line)
        size += len(line.text)
    yield from _trimmed(part)


def _belongs(line: DocumentLine, before: DocumentLine) -> bool:
    """Return whether a line goes on where another ends, but for marks of code."""
    return line.headings == before.headings and line.number - before.number <= 2


def _trimmed(part: list[DocumentLine]) -> Iterator[list[DocumentLine]]:
    told = [at for at, line in enumerate(part) if not _BARE.match(line.text)]
    if told:
        yield part[told[0] : told[-1] + 1]
