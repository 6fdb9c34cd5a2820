"""Numbered evidence of one page: E1…En, each resolved to lines of a file version.

A writer never writes a line number: it names a place that the survey knows, gets a
marker back, and the server keeps path, lines, version, hash and excerpt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from devrag.wiki.analysis.survey import SurveyFile, Texts

MOST_LINES = 40
MARKER = re.compile(r"\[\[(E\d+)\]\]")


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """A place in a source: what a citation finally points at."""

    id: str
    file: int
    source: str
    path: str
    start_line: int
    end_line: int
    version_identifier: str
    content_hash: str
    excerpt: str


class EvidenceBook:
    """Hands out markers for places; equal places share one, within a budget."""

    def __init__(
        self, files: Mapping[int, SurveyFile], texts: Texts, *, budget_lines: int = 6000
    ) -> None:
        self._files = files
        self._texts = texts
        self._left = budget_lines
        self._lines: dict[int, list[str]] = {}
        self._items: dict[tuple[int, int, int], EvidenceItem] = {}
        self.left_out = 0

    @property
    def items(self) -> tuple[EvidenceItem, ...]:
        return tuple(self._items.values())

    def cite(self, file_id: int, start_line: int, end_line: int) -> str:
        """Return ` [[En]]` for these lines (40 at most), '' when nothing is there."""
        lines = self.lines(file_id)
        start = max(1, start_line)
        end = min(max(start, end_line), start + MOST_LINES - 1, len(lines))
        while start < end and not lines[end - 1].strip():
            end -= 1
        if (file_id, start, end) not in self._items:
            if start > end or not "".join(lines[start - 1 : end]).strip():
                return ""
            if end - start + 1 > self._left:
                self.left_out += 1
                return ""
            self._left -= end - start + 1
        return f" [[{self.hold(file_id, start, end).id}]]"

    def hold(self, file_id: int, start_line: int, end_line: int) -> EvidenceItem:
        """Return the item of exactly these lines, whatever the budget."""
        key = (file_id, start_line, end_line)
        if key not in self._items:
            self._items[key] = self._item(key, self.lines(file_id))
        return self._items[key]

    def lines(self, file_id: int) -> list[str]:
        """Return a file's lines."""
        if file_id not in self._lines:
            self._lines[file_id] = self._texts.text(file_id).split("\n")
        return self._lines[file_id]

    def _item(self, key: tuple[int, int, int], lines: list[str]) -> EvidenceItem:
        file_id, start, end = key
        file = self._files[file_id]
        return EvidenceItem(
            id=f"E{len(self._items) + 1}",
            file=file_id,
            source=file.source,
            path=file.path,
            start_line=start,
            end_line=end,
            version_identifier=file.version_identifier,
            content_hash=file.content_hash,
            excerpt=excerpt_of(lines, start, end),
        )


def excerpt_of(lines: list[str], start_line: int, end_line: int) -> str:
    """Return the lines as an excerpt; stored text has its secrets masked."""
    return "\n".join(lines[start_line - 1 : end_line])


def problem_with(item: EvidenceItem, file: SurveyFile | None, text: str) -> str:
    """Return why an item does not hold against the file as indexed, '' when it does."""
    if file is None:
        return f"{item.path} is not in the index"
    if item.content_hash != file.content_hash:
        return f"{item.path} has changed since {item.id} was taken"
    lines = text.split("\n")
    if not 1 <= item.start_line <= item.end_line <= len(lines):
        return f"{item.path} has no lines {item.start_line}-{item.end_line}"
    if excerpt_of(lines, item.start_line, item.end_line) != item.excerpt:
        return f"the excerpt of {item.id} is not in {item.path} at its lines"
    return ""
