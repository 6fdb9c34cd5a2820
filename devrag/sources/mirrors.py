"""Which git mirrors on this host belong to a source, and the removal of the others."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from devrag.core.errors import SourceError
from devrag.sources.connectors.git import mirror_path
from devrag.sources.connectors.git.lock import exclusive_lock
from devrag.sources.models import Source

# As `mirror_path` names them; other folders in here are none of ours.
_OURS = re.compile(r"-[0-9a-f]{16}\.git$")


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
    """Return mirrors on this host that no source uses."""
    ours = {path for path in repos_dir.glob("*.git") if _OURS.search(path.name)}
    return sorted(ours - wanted_mirrors(repos_dir))


def remove_mirror(path: Path) -> int:
    """Remove an orphan and return its bytes; 0 when it is in use after all."""
    lock = path.with_suffix(".lock")
    size = folder_bytes([path])
    try:
        with exclusive_lock(lock, timeout_seconds=0, on_wait=lambda: None):
            if path in wanted_mirrors(path.parent):
                return 0
            shutil.rmtree(path)
            lock.unlink(missing_ok=True)
    except SourceError:  # a fetch still writes into it: the next housekeeping asks
        return 0
    return size


def folder_bytes(folders: Iterable[Path]) -> int:
    """Return the bytes of all files below folders, of those that are there."""
    return sum(
        file.lstat().st_size
        for folder in folders
        for file in folder.rglob("*")
        if file.is_file() and not file.is_symlink()
    )
