"""Keep what commits changed in the files of today, read once from the git mirror.

`git log -p` runs over the commits that no run has read yet, newest first, within a
bound of commits and seconds.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from threading import Timer

import structlog
from django.db import transaction

from devrag.core.environments import minimal_environment
from devrag.parsing.path_roles import is_aside, is_test
from devrag.sources.connectors.git.environment import local_environment
from devrag.sources.mirrors import mirror_of
from devrag.sources.models import File, FileChange, ReadHistory, Source
from devrag.sources.patches import (
    COMMIT_MARK,
    CommitPatch,
    FilePatch,
    count_code,
    count_prose,
    read_patches,
)

_log = structlog.get_logger(__name__)

# Raised whenever equal patches give other lines: histories are read again then.
HISTORY_VERSION = 1
_DRIVERS = Path(__file__).with_name("diff_drivers.gitattributes")
_MOST_COMMITS = 20_000
_SECONDS = 300.0
_QUICK_SECONDS = 30.0
_ROWS = 2_000
_MOST_NAMES = 200
# Larger files are generated, or data.
_LARGEST = "512k"
_LEFT_OUT = ("*.min.js", "*.lock", "*.svg", "*.csv", "*.map", "*.po", "*.snap")
_SETTINGS = (
    *("-c", f"core.attributesFile={_DRIVERS}", "-c", "core.quotePath=false"),
    *("-c", f"core.bigFileThreshold={_LARGEST}", "-c", "diff.renameLimit=400"),
)
_LOG = (
    *("log", "-p", "-U0", "-w", "--ignore-blank-lines", "-M", "--no-color"),
    *("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-merges"),
    *("--src-prefix=a/", "--dst-prefix=b/", f"--max-count={_MOST_COMMITS}"),
    f"--format={COMMIT_MARK}%H %ct",
)


@dataclass(slots=True)
class _Reading:
    """A pass over commits, newest first.

    kinds: path of today → kind of its file. renamed: a name of before → that of today.
    """

    kinds: dict[str, str]
    renamed: dict[str, str] = field(default_factory=dict)
    oldest: CommitPatch | None = None
    is_whole: bool = False

    def changes(self, found: CommitPatch) -> Iterator[tuple[str, int, dict[str, int]]]:
        """Yield path of today, lines and names of each file that a commit changed."""
        self.oldest = found
        for patch in found.files:
            path = self.renamed.get(patch.path, patch.path)
            if patch.old_path and path in self.kinds:
                self.renamed[patch.old_path] = path
            if path in self.kinds and not patch.is_deleted:
                lines, names = _count(patch, self.kinds[path])
                if lines:
                    yield path, lines, names


def _count(patch: FilePatch, kind: str) -> tuple[int, dict[str, int]]:
    """Return the lines that count; what made a file of code is no change of it."""
    if kind == File.Kind.DOC:
        return count_prose(patch), {}
    names = {} if patch.is_new else count_code(patch)
    return sum(names.values()), dict(islice(names.items(), _MOST_NAMES))


def read_history(source: Source, *, repos_dir: Path) -> int:
    """Keep the changes of commits that are new; return how many changes that is.

    0 where the source is not git or its mirror is on another host. Where the history
    was rewritten, what it no longer has is removed.
    """
    mirror = mirror_of(source, repos_dir)
    ref = source.refs.filter(is_current=True).select_related("snapshot").first()
    commit = ref.snapshot.version_identifier if ref and ref.snapshot else ""
    if mirror is None or not (mirror / "HEAD").exists() or not commit:
        return 0
    before = ReadHistory.objects.filter(source=source, version=HISTORY_VERSION).first()
    if before is not None and before.commit == commit:
        return 0
    try:
        return _read(source, mirror, before, commit)
    except (OSError, subprocess.SubprocessError) as error:
        _log.warning("history_not_read", source=source.name, reason=str(error)[:200])
        return 0


@transaction.atomic
def _read(source: Source, mirror: Path, before: ReadHistory | None, commit: str) -> int:
    base = _common_base(mirror, before, commit)
    changes = FileChange.objects.filter(source=source)
    if before is None or not base:
        changes.delete()
    elif base != before.commit:
        gone = _git(mirror, "rev-list", f"{base}..{before.commit}").split()
        changes.filter(commit__in=gone).delete()
    reading = _Reading(_kinds(source))
    wanted = f"{base}..{commit}" if base else commit
    count = _store(source, mirror, wanted, reading)
    _follow_renames(source, reading.renamed)
    oldest = reading.oldest.committed_at if reading.oldest else None
    is_added = bool(base) and before is not None and reading.is_whole
    ReadHistory.objects.update_or_create(
        source=source,
        defaults={
            "commit": commit,
            "version": HISTORY_VERSION,
            "oldest_at": before.oldest_at if before and is_added else oldest,
            "is_complete": before.is_complete
            if before and is_added
            else reading.is_whole,
        },
    )
    return count


def _common_base(mirror: Path, before: ReadHistory | None, commit: str) -> str:
    """Return the newest commit that was read and still belongs, '' for none."""
    if before is None:
        return ""
    try:
        return _git(mirror, "merge-base", before.commit, commit).strip()
    except subprocess.CalledProcessError:
        return ""


def _kinds(source: Source) -> dict[str, str]:
    """Return the current files that count: path → kind. Queries: 1."""
    files = File.objects.filter(
        source=source,
        is_generated=False,
        kind__in=(File.Kind.CODE, File.Kind.DOC),
        manifests__until=None,
        manifests__ref__is_current=True,
    )
    return {
        path: kind
        for path, kind in files.values_list("path", "kind")
        if kind == File.Kind.DOC or not (is_test(path) or is_aside(path))
    }


def _store(source: Source, mirror: Path, wanted: str, reading: _Reading) -> int:
    rows = _rows(source, mirror, wanted, reading)
    count = 0
    while part := list(islice(rows, _ROWS)):
        FileChange.objects.bulk_create(part, ignore_conflicts=True)
        count += len(part)
    return count


def _rows(
    source: Source, mirror: Path, wanted: str, reading: _Reading
) -> Iterator[FileChange]:
    skipped = (f":(exclude,glob)**/{name}" for name in _LEFT_OUT)
    command = (*_LOG, "--end-of-options", wanted, "--", ".", *skipped)
    with _lines(mirror, command) as (lines, process):
        # The last commit may be cut off: it counts once the next one has begun.
        held: CommitPatch | None = None
        for found in read_patches(lines):
            if held:
                yield from _rows_of(source, held, reading)
            held = found
        reading.is_whole = process.wait() == 0
        if held and reading.is_whole:
            yield from _rows_of(source, held, reading)


def _rows_of(
    source: Source, found: CommitPatch, reading: _Reading
) -> Iterator[FileChange]:
    for path, lines, names in reading.changes(found):
        yield FileChange(
            source=source,
            path=path,
            commit=found.commit,
            committed_at=found.committed_at,
            lines=lines,
            names=names,
        )


def _follow_renames(source: Source, renamed: dict[str, str]) -> None:
    """Let changes that were read under names of before count for those of today."""
    rows = FileChange.objects.filter(source=source)
    kept = set(rows.filter(path__in=renamed).values_list("path", flat=True).distinct())
    for old in kept:
        same = rows.filter(path=renamed[old]).values("commit")
        rows.filter(path=old).exclude(commit__in=same).update(path=renamed[old])


@contextmanager
def _lines(
    mirror: Path, command: Sequence[str]
) -> Iterator[tuple[Iterator[str], subprocess.Popen[bytes]]]:
    """Give the lines that git prints; it is ended when its time is over."""
    with subprocess.Popen(
        ("git", *_SETTINGS, *command),
        env=minimal_environment() | local_environment(mirror),
        cwd=mirror,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        timer = Timer(_SECONDS, process.kill)
        timer.start()
        try:
            output = process.stdout or ()
            yield (
                (
                    line.decode("utf-8", "replace").rstrip("\n").replace("\x00", "")
                    for line in output
                ),
                process,
            )
        finally:
            timer.cancel()
            process.kill()


def _git(mirror: Path, *command: str) -> str:
    done = subprocess.run(
        ("git", *command),
        env=minimal_environment() | local_environment(mirror),
        cwd=mirror,
        capture_output=True,
        timeout=_QUICK_SECONDS,
        check=True,
    )
    return done.stdout.decode("utf-8", "replace")
