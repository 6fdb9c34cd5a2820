"""Static files, collected when they changed: hashing and compressing takes seconds."""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from devrag.core.hashing import sha256_hex

# Beside what was collected: who deletes the folder lets it be made anew.
_MARK = ".collected"


def collect_changed_static_files() -> bool:
    """Collect the static files unless those there are of the same; say whether."""
    mark = Path(settings.STATIC_ROOT) / _MARK
    wanted = _describe_files()
    if mark.exists() and mark.read_text("utf-8") == wanted:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    mark.write_text(wanted, "utf-8")
    return True


def _describe_files() -> str:
    """Return a digest of what would be collected, and of how."""
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
