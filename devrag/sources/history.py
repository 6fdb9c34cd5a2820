"""Who changed a file and when, from the git mirror of this host; read when asked."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import structlog

from devrag.core.environments import minimal_environment
from devrag.core.text import clean_text, shorten
from devrag.sources.connectors.git.environment import local_environment
from devrag.sources.mirrors import mirror_of
from devrag.sources.models import Source

_log = structlog.get_logger(__name__)

_FORMAT = "%H%x1f%an%x1f%ct%x1f%s%x1e"
_FIELDS = 4
_SUBJECT_CHARACTERS, _NAME_CHARACTERS = 200, 80
# A page waits for this; the history of a file of the Linux kernel takes longer.
_SECONDS = 2.0


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
    """Return the last changes of a file up to a commit, the newest first.

    Nothing where the source is not git, its mirror is on another host, or git does not
    answer within two seconds. Renames end the history of a name.
    """
    mirror = mirror_of(source, repos_dir)
    if mirror is None or not (mirror / "HEAD").exists():
        return ()
    command = (
        *("git", "log", "--no-color", "--no-show-signature", "--encoding=UTF-8"),
        *(f"--max-count={most}", f"--format={_FORMAT}", "--end-of-options"),
        *(commit, "--", f":(literal){path}"),
    )
    environment = minimal_environment() | local_environment(mirror)
    try:
        done = subprocess.run(
            command,
            env=environment,
            cwd=mirror,
            capture_output=True,
            timeout=_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        _log.info("history_not_read", source=source.name, reason=str(error)[:200])
        return ()
    text = clean_text(done.stdout.decode("utf-8", "replace"))
    records = (record.strip("\n").split("\x1f") for record in text.split("\x1e"))
    return tuple(_change(each) for each in records if len(each) == _FIELDS)


def _change(fields: list[str]) -> Change:
    commit, author, seconds, subject = fields
    moment = datetime.fromtimestamp(int(seconds), UTC)
    name = shorten(_printable(author), _NAME_CHARACTERS)
    line = shorten(_printable(subject), _SUBJECT_CHARACTERS)
    return Change(commit, name, moment, line)


def _printable(text: str) -> str:
    return "".join(each for each in text if each.isprintable())
