"""Uploaded files in a backup: nothing else has them."""

from __future__ import annotations

import re
import shutil
import zipfile
from contextlib import suppress
from pathlib import Path

from devrag.sources.api import idle_to_read, stored_uploads

# An id, and what of the upload is kept; the listing beside is made again.
_NAME = re.compile(r"uploads/[0-9a-f]{32}/(?:left_out\.json|content/.+)", re.DOTALL)
_KEPT = ("content", "left_out.json")


def is_upload_name(name: str) -> bool:
    """Return whether a part of a backup is an uploaded file, and leads nowhere else."""
    parts = name.split("/")
    return bool(_NAME.fullmatch(name)) and not {"", ".", ".."}.intersection(parts)


def write_uploads(packed: zipfile.ZipFile, root: Path) -> None:
    """Add all uploads that are complete; those that go meanwhile are left out."""
    for upload_id, folder in sorted(stored_uploads(root).items()):
        with idle_to_read(folder) as is_complete:
            if not is_complete:
                continue
            for path in sorted(folder.rglob("*")):
                inner = path.relative_to(folder)
                if inner.parts[0] in _KEPT and path.is_file() and not path.is_symlink():
                    with suppress(FileNotFoundError):
                        packed.write(path, f"uploads/{upload_id}/{inner.as_posix()}")


def read_uploads(packed: zipfile.ZipFile, root: Path) -> None:
    """Put the uploads of a backup in the place of what is there."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(0o700, parents=True, exist_ok=True)
    for name in filter(is_upload_name, packed.namelist()):
        target = root / name.removeprefix("uploads/")
        target.parent.mkdir(0o700, parents=True, exist_ok=True)
        with packed.open(name) as stored, target.open("wb") as file:
            shutil.copyfileobj(stored, file, 1 << 20)
