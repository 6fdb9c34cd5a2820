"""Read the output of `git log -p -U0`: how many lines of which definitions changed.

Pure. Lines that say nothing of behaviour do not count: blank ones, comments, imports,
and hunks that only set the same characters differently.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

# Begins the line of a commit: its hash and the seconds of its date.
COMMIT_MARK = "\x1e"
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@ ?(.*)")
# More of one file in one commit are not looked at: it was generated or replaced.
_MOST_LINES = 5_000
_LONGEST_LINE = 400
_NOISE = re.compile(r"[\s,;\"'()\\]+")
_WORD = re.compile(r"\w")
_SAYS_NOTHING = re.compile(
    r"\s*(?:#(?!\s*(?:if|define|ifdef|else))|//|/\*|\*|<!--|;;|--\s"
    r"|import\b|from\s+\S+\s+import\b|use\s|using\s|package\s|require\b|#include\b)"
)
_DECLARATION = re.compile(
    r"\b(?:def|class|func|function|fn|struct|enum|trait|interface|type|module|impl"
    r"|object|record|sub|macro_rules!|protocol|extension)\s+(?:\([^)]*\)\s*)?"
    r"(?:self\.)?(\w+)"
)
_CALLABLE = re.compile(r"(\w+)\s*\(")
_ASSIGNED = re.compile(
    r"(?:export\s+)?(?:const|let|var|static|pub)?\s*(\w+)\s*(?:[:=]|$)"
)
_NO_NAMES = frozenset({"if", "for", "while", "switch", "return", "catch", "elif"})


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that one place lost and got. around: the definition above, as git says."""

    around: str
    removed: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(slots=True)
class FilePatch:
    """What a commit did to a file. old_path: another one before, '' for the same."""

    path: str = ""
    old_path: str = ""
    is_new: bool = False
    is_deleted: bool = False
    hunks: list[Hunk] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CommitPatch:
    """A commit and its files."""

    commit: str
    committed_at: datetime
    files: tuple[FilePatch, ...]


def read_patches(lines: Iterable[str]) -> Iterator[CommitPatch]:
    """Yield the commits of `git log -p -U0` whose output is whole.

    The last one is only known to be whole when `lines` ends without an error.
    """
    stream = iter(lines)
    head: tuple[str, datetime] | None = None
    files: list[FilePatch] = []
    for line in stream:
        if line.startswith(COMMIT_MARK):
            if head:
                yield CommitPatch(*head, tuple(files))
            commit, _, seconds = line[1:].partition(" ")
            head, files = (commit, datetime.fromtimestamp(int(seconds), UTC)), []
        elif line.startswith("diff --git "):
            files.append(FilePatch())
        elif files:
            _read_line(files[-1], line, stream)
    if head:
        yield CommitPatch(*head, tuple(files))


def _read_line(patch: FilePatch, line: str, stream: Iterator[str]) -> None:
    name = line.partition("\t")[0]
    if line.startswith("rename from "):
        patch.old_path = line.removeprefix("rename from ")
    elif line.startswith("rename to "):
        patch.path = line.removeprefix("rename to ")
    elif line.startswith("new file mode"):
        patch.is_new = True
    elif line.startswith("deleted file mode"):
        patch.is_deleted = True
    elif line.startswith("+++ b/"):
        patch.path = name.removeprefix("+++ b/")
    elif match := _HUNK.match(line):
        sizes = [1 if each is None else int(each) for each in match.groups()[:2]]
        patch.hunks.append(_read_hunk(stream, match[3], sum(sizes)))


def _read_hunk(stream: Iterator[str], around: str, size: int) -> Hunk:
    removed: list[str] = []
    added: list[str] = []
    while size:
        line = next(stream, None)
        if line is None:
            break
        if line.startswith("\\"):
            continue
        size -= 1
        side = removed if line.startswith("-") else added
        if len(side) < _MOST_LINES:
            side.append(line[1 : _LONGEST_LINE + 1])
    return Hunk(around, tuple(removed), tuple(added))


def count_prose(patch: FilePatch) -> int:
    """Return how many lines of a document changed, white space aside."""
    return sum(
        sum(1 for line in (*hunk.removed, *hunk.added) if line.strip())
        for hunk in patch.hunks
    )


def count_code(patch: FilePatch) -> dict[str, int]:
    """Return definition → changed lines; '' for those outside of any.

    Empty for a patch that changes no behaviour.

    >>> count_code(FilePatch(hunks=[Hunk("def pay(a):", ("  f( a )",), ("  f(a)",))]))
    {}
    """
    hunks = [hunk for hunk in patch.hunks if not _is_formatting([hunk])]
    if _is_formatting(hunks):
        return {}
    found: Counter[str] = Counter()
    for hunk in hunks:
        around = name_of(hunk.around)
        for side in ("removed", "added"):
            found.update(_names(_said(hunk, side), around))
    return dict(found)


def _is_formatting(hunks: Iterable[Hunk]) -> bool:
    """Return whether both sides have the same characters, in another form."""
    before, after = (
        _NOISE.sub("", "".join(line for hunk in hunks for line in _said(hunk, side)))
        for side in ("removed", "added")
    )
    return before == after


def _said(hunk: Hunk, side: str) -> Iterator[str]:
    """Yield the lines of a side that may tell of behaviour."""
    lines: tuple[str, ...] = getattr(hunk, side)
    return (
        line for line in lines if _WORD.search(line) and not _SAYS_NOTHING.match(line)
    )


def _names(lines: Iterable[str], around: str) -> Iterator[str]:
    """Yield the definition that each line counts for."""
    name = around
    for line in lines:
        if match := _DECLARATION.search(line):
            name = match[1]
        elif not line[0].isspace():
            assigned = _ASSIGNED.match(line)
            name = assigned[1] if assigned else ""
        yield name


def name_of(header: str) -> str:
    """Return the name that a line defines, '' for none.

    >>> name_of("func (s *Server) Close() error {"), name_of("  void run(int a)")
    ('Close', 'run')
    """
    if match := _DECLARATION.search(header):
        return match[1]
    names = [each for each in _CALLABLE.findall(header) if each not in _NO_NAMES]
    if names:
        return str(names[0])
    assigned = _ASSIGNED.match(header.strip())
    return assigned[1] if assigned else ""
