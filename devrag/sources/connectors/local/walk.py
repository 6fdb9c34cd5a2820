"""Finds the files of a folder without ever leaving it."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput, SourceError
from devrag.sources.connectors.types import Unlisted
from devrag.sources.paths import is_unicode, printable

_COUNTING_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file: path below the root, and where its bytes are."""

    path: str
    real: Path


def walk(root: Path, max_files: int) -> Iterator[Found | Unlisted]:
    """Yield every file below a real folder by path; `.git` folders are passed over.

    Symlinks to files inside the root count as files. Those to folders do not: what
    they show is listed at its own place, and following them could go round for ever.
    Raises InvalidInput past max_files, with the count.
    """
    check_count(root, max_files)
    open_folders = [_root_children(root)]
    while open_folders:
        path, entry = next(open_folders[-1], ("", None))
        if entry is None:
            open_folders.pop()
        elif not entry.is_dir(follow_symlinks=False):
            yield _look(root, path, entry)
        elif entry.name != ".git":
            try:
                open_folders.append(_children(root, path))
            except OSError as error:
                yield unreadable(printable(path), error)


def check_count(root: Path, max_files: int) -> None:
    """Raise InvalidInput, with the count, for a folder of too many files.

    Before any of them is read or kept; counting goes on for a while past the limit.
    """
    deadline = time.monotonic() + _COUNTING_SECONDS
    pending, count = [str(root)], 0
    while pending and not (count > max_files and time.monotonic() > deadline):
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as children:
            for entry in children:
                if not entry.is_dir(follow_symlinks=False):
                    count += 1
                elif entry.name != ".git":
                    pending.append(entry.path)
    if count > max_files:
        raise InvalidInput(
            gettext(
                "The folder %(root)s holds %(count)s files; at most "
                "%(max_files)s are read. Add the folders you need one by one, or "
                "raise MAX_FILES."
            )
            % {
                "root": root,
                "count": f"{count:,}{'+' if pending else ''}",
                "max_files": f"{max_files:,}",
            }
        )


_Children = Iterator[tuple[str, os.DirEntry[str]]]


def _children(root: Path, directory: str) -> _Children:
    """Return what a folder holds in the order of the paths in it."""
    with os.scandir(root / directory) as children:
        # As `a-b` < `a/x` < `a0`: a folder sorts as its name with the slash.
        entries = sorted(
            children,
            key=lambda e: f"{e.name}/" if e.is_dir(follow_symlinks=False) else e.name,
        )
    prefix = f"{directory}/" if directory else ""
    return ((prefix + entry.name, entry) for entry in entries)


def _root_children(root: Path) -> _Children:
    try:
        return _children(root, "")
    except OSError as error:
        # An empty listing would say that every file was removed.
        raise SourceError(
            gettext("The folder %(root)s cannot be read: %(strerror)s.")
            % {"root": root, "strerror": error.strerror},
            permanent=False,
        ) from error


def open_file(root: Path, found: Found) -> BufferedReader | Unlisted:
    """Open a file that is still a regular file inside the root."""
    try:
        if not Path(os.path.realpath(found.real)).is_relative_to(root):
            return Unlisted(found.path, "symlink leaves the folder")
        # Without blocking: a pipe put in place of the file must not stop the worker.
        descriptor = os.open(found.real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return unreadable(found.path, error)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return open(descriptor, "rb")
    os.close(descriptor)
    return Unlisted(found.path, "not a regular file")


def unreadable(path: str, error: OSError) -> Unlisted:
    """Say why something that is there cannot be read."""
    return Unlisted(path, f"unreadable: {error.strerror}")


def _look(root: Path, path: str, entry: os.DirEntry[str]) -> Found | Unlisted:
    if not is_unicode(path):
        return Unlisted(printable(path), "name is not valid UTF-8")
    try:
        return _kind(root, path, entry)
    except OSError as error:
        return unreadable(path, error)


def _kind(root: Path, path: str, entry: os.DirEntry[str]) -> Found | Unlisted:
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
