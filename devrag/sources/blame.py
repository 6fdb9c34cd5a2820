"""Which commit each line of a file comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from devrag.sources.git_read import GitReader
from devrag.sources.history import Change, to_change
from devrag.sources.models import Source

_SECONDS = 5.0
_HEAD = re.compile(r"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?")


@dataclass(frozen=True, slots=True)
class BlamedLines:
    """Lines first..last that one commit wrote."""

    first: int
    last: int
    change: Change


def blame_lines(
    source: Source, commit: str, path: str, first: int, last: int, *, repos_dir: Path
) -> tuple[BlamedLines, ...]:
    """Return who wrote lines of a file at a commit, in their order.

    HistoryUnavailable where git cannot tell within five seconds.
    """
    git = GitReader.of(source, repos_dir)
    text = git.text(
        *("blame", "--porcelain", "--encoding=UTF-8", "-L", f"{first},{last}"),
        *(git.check_commit(commit), "--", path),
        seconds=_SECONDS,
    )
    return tuple(_join(read_porcelain(text)))


def read_porcelain(text: str) -> Iterator[tuple[int, Change]]:
    """Yield line and commit of `git blame --porcelain`. Pure."""
    known: dict[str, Change] = {}
    commit, number, facts = "", 0, dict[str, str]()
    for line in text.split("\n"):
        if line.startswith("\t"):
            if commit not in known:
                fields = (facts.get(name, "") for name in ("author", "summary"))
                author, subject = fields
                seconds = facts.get("committer-time", "0")
                known[commit] = to_change([commit, author, seconds, subject])
            yield number, known[commit]
        elif match := _HEAD.fullmatch(line):
            commit, number, facts = match[1], int(match[2]), {}
        else:
            name, _, value = line.partition(" ")
            facts[name] = value


def _join(lines: Iterator[tuple[int, Change]]) -> Iterator[BlamedLines]:
    """Yield neighbours of one commit as one."""
    first = last = 0
    change: Change | None = None
    for number, each in lines:
        if change is not None and each.commit != change.commit:
            yield BlamedLines(first, last, change)
            change = None
        if change is None:
            first, change = number, each
        last = number
    if change is not None:
        yield BlamedLines(first, last, change)
