"""Opens what lies beneath a folder, by descriptors, so that nothing leads out of it.

A path that is checked and then opened can be swapped for a symlink between the two.
Here each step is an `openat` that follows no symlink: what is opened is beneath the
folder that was opened first, whoever renames and links meanwhile.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, Literal, Self

from devrag.sources.paths import is_plain

Kind = Literal["folder", "file", "symlink", "other"]

# Linux needs no right to list a folder in order to pass through it.
_PASS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY
_SAFE = os.O_NOFOLLOW | os.O_CLOEXEC
# Without blocking: a pipe put in place of a file must not stop the worker.
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY
_BLOCK = 1 << 20


class Refused(Exception):
    """What a path leads to may not be read. The text is the reason, in a few words."""


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """A name in a folder and what it is; symlinks are not followed."""

    name: str
    kind: Kind


class Beneath:
    """A folder held open. root: its real path. Paths below it are slash-separated.

    Methods raise OSError for what is not there or cannot be read.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        top = os.open(root.anchor, _PASS | os.O_CLOEXEC)
        try:
            self._top = _descend(top, root.parts[1:])
        finally:
            os.close(top)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder."""
        os.close(self._top)

    def children(self, path: str) -> list[FolderEntry]:
        """Return what a folder holds, in any order; '' is the root."""
        parent, name = self._parent(path) if path else (os.dup(self._top), ".")
        try:
            listed = os.open(name, os.O_RDONLY | os.O_DIRECTORY | _SAFE, dir_fd=parent)
        finally:
            os.close(parent)
        try:
            with os.scandir(listed) as entries:
                return [FolderEntry(entry.name, _kind(entry)) for entry in entries]
        finally:
            os.close(listed)

    def kind(self, path: str) -> Kind:
        """Return what a path is, without following a symlink at its end."""
        parent, name = self._parent(path)
        try:
            status = os.stat(name, dir_fd=parent, follow_symlinks=False)
        finally:
            os.close(parent)
        return _kind_of(status.st_mode)

    def size(self, path: str) -> int:
        """Return the bytes of a file, without opening it or following a symlink."""
        parent, name = self._parent(path)
        try:
            return os.stat(name, dir_fd=parent, follow_symlinks=False).st_size
        finally:
            os.close(parent)

    def target(self, path: str) -> str:
        """Return the path below the root that a symlink leads to.

        Only where to look: whoever opens it still follows no symlink.
        """
        real = Path(os.path.realpath(self.root / path))
        if not real.is_relative_to(self.root):
            raise Refused("symlink to outside the folder")
        below = real.relative_to(self.root)
        if ".git" in below.parts:
            raise Refused("symlink into .git")
        return "" if below == Path() else str(below)

    def open(self, path: str) -> BufferedReader:
        """Open a regular file; symlinks in its path count when they stay beneath."""
        try:
            return self._open(path)
        except OSError as error:
            if error.errno not in {errno.ELOOP, errno.ENOTDIR}:
                raise
        return self._open(self.target(path))

    def _open(self, path: str) -> BufferedReader:
        parent, name = self._parent(path)
        try:
            descriptor = os.open(name, _READ | _SAFE, dir_fd=parent)
        finally:
            os.close(parent)
        with ExitStack() as undo:
            undo.callback(os.close, descriptor)
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Refused("not a regular file")
            undo.pop_all()
        return open(descriptor, "rb")

    def _parent(self, path: str) -> tuple[int, str]:
        """Return a descriptor of the folder that holds a path, and the last name."""
        if not is_plain(path):
            raise Refused("path outside the folder")
        *folders, name = path.split("/")
        return _descend(self._top, folders), name


def read_bounded(
    stream: BinaryIO, limit: int | None, checkpoint: Callable[[], None]
) -> bytes | None:
    """Return what a file holds; None when that is more than the limit.

    Whatever its size was said to be: it may grow meanwhile. checkpoint: called between
    reads; it may raise.
    """
    blocks: list[bytes] = []
    left = _BLOCK if limit is None else limit + 1
    while block := stream.read(min(_BLOCK, left)):
        checkpoint()
        blocks.append(block)
        if limit is not None:
            left -= len(block)
            if not left:
                return None
    return b"".join(blocks)


def _descend(top: int, folders: tuple[str, ...] | list[str]) -> int:
    """Return a new descriptor of a folder below another one."""
    here = os.dup(top)
    for folder in folders:
        above = here
        try:
            here = os.open(folder, _PASS | _SAFE, dir_fd=above)
        finally:
            os.close(above)
    return here


def _kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return "symlink"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "other"


def _kind_of(mode: int) -> Kind:
    if stat.S_ISLNK(mode):
        return "symlink"
    if stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_ISREG(mode) else "other"
