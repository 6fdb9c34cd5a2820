"""Questions and their known answers, from JSON Lines.

For code: `{id, repo, category, query, relevant: [...], secondary: [...]}`, a target
is a path or `{path, start_line, end_line}`. For plain documents: a corpus of
`{id, text}` and questions of `{query, relevant: [ids]}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devrag.core.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Target:
    """What a question should find: a file, or lines of it; paths match by their end."""

    path: str
    start_line: int = 0
    end_line: int = 0

    def is_touched_by(self, path: str, start_line: int, end_line: int) -> bool:
        """Return whether lines of a file are, or overlap, this target."""
        if path != self.path and not path.endswith(f"/{self.path}"):
            return False
        return not self.end_line or (
            start_line <= self.end_line and self.start_line <= end_line
        )


@dataclass(frozen=True, slots=True)
class EvaluationQuestion:
    """A query with its targets. repo, category: '' when the file names none."""

    name: str
    text: str
    targets: tuple[Target, ...]
    repo: str = ""
    category: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A text of a corpus under its id."""

    name: str
    text: str


def read_questions(path: Path) -> list[EvaluationQuestion]:
    """Return the questions of a file. Raises InvalidInput naming the line."""
    found = [_question(path, number, row) for number, row in _rows(path)]
    if not found:
        raise InvalidInput(f"{path} contains no query. Write one JSON object per line.")
    return found


def read_corpus(path: Path) -> Iterator[Document]:
    """Yield the documents of a file. Raises InvalidInput naming the line."""
    for number, row in _rows(path):
        name, text = row.get("id", row.get("_id")), row.get("text")
        if not isinstance(name, str | int) or not isinstance(text, str):
            raise _wrong(path, number, "a document requires `id` and `text`")
        title = row.get("title")
        yield Document(str(name), f"{title}\n\n{text}" if title else text)


def _question(path: Path, number: int, row: dict[str, Any]) -> EvaluationQuestion:
    text = row.get("query")
    if not isinstance(text, str) or not text.strip():
        raise _wrong(path, number, "a query requires `query`")
    try:
        targets = tuple(_targets([*row["relevant"], *row.get("secondary", ())]))
    except (KeyError, TypeError, ValueError) as error:
        reason = "`relevant` must list paths, ids or {path, start_line, end_line}"
        raise _wrong(path, number, reason) from error
    if not targets:
        raise _wrong(path, number, "`relevant` is empty")
    return EvaluationQuestion(
        name=str(row.get("id", number)),
        text=text,
        targets=targets,
        repo=str(row.get("repo", "")),
        category=str(row.get("category", "")),
    )


def _targets(listed: Iterable[Any]) -> Iterator[Target]:
    for item in listed:
        if isinstance(item, dict):
            yield Target(
                str(item["path"]), int(item["start_line"]), int(item["end_line"])
            )
        else:
            yield Target(str(item))


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"Cannot read {path}: {error}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise _wrong(path, number, f"it is not valid JSON ({error})") from error
        if not isinstance(row, dict):
            raise _wrong(path, number, "it is not a JSON object")
        yield number, row


def _wrong(path: Path, number: int, reason: str) -> InvalidInput:
    return InvalidInput(f"Line {number} of {path} is invalid: {reason}.")
