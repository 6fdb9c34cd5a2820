"""Collect static files only when they changed: that takes seconds."""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from devrag.core.hashing import sha256_hex

# In the folder itself, so that deleting the folder has it made again.
_MARK = ".collected"


def collect_changed_static_files() -> bool:
    """Collect the static files if they differ from the last time; return whether."""
    mark = Path(settings.STATIC_ROOT) / _MARK
    wanted = _describe_files()
    if mark.exists() and mark.read_text("utf-8") == wanted:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    mark.write_text(wanted, "utf-8")
    return True


def _describe_files() -> str:
    """Return a digest of the files to collect, and of the storage backend."""
    found = [
        (path, *_facts(Path(storage.path(path))))
        for finder in get_finders()
        for path, storage in finder.list([])
    ]
    backend = settings.STORAGES["staticfiles"]["BACKEND"]
    return sha256_hex(json.dumps([backend, *found]))


def _facts(path: Path) -> tuple[str, int, int]:
    found = path.stat()
    return str(path), found.st_size, found.st_mtime_ns
