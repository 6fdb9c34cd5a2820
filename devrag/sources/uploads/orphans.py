"""Which uploads on this host belong to a source, and the removal of the others."""

from __future__ import annotations

import shutil
from pathlib import Path

from devrag.sources.mirrors import folder_bytes
from devrag.sources.models import Source
from devrag.sources.uploads.store import idle, stored_uploads


def orphan_uploads(root: Path) -> list[Path]:
    """Return uploads of no source, also those that are being filled."""
    wanted = _wanted()
    found = stored_uploads(root).items()
    return sorted(path for upload_id, path in found if upload_id not in wanted)


def delete_upload(path: Path) -> int:
    """Remove an orphan and return its bytes; 0 when it is in use after all."""
    with idle(path) as is_idle:
        # Asked again: whoever filled it held its lock until a source had it.
        if not is_idle or path.name in _wanted():
            return 0
        size = folder_bytes([path])
        shutil.rmtree(path, ignore_errors=True)
    return max(size, 1)


def adopt_uploads(root: Path, host: str) -> None:
    """Let the machine that has their files index sources, after a backup moved."""
    found = list(stored_uploads(root))
    rows = Source.everything.filter(
        source_type=Source.Type.UPLOAD, metadata__upload__in=found
    )
    rows.exclude(host=host).update(host=host)


def _wanted() -> set[str]:
    rows = Source.everything.filter(source_type=Source.Type.UPLOAD)
    return {str(each) for each in rows.values_list("metadata__upload", flat=True)}
