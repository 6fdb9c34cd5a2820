"""Which git mirrors on this host belong to a source, and the removal of the others."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from devrag.core.environments import minimal_environment
from devrag.core.errors import SourceError
from devrag.sources.connectors.git import mirror_path
from devrag.sources.connectors.git.environment import local_environment
from devrag.sources.connectors.git.lock import exclusive_lock
from devrag.sources.models import Source

# As `mirror_path` names them; other folders in here are none of ours.
_OURS = re.compile(r"-[0-9a-f]{16}\.(?:git|damaged)$")


def mirror_of(source: Source, repos_dir: Path) -> Path | None:
    """Return where a source's mirror is on this host; None for what is not git."""
    if source.source_type != Source.Type.GIT or not source.location:
        return None
    return mirror_path(repos_dir, source.location)


def wanted_mirrors(repos_dir: Path) -> set[Path]:
    """Return the mirrors of all sources; those of equal address share one."""
    rows = Source.objects.filter(source_type=Source.Type.GIT)
    return {path for row in rows if (path := mirror_of(row, repos_dir))}


def orphan_mirrors(repos_dir: Path) -> list[Path]:
    """Return mirrors on this host that no source uses.

    Among them are damaged ones that a killed fetch had put aside.
    """
    ours = {path for path in repos_dir.glob("*") if _OURS.search(path.name)}
    return sorted(ours - wanted_mirrors(repos_dir))


def delete_mirror(path: Path) -> int:
    """Remove an orphan and return its bytes; 0 when it is in use after all."""
    size = folder_bytes([path])
    with _idle(path) as is_idle:
        if not is_idle or path in wanted_mirrors(path.parent):
            return 0
        # The lock file stays: who waits must not get another than who comes later.
        shutil.rmtree(path)
    return size


def folder_bytes(folders: Iterable[Path]) -> int:
    """Return the bytes of all files below folders, of those that are there."""
    return sum(
        file.lstat().st_size
        for folder in folders
        for file in folder.rglob("*")
        if file.is_file() and not file.is_symlink()
    )


def present_mirrors(repos_dir: Path) -> list[Path]:
    """Return the mirrors of sources that are on this host."""
    return sorted(path for path in wanted_mirrors(repos_dir) if path.is_dir())


def stale_leftovers(mirror: Path) -> list[Path]:
    """Return lock files, half-written packs and a mirror put aside, without a fetch."""
    with _idle(mirror) as is_idle:
        return _leftovers(mirror) if is_idle else []


def remove_leftovers(mirror: Path) -> None:
    """Remove what a killed fetch left, unless another one runs by now."""
    with _idle(mirror) as is_idle:
        for path in _leftovers(mirror) if is_idle else ():
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def _leftovers(mirror: Path) -> list[Path]:
    found = [*mirror.glob("*.lock"), *mirror.glob("refs/**/*.lock")]
    found += mirror.parent.glob(mirror.with_suffix(".damaged").name)
    return sorted([*found, *mirror.glob("objects/pack/tmp_*")])


def is_broken(mirror: Path) -> bool:
    """Return whether commits or trees that a ref needs are missing or unreadable."""
    command = ["git", "fsck", "--connectivity-only", "--no-dangling", "--no-progress"]
    with _idle(mirror) as is_idle:
        if not is_idle:
            return False
        environment = minimal_environment() | local_environment(mirror)
        done = subprocess.run(
            command, env=environment, capture_output=True, check=False
        )
    return done.returncode != 0


def delete_broken_mirror(mirror: Path) -> None:
    """Remove a broken mirror; the next index of its sources clones it again."""
    with _idle(mirror) as is_idle:
        if is_idle:
            shutil.rmtree(mirror)


@contextmanager
def _idle(mirror: Path) -> Iterator[bool]:
    """Keep fetches out meanwhile; False while one runs."""
    with ExitStack() as stack:
        lock = exclusive_lock(
            mirror.with_suffix(".lock"), timeout_seconds=0, on_wait=lambda: None
        )
        try:
            stack.enter_context(lock)
        except SourceError:
            yield False
        else:
            yield True
