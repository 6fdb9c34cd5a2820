"""Finds the files of a folder without ever leaving it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from devrag.core.errors import SourceError
from devrag.sources.connectors.types import Unlisted
from devrag.sources.paths import is_unicode, printable


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file: path below the root, and where its bytes are."""

    path: str
    real: Path


def walk(root: Path) -> Iterator[Found | Unlisted]:
    """Yield every file below a real folder; `.git` folders are passed over.

    Symlinks to files inside the root count as files. Those to folders do not: what
    they show is listed at its own place, and following them could go round for ever.
    """
    pending = [""]
    while pending:
        directory = pending.pop()
        try:
            with os.scandir(root / directory) as children:
                entries = sorted(children, key=lambda entry: entry.name)
        except OSError as error:
            if not directory:
                # An empty listing would say that every file was removed.
                raise SourceError(
                    f"The folder {root} cannot be read: {error.strerror}.",
                    permanent=False,
                ) from error
            yield Unlisted(printable(directory), _unreadable(error))
            continue
        for entry in entries:
            path = f"{directory}/{entry.name}" if directory else entry.name
            if not entry.is_dir(follow_symlinks=False):
                yield _look(root, path, entry)
            elif entry.name != ".git":
                pending.append(path)


def open_file(root: Path, found: Found) -> BufferedReader | Unlisted:
    """Open a file that is still a regular file inside the root."""
    try:
        if not Path(os.path.realpath(found.real)).is_relative_to(root):
            return Unlisted(found.path, "symlink leaves the folder")
        # Without blocking: a pipe put in place of the file must not stop the worker.
        descriptor = os.open(found.real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return Unlisted(found.path, _unreadable(error))
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return open(descriptor, "rb")
    os.close(descriptor)
    return Unlisted(found.path, "not a regular file")


def _look(root: Path, path: str, entry: os.DirEntry[str]) -> Found | Unlisted:
    if not is_unicode(path):
        return Unlisted(printable(path), "name is not valid UTF-8")
    if entry.is_symlink():
        return _follow(root, path)
    if entry.is_file():
        return Found(path, root / path)
    return Unlisted(path, "not a regular file")


def _follow(root: Path, path: str) -> Found | Unlisted:
    target = Path(os.path.realpath(root / path))
    if not target.is_relative_to(root):
        return Unlisted(path, "symlink leaves the folder")
    if ".git" in target.relative_to(root).parts:
        return Unlisted(path, "symlink into .git")
    if target.is_dir():
        return Unlisted(path, "symlink to a folder")
    if not target.is_file():
        return Unlisted(path, "broken symlink")
    return Found(path, target)


def _unreadable(error: OSError) -> str:
    return f"unreadable: {error.strerror}"
