"""What one commit changed in a file, its secrets masked as in the index.

git says which lines changed; the lines themselves come from both whole texts after
masking, because a key is only recognized by its first line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.core.masking import mask_secrets
from devrag.core.text import clean_text
from devrag.sources.git_read import GitReader, HistoryUnavailable
from devrag.sources.history import LOG_FORMAT, Change, to_change
from devrag.sources.models import Source

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)")
_MOST_LINES, _MOST_BYTES = 3_000, 1_000_000
_LINE_CHARACTERS, _BODY_CHARACTERS = 2_000, 4_000
_SHOW = (
    *("show", "--no-color", "--no-show-signature", "--encoding=UTF-8", "-U3"),
    *("--no-ext-diff", "--no-textconv", "--no-renames"),
    *("--diff-merges=first-parent", "--src-prefix=a/", "--dst-prefix=b/"),
)


@dataclass(frozen=True, slots=True)
class PatchLine:
    """mark: ' ' unchanged, '-' removed, '+' added. old, new: numbers, 0 for none."""

    mark: str
    old: int
    new: int
    text: str


@dataclass(frozen=True, slots=True)
class PatchHunk:
    """Changed lines with three around them. around: the definition above."""

    around: str
    lines: tuple[PatchLine, ...]


@dataclass(frozen=True, slots=True)
class FileCommit:
    """A commit and what it did to one file.

    body: the message below its first line. is_cut: there are more lines. is_binary: no
    lines can be shown. parent: the commit before it, '' for the first one.
    """

    change: Change
    body: str
    parent: str
    hunks: tuple[PatchHunk, ...] = ()
    is_cut: bool = False
    is_binary: bool = False

    @property
    def added(self) -> int:
        return self._count("+")

    @property
    def removed(self) -> int:
        return self._count("-")

    def _count(self, mark: str) -> int:
        return sum(line.mark == mark for hunk in self.hunks for line in hunk.lines)


def read_file_commit(
    source: Source, newest: str, commit: str, path: str, *, repos_dir: Path
) -> FileCommit:
    """Return a commit's change of a file. newest: the indexed commit it came before.

    NotFound for a commit that the indexed one does not contain: the mirror may have
    branches that nobody here may see.
    """
    git = GitReader.of(source, repos_dir)
    commit, newest = git.check_commit(commit), git.check_commit(newest)
    if not git.succeeds("merge-base", "--is-ancestor", commit, newest):
        raise NotFound(
            gettext("Commit %(commit)s is not part of this version.")
            % {"commit": commit[:12]}
        )
    text = git.text(
        *_SHOW,
        *(f"--format={LOG_FORMAT}%x1f%P%x1f%b%x1e", "--end-of-options", commit),
        *("--", f":(literal){path}"),
    )
    head, _, patch = text.partition("\x1e")
    *fields, parents, body = head.split("\x1f")
    parent = parents.partition(" ")[0]
    before = _read_text(git, parent, path) if parent else []
    after = _read_text(git, commit, path)
    hunks, is_cut = read_hunks(patch, before, after)
    return FileCommit(
        change=to_change(fields),
        body=mask_secrets(clean_text(body).strip()[:_BODY_CHARACTERS]),
        parent=parent,
        hunks=hunks,
        is_cut=is_cut,
        is_binary=before is None or after is None or "\nBinary files " in patch,
    )


def _read_text(git: GitReader, commit: str, path: str) -> list[str] | None:
    """Return a file's masked lines at a commit; [] where it was not there.

    None where it is too large to be searched for secrets while a page waits.
    """
    name = f"{commit}:{path}"
    try:
        size = int(git.text("cat-file", "-s", name))
    except HistoryUnavailable:
        return []
    if size > _MOST_BYTES:
        return None
    data = git.read("cat-file", "blob", name)
    return mask_secrets(data.decode("utf-8", "replace")).split("\n")


def read_hunks(
    patch: str, before: Sequence[str] | None, after: Sequence[str] | None
) -> tuple[tuple[PatchHunk, ...], bool]:
    """Return the hunks of a patch with the lines of both texts, and whether cut. Pure.

    before, after: None where a text is not to be shown.
    """
    if before is None or after is None:
        return (), False
    hunks: list[PatchHunk] = []
    left, stream = _MOST_LINES, iter(patch.split("\n"))
    for line in stream:
        if match := _HUNK.match(line):
            if left <= 0:
                return tuple(hunks), True
            lines = tuple(_read_hunk(stream, match, before, after))
            hunks.append(PatchHunk(_around(match, before), lines[:left]))
            left -= len(lines)
    return tuple(hunks), left < 0


def _around(match: re.Match[str], before: Sequence[str]) -> str:
    """Return the line above that git names, as the masked text has it."""
    name = match[5].strip()
    above = before[: int(match[1])]
    is_shown = any(name and name in line for line in above)
    return name[:_LINE_CHARACTERS] if is_shown else ""


def _read_hunk(
    stream: Iterator[str],
    match: re.Match[str],
    before: Sequence[str],
    after: Sequence[str],
) -> Iterator[PatchLine]:
    old, old_size, new, new_size = (
        1 if each is None else int(each) for each in match.groups()[:4]
    )
    old_end, new_end = old + old_size, new + new_size
    while old < old_end or new < new_end:
        mark = next(stream, None)
        if mark is None:
            return
        if mark.startswith("\\"):  # there is no newline at the end of the file
            continue
        if mark.startswith("-"):
            yield PatchLine("-", old, 0, _line(before, old))
            old += 1
        elif mark.startswith("+"):
            yield PatchLine("+", 0, new, _line(after, new))
            new += 1
        else:
            yield PatchLine(" ", old, new, _line(after, new))
            old, new = old + 1, new + 1


def _line(lines: Sequence[str], number: int) -> str:
    text = lines[number - 1] if number <= len(lines) else ""
    return text.removesuffix("\r")[:_LINE_CHARACTERS]
