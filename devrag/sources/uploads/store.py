"""A folder for each upload below UPLOADS_DIR; unfinished ones leave nothing.

Whoever fills or reads a folder holds a lock on it, which ends with its process: what is
neither locked nor of a source may be removed.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput, ServiceError
from devrag.sources.connectors.types import Unlisted

CONTENT, LEFT_OUT = "content", "left_out.json"  # names in the folder
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(slots=True)
class NewUpload:
    """A folder that is being filled. It goes at the end unless is_kept is set."""

    id: str
    folder: Path
    is_kept: bool = False


def upload_folder(root: Path, upload_id: str) -> Path:
    """Return the folder of an upload; raises InvalidInput for what is no id."""
    if not _ID.fullmatch(upload_id):
        raise InvalidInput(gettext("The source has no uploaded files."))
    return root / upload_id


@contextmanager
def new_upload(root: Path) -> Iterator[NewUpload]:
    """Make a folder and hold its lock; remove it at the end unless it is kept."""
    upload_id = secrets.token_hex(16)
    made = NewUpload(upload_id, root / upload_id)
    try:
        root.mkdir(0o700, parents=True, exist_ok=True)
        made.folder.mkdir(0o700)
        descriptor = _lock(made.folder, fcntl.LOCK_EX)
    except OSError as error:
        raise ServiceError(
            gettext("Cannot store the upload: %(cause)s. Ask an administrator.")
            % {"cause": error.strerror or type(error).__name__}
        ) from error
    try:
        yield made
    finally:
        if not made.is_kept:
            shutil.rmtree(made.folder, ignore_errors=True)
        os.close(descriptor)


def lock_to_read(folder: Path) -> int:
    """Return a descriptor that keeps an upload until it is closed; raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


@contextmanager
def idle(folder: Path) -> Iterator[bool]:
    """Hold an upload's lock; False while somebody else does, or it is gone."""
    with _held(folder, fcntl.LOCK_EX) as is_held:
        yield is_held


@contextmanager
def idle_to_read(folder: Path) -> Iterator[bool]:
    """Keep an upload from removal; False for one that is being filled or is gone."""
    with _held(folder, fcntl.LOCK_SH) as is_held:
        yield is_held


def stored_uploads(root: Path) -> dict[str, Path]:
    """Return the folders of uploads by their ids."""
    if not root.is_dir():
        return {}
    return {
        entry.name: Path(entry.path)
        for entry in os.scandir(root)
        if _ID.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False)
    }


def read_left_out(folder: Path) -> list[Unlisted]:
    """Return what of an upload was not stored, by path."""
    try:
        rows = json.loads((folder / LEFT_OUT).read_text(encoding="utf-8"))
        found = [Unlisted(**row) for row in rows]
    except (OSError, ValueError, TypeError):
        return []
    return sorted(found, key=lambda each: each.path)


@contextmanager
def _held(folder: Path, kind: int) -> Iterator[bool]:
    try:
        descriptor = _lock(folder, kind)
    except (BlockingIOError, FileNotFoundError, NotADirectoryError):
        yield False
        return
    try:
        yield True
    finally:
        os.close(descriptor)


def _lock(folder: Path, kind: int) -> int:
    """Return a descriptor that holds the lock; raises BlockingIOError at once."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor
