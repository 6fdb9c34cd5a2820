"""Which mirrors of wikis and trackers on this host belong to a source.

A mirror is that of one place, token and choice of settings: what another token read is
no longer wanted, nor is that of a source that was deleted.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from devrag.core.errors import DevragError, SourceError
from devrag.sources.connectors.git.lock import exclusive_lock
from devrag.sources.connectors.pages.connector import PageConnector
from devrag.sources.models import Source
from devrag.sources.services import open_source

_BESIDE = ("", "-wal", "-shm")


def orphan_page_mirrors(repos_dir: Path) -> list[Path]:
    """Return mirrors that no source uses; none while a source cannot be opened."""
    present = set((repos_dir / "pages").glob("*.sqlite"))
    wanted = _wanted() if present else set()
    return [] if wanted is None else sorted(present - wanted)


def delete_page_mirror(path: Path) -> int:
    """Remove an orphan and return its bytes; 0 when it is in use after all."""
    lock = exclusive_lock(
        path.with_suffix(".lock"), timeout_seconds=0, on_wait=lambda: None
    )
    try:
        with lock:
            wanted = _wanted()
            if wanted is None or path in wanted:
                return 0
            return sum(_remove(path.with_name(path.name + end)) for end in _BESIDE)
    except SourceError:
        return 0


def _remove(path: Path) -> int:
    size = path.stat().st_size if path.exists() else 0
    path.unlink(missing_ok=True)
    return size


def _wanted() -> set[Path] | None:
    """Return the mirrors of all sources; None where that is not known of one."""
    found = set()
    for source in Source.objects.all():
        if not source.has_documents:
            continue
        try:
            opened = open_source(source)
        except DevragError:
            return None
        with contextlib.closing(opened):
            if isinstance(opened, PageConnector):
                found.add(opened.mirror_path)
    return found
