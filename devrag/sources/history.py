"""Which commits changed a file or what is in a folder, read from the git mirror."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from devrag.core.masking import mask_secrets
from devrag.core.text import clean_text, shorten
from devrag.sources.git_read import GitReader, HistoryUnavailable
from devrag.sources.models import Source

LOG_FORMAT = "%H%x1f%an%x1f%ct%x1f%s"
_FIELDS = 4
_SUBJECT_CHARACTERS, _NAME_CHARACTERS = 200, 80
_LOG = ("log", "--no-color", "--no-show-signature", "--encoding=UTF-8")
# What changed long before is not looked for while a page waits.
_MOST_COMMITS, _FOLDER_SECONDS = 5_000, 1.5


@dataclass(frozen=True, slots=True)
class Change:
    """A commit that changed a file. author: the name in it. subject: its first line."""

    commit: str
    author: str
    committed_at: datetime
    subject: str


def file_history(
    source: Source, commit: str, path: str, *, repos_dir: Path, most: int = 20
) -> tuple[Change, ...]:
    """Return the last changes of a file as list_changes(), nothing where it fails."""
    try:
        return list_changes(source, commit, path, repos_dir=repos_dir, most=most)
    except HistoryUnavailable:
        return ()


def list_changes(
    source: Source,
    commit: str,
    path: str,
    *,
    repos_dir: Path,
    most: int,
    skipped: int = 0,
) -> tuple[Change, ...]:
    """Return the changes of a file up to a commit, the newest first.

    HistoryUnavailable where the source is not git, its mirror is on another host, or
    git does not answer within two seconds. Renames end the history of a name.
    """
    git = GitReader.of(source, repos_dir)
    text = git.text(
        *_LOG,
        *(f"--max-count={most}", f"--skip={skipped}", f"--format={LOG_FORMAT}%x1e"),
        *("--end-of-options", commit, "--", f":(literal){path}"),
    )
    records = (record.strip("\n").split("\x1f") for record in text.split("\x1e"))
    return tuple(to_change(each) for each in records if len(each) == _FIELDS)


def last_changes(
    source: Source,
    commit: str,
    folder: str,
    names: Collection[str],
    *,
    repos_dir: Path,
) -> dict[str, Change]:
    """Return the last change of each entry of a folder by its name.

    As far as the last 5,000 commits and 1.5 seconds tell; HistoryUnavailable where
    there is no mirror.
    """
    prefix = f"{folder}/" if folder else ""
    left, found = set(names), dict[str, Change]()
    where = ("--", f":(literal){folder}") if folder else ()
    command = (
        *(*_LOG, "-z", "--name-only", "--no-renames", f"--max-count={_MOST_COMMITS}"),
        *(f"--format=%x1e{LOG_FORMAT}%x1f", "--end-of-options", commit, *where),
    )
    git = GitReader.of(source, repos_dir)
    with git.stream(*command, seconds=_FOLDER_SECONDS) as output:
        for record in output.records(b"\x1e"):
            fields = record.split("\x1f")
            if len(fields) != _FIELDS + 1:
                continue
            paths = (each.strip("\n") for each in fields.pop().split("\0"))
            touched = {
                path.removeprefix(prefix).partition("/")[0]
                for path in paths
                if path.startswith(prefix)
            }
            if changed := touched & left:
                found |= dict.fromkeys(changed, to_change(fields))
                left -= changed
            if not left:
                break
    return found


def to_change(fields: list[str]) -> Change:
    """Return a commit of its fields, as LOG_FORMAT has them."""
    commit, author, seconds, subject = fields
    moment = datetime.fromtimestamp(int(seconds), UTC)
    name = shorten(_printable(clean_text(author)), _NAME_CHARACTERS)
    line = mask_secrets(shorten(_printable(clean_text(subject)), _SUBJECT_CHARACTERS))
    return Change(commit.strip(), name, moment, line)


def _printable(text: str) -> str:
    return "".join(each for each in text if each.isprintable())
