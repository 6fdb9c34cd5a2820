"""Subjects of commits with the definitions that they changed, of up to four files."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from training.repositories import (
    Repository,
    definitions_in,
    embedded,
    is_source,
    is_test,
    key_of,
)

_NEWEST, _MOST_COMMITS, _MOST_FILES, _MOST_TEXTS = 400, 60, 4, 4
_PREFIX = re.compile(r"^(\[[^\]]*\]\s*)*(\w+(\([^)]*\))?!?:\s+)?(\w[\w./-]*:\s+)?")
_REFERENCE = re.compile(r"\s*\(?((fix|close|resolve|see|ref)\w*\s+)?#\d+\)?\.?", re.I)
_CHORE = re.compile(
    r"^(merge|bump|release|update dep|version|typo|docs?\b|chore|ci\b|tests?\b|revert"
    r"|prepare|changelog|format|lint|add test|more test|fix (typo|test|doc|lint|build)"
    r"|remove unused|clean ?up|refactor|rename|style|wip|v?\d)",
    re.I,
)
_HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")
_SHORTEST_TEXT = 120


@dataclass(slots=True)
class Change:
    """A commit's subject and the lines that it wrote, by path."""

    commit: str
    subject: str
    lines: dict[str, list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )


def changed_definitions(
    repository: Repository, chance: random.Random
) -> Iterator[tuple[str, str, str]]:
    """Yield subject, text and key of the definitions that commits changed."""
    changes = [each for each in _read_log(repository) if _is_asked(each)]
    chance.shuffle(changes)
    for change in changes[:_MOST_COMMITS]:
        found = sorted(_definitions(repository, change), reverse=True)
        for _, text, key in found[:_MOST_TEXTS]:
            yield change.subject, text, key


def _is_asked(change: Change) -> bool:
    words = len(change.subject.split())
    return (
        4 <= words <= 16
        and not _CHORE.match(change.subject)
        and 0 < len(change.lines) <= _MOST_FILES
    )


def _read_log(repository: Repository) -> Iterator[Change]:
    log = repository.git(
        *("log", "--no-merges", f"-n{_NEWEST}", "--no-color", "--no-ext-diff"),
        *("--diff-filter=M", "-p", "-U0", "--format=%x00%H%x00%s"),
    ).decode("utf-8", "replace")
    _, *parts = re.split(r"^\0", log, flags=re.M)
    for part in parts:
        head, _, diff = part.partition("\n")
        commit, _, subject = head.partition("\0")
        change = Change(commit, _plain(subject))
        path = ""
        for line in diff.split("\n"):
            if line.startswith("+++ "):
                path = line[6:]
            elif (hunk := _HUNK.match(line)) and is_source(path) and not is_test(path):
                start, count = int(hunk[1]), int(hunk[2] or 1)
                change.lines[path].append((start, start + max(count, 1) - 1))
        yield change


def _plain(subject: str) -> str:
    return _PREFIX.sub("", _REFERENCE.sub("", subject)).replace("`", "").strip()


def _definitions(
    repository: Repository, change: Change
) -> Iterator[tuple[int, str, str]]:
    for path, spans in change.lines.items():
        facts = repository.parse(change.commit, path)
        if facts is None or facts.kind != "code":
            continue
        for chunk in definitions_in(facts):
            written = sum(
                max(0, min(end, chunk.end_line) - max(start, chunk.start_line) + 1)
                for start, end in spans
            )
            text = embedded(chunk, chunk.text)
            if written and len(text) >= _SHORTEST_TEXT:
                yield written, text, key_of(facts, chunk)
