"""SWE-QA: questions about repositories whose reference answers name files and lines.

The set is peng-weihan/SWE-QA-Bench (Apache-2.0), read from a copy of that repository
and never kept here. Gold are the paths that an answer names and that exist at the
commit of the set, and the lines that it names after a path ("`a.py` (lines 3-9)") or
before one ("lines 3-9 of `a.py`").
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pinned import (
    PinnedPart,
    find_repository,
    list_files,
    read_git,
    read_pinned,
)

# Longer places and hits count by their first lines.
MAX_LINES = 60
_PATH = r"[\w./-]*\w\.(?:py|pyi|rst|md|txt|toml|cfg|ini|html|js|yml|yaml|json|c|h)\b"
_RANGE = r"\d+(?:\s*[-\u2013]\s*\d+)?"
_MENTION = re.compile(
    rf"(?P<path>{_PATH})(?::(?P<after>{_RANGE}))?"
    rf"|\b[Ll]ines?\s+(?P<lines>{_RANGE}(?:(?:,\s*and|,|/|\s+and)\s*{_RANGE})*)"
    rf"(?:\s+(?:of|in|from)\s+`?(?P<of>{_PATH}))?"
)


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of a file, both ends included."""

    path: str
    start_line: int
    end_line: int

    def cut(self) -> Span:
        """Return the first lines of it that count."""
        end = min(self.end_line, self.start_line + MAX_LINES - 1)
        return Span(self.path, self.start_line, end)

    @property
    def lines(self) -> int:
        return self.end_line - self.start_line + 1

    def shared_lines(self, other: Span) -> int:
        """Return how many lines both have."""
        if self.path != other.path:
            return 0
        first = max(self.start_line, other.start_line)
        return max(0, min(self.end_line, other.end_line) - first + 1)


@dataclass(frozen=True, slots=True)
class CitingQuestion:
    """A question with the files and the lines that its reference answer names."""

    text: str
    paths: tuple[str, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CitingSet:
    """The questions of one repository at the commit that they were asked of."""

    name: str
    part: PinnedPart
    questions: tuple[CitingQuestion, ...]


def read_set(folder: Path, bench: PinnedPart, name: str) -> CitingSet:
    """Return one repository's questions that have gold. Raises FileNotFoundError."""
    bench_repository = find_repository(folder, bench.repository)
    part = _commits(bench_repository, bench.commit)[name]
    repository = find_repository(folder, part.repository)
    commit = read_git(repository, "rev-parse", f"{part.commit}^{{commit}}")
    part = PinnedPart(part.repository, commit.decode().strip())
    known = frozenset(list_files(repository, part))
    lengths: dict[str, int] = {}

    def length(path: str) -> int:
        if path not in lengths:
            text = read_pinned(repository, part.commit, path)
            lengths[path] = len(text.splitlines())
        return lengths[path]

    rows = read_bench(folder, bench, name)
    found = [read_answer(question, answer, known, length) for question, answer in rows]
    return CitingSet(name, part, tuple(each for each in found if each.paths))


def read_bench(folder: Path, bench: PinnedPart, name: str) -> list[tuple[str, str]]:
    """Return all questions about a repository, each with its reference answer."""
    repository = find_repository(folder, bench.repository)
    text = read_pinned(repository, bench.commit, f"Benchmark/{name}.jsonl")
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    return [(row["question"], row["answer"]) for row in rows]


def _commits(repository: Path, commit: str) -> dict[str, PinnedPart]:
    lines = read_pinned(repository, commit, "repo_commit.txt").splitlines()
    parts = {}
    for url, pinned in (line.split() for line in lines if line.strip()):
        owner, name = url.rstrip("/").split("/")[-2:]
        parts[name] = PinnedPart(f"{owner}/{name}", pinned)
    return parts


def read_answer(
    question: str, answer: str, known: frozenset[str], length: Callable[[str], int]
) -> CitingQuestion:
    """Read what an answer names. length: of a known file, in lines."""
    paths: dict[str, None] = {}
    spans: dict[Span, None] = {}
    current = ""
    for mention in _MENTION.finditer(answer):
        named = mention["path"] or mention["of"]
        if named:
            current = _resolve(named, known, paths)
            if current:
                paths[current] = None
        if current:
            lines = mention["after"] or mention["lines"] or ""
            spans |= dict.fromkeys(_spans(current, lines, length))
    return CitingQuestion(question, tuple(paths), tuple(spans))


def _resolve(named: str, known: frozenset[str], before: dict[str, None]) -> str:
    """Return the file meant: that path, else the only one that ends so, else ''."""
    path = named.removeprefix("./")
    if path in known:
        return path
    for among in (before, known):
        ending = [each for each in among if each.endswith(f"/{path}")]
        if len(ending) == 1:
            return ending[0]
    return ""


def _spans(path: str, lines: str, length: Callable[[str], int]) -> Iterator[Span]:
    for written in re.findall(_RANGE, lines):
        numbers = [int(number) for number in re.findall(r"\d+", written)]
        if 0 < numbers[0] <= numbers[-1] <= length(path):
            yield Span(path, numbers[0], numbers[-1]).cut()


def share_of_files(gold: CitingQuestion, places: Sequence[Span]) -> float:
    """Return the share of the named files among the places."""
    found = {place.path for place in places}
    return sum(path in found for path in gold.paths) / len(gold.paths)


def count_touched(gold: CitingQuestion, places: Sequence[Span]) -> int:
    """Return how many of the named lines share one line with a place."""
    cut = [place.cut() for place in places]
    return sum(any(span.shared_lines(place) for place in cut) for span in gold.spans)


def count_covered(gold: CitingQuestion, places: Sequence[Span]) -> int:
    """Return how many of the named lines share half of the shorter with a place."""
    cut = [place.cut() for place in places]
    return sum(any(is_half_shared(span, place) for place in cut) for span in gold.spans)


def is_half_shared(one: Span, other: Span) -> bool:
    """Return whether two spans share at least half of the shorter one."""
    return 2 * one.shared_lines(other) >= min(one.lines, other.lines)
