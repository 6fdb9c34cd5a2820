"""The history of a file: its commits, who wrote its lines, what one commit changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.urls import reverse

from devrag.core.highlight import highlight_lines
from devrag.core.principal import Principal
from devrag.mentions.api import link_tickets
from devrag.sources.api import (
    BlamedLines,
    Change,
    FileCommit,
    PatchHunk,
    blame_lines,
    last_changes,
    list_changes,
    read_file_commit,
)
from devrag.sources.models import File
from devrag.web.pages.code import get_block_html
from devrag.web.pages.files import SourcePosition
from devrag.web.pages.folder import EntryChange
from devrag.web.pages.mentions import SubjectPiece, subject_pieces

COMMITS = 40


@dataclass(frozen=True, slots=True)
class CommitRow:
    """A commit. author: '' where names are not shown. url: what it changed in a file,
    '' where that is not shown.
    """

    commit: str
    author: str
    committed_at: datetime
    subject: tuple[SubjectPiece, ...]
    url: str

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.subject)


@dataclass(frozen=True, slots=True)
class HistoryPart:
    """Some commits of a file. next_skip: from where the older ones go on, or None."""

    rows: tuple[CommitRow, ...]
    next_skip: int | None


@dataclass(frozen=True, slots=True)
class BlameRow:
    """Lines that one commit wrote: their numbers and HTML. age: 0 new to 4 old."""

    row: CommitRow
    lines: tuple[tuple[int, str], ...]
    age: int


@dataclass(frozen=True, slots=True)
class BlamePart:
    """A block of a blamed file. next_line: of the next block, None after the last."""

    rows: tuple[BlameRow, ...]
    first: int
    last: int
    next_line: int | None


@dataclass(frozen=True, slots=True)
class PatchRow:
    """A line of a change. css: added, removed or same; numbers: '' for none."""

    css: str
    mark: str
    old: str
    new: str
    html: str


@dataclass(frozen=True, slots=True)
class CommitPart:
    """What a commit changed in a file. hunks: the definition around and the lines."""

    row: CommitRow
    commit: FileCommit
    hunks: tuple[tuple[str, tuple[PatchRow, ...]], ...]


def get_history(
    principal: Principal, place: SourcePosition, skipped: int
) -> HistoryPart:
    """Return commits of a file. Queries: ≤ 2. HistoryUnavailable says why not."""
    found = list_changes(
        place.source,
        place.commit,
        place.path,
        repos_dir=_repos_dir(),
        most=COMMITS + 1,
        skipped=skipped,
    )
    rows = _to_rows(principal, place, found[:COMMITS])
    return HistoryPart(rows, skipped + COMMITS if len(found) > COMMITS else None)


def get_blame(
    principal: Principal, place: SourcePosition, file: File, line: int
) -> BlamePart:
    """Return the block with a line, each line with its commit. Queries: ≤ 2."""
    first, html, _ = get_block_html(file, line)
    last = first + len(html) - 1
    found = blame_lines(
        *(place.source, place.commit, place.path, first, last), repos_dir=_repos_dir()
    )
    changes = {each.change.commit: each.change for each in found}
    rows = _to_rows(principal, place, tuple(changes.values()))
    by_commit = {row.commit: row for row in rows}
    ages = _ages(tuple(changes.values()))
    blamed = tuple(
        BlameRow(
            by_commit[each.change.commit],
            _lines(each, first, html),
            ages[each.change.commit],
        )
        for each in found
    )
    return BlamePart(blamed, first, last, last + 1 if last < file.lines else None)


def _lines(
    blamed: BlamedLines, first: int, html: Sequence[str]
) -> tuple[tuple[int, str], ...]:
    numbers = range(blamed.first, min(blamed.last, first + len(html) - 1) + 1)
    return tuple((number, html[number - first]) for number in numbers)


def _ages(changes: Sequence[Change]) -> dict[str, int]:
    """Return 0 for the newest fifth of commits to 4 for the oldest."""
    newest = sorted(changes, key=lambda each: each.committed_at, reverse=True)
    return {each.commit: place * 5 // len(newest) for place, each in enumerate(newest)}


def get_commit(
    principal: Principal, place: SourcePosition, file: File, commit: str
) -> CommitPart:
    """Return what a commit changed in a file, its secrets masked. Queries: ≤ 2."""
    found = read_file_commit(
        place.source, place.commit, commit, place.path, repos_dir=_repos_dir()
    )
    (row,) = _to_rows(principal, place, (found.change,))
    hunks = tuple(
        (hunk.around, _patch_rows(hunk, file.language)) for hunk in found.hunks
    )
    return CommitPart(row, found, hunks)


def get_last_changes(
    place: SourcePosition, names: Sequence[str]
) -> dict[str, EntryChange]:
    """Return the last change of each entry of a folder, as far as git could tell."""
    found = last_changes(
        place.source, place.commit, place.path, names, repos_dir=_repos_dir()
    )
    return {
        name: EntryChange(each.commit, _author(each), each.committed_at, each.subject)
        for name, each in found.items()
    }


def _patch_rows(hunk: PatchHunk, language: str) -> tuple[PatchRow, ...]:
    """Return lines with colours, each side coloured as a text of its own."""
    sides = {
        mark: iter(
            highlight_lines(
                "\n".join(each.text for each in hunk.lines if each.mark in shown),
                language,
            )
        )
        for mark, shown in (("-", "-"), ("+", " +"))
    }
    names = {"-": "removed", "+": "added", " ": "same"}
    return tuple(
        PatchRow(
            names[each.mark],
            each.mark.strip(),
            str(each.old or ""),
            str(each.new or ""),
            next(sides["-" if each.mark == "-" else "+"], ""),
        )
        for each in hunk.lines
    )


def _to_rows(
    principal: Principal, place: SourcePosition, changes: Sequence[Change]
) -> tuple[CommitRow, ...]:
    """Return commits whose subjects lead to the tickets that they name."""
    subjects = [each.subject for each in changes]
    linked = link_tickets(principal, place.product, place.source, subjects)
    return tuple(
        CommitRow(
            each.commit,
            _author(each),
            each.committed_at,
            subject_pieces(place.product.name, parts),
            commit_url(place, each.commit),
        )
        for each, parts in zip(changes, linked, strict=True)
    )


def _author(change: Change) -> str:
    return change.author if settings.SHOW_AUTHORS else ""


def commit_url(place: SourcePosition, commit: str) -> str:
    """Return the address of what a commit changed in the file."""
    names = (place.product.name, place.source.name, place.version)
    return reverse("web:commit", args=[*names, commit, place.path])


def _repos_dir() -> Path:
    return Path(settings.GIT_CLONE_DIR)
