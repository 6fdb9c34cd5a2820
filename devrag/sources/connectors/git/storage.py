"""Where a repository on this machine keeps its data: all of it below the roots.

git follows symlinks, `.git` files, `commondir`, alternates and included configuration
to any place that the account may read. So everything that git would open to serve the
repository is looked at; symlinks count by where they lead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from devrag.core.texts import gettext
from devrag.sources.addresses import is_under
from devrag.sources.confined_files import Beneath, Refused, read_bounded

_MAX_TEXT_BYTES = 1_000_000
# git reads a ref, HEAD and these lists into memory as they are; packed-refs has about
# 80 bytes for each ref.
_MAX_LIST_BYTES = 100_000_000
_MAX_BYTES = {"packed-refs": _MAX_LIST_BYTES, "shallow": _MAX_LIST_BYTES}
_MAX_BYTES_BELOW = {"refs": _MAX_TEXT_BYTES, "info": _MAX_LIST_BYTES}
# Folders of which something is opened to serve a repository.
_USED = {"info", "objects", "refs", "reftable"}
# People link these elsewhere, and they are not opened.
_UNUSED = {"hooks", "lfs", "logs", "modules", "rr-cache", "worktrees"}
_OTHER_FILES = re.compile(rb"\[include", re.IGNORECASE)
_ON_DEMAND = re.compile(rb"promisor|partialclone", re.IGNORECASE)


class Elsewhere(Exception):
    """A repository reaches beyond the roots. The text says how, for a message."""


def git_folder(folder: Path) -> Path:
    """Return where a repository's HEAD is: `.git`, what it names, or the folder."""
    marker = folder / ".git"
    if marker.is_dir():
        return marker
    named = _text(marker).removeprefix(b"gitdir:").strip()
    return folder / os.fsdecode(named) if named else folder


def check_storage(folder: Path, roots: Sequence[Path]) -> None:
    """Raise Elsewhere for a repository that would make git read outside the roots."""
    real_roots = [root.resolve() for root in roots]
    _Check(real_roots).repository(folder)


class _Check:
    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = roots
        self._seen: set[tuple[Path, int | None]] = set()

    def repository(self, folder: Path) -> None:
        git_dir = self._real(git_folder(folder), ".git")
        named = os.fsdecode(_text(git_dir / "commondir").strip())
        common = self._real(git_dir / named, "commondir")
        for place in dict.fromkeys((git_dir, common)):
            self._top(place)
            for name in ("config", "config.worktree"):
                self._config(place / name)
        self._objects(self._real(common / "objects", "objects"))

    def _top(self, folder: Path) -> None:
        """Look at the files of a git folder, and at the folders that are used."""
        with os.scandir(folder) as entries:
            found = [entry for entry in entries if entry.name not in _UNUSED]
        for entry in found:
            real = self._real(folder / entry.name, entry.name)
            if entry.name in _USED:
                self._folder(real, _MAX_BYTES_BELOW.get(entry.name))
            elif not (real.is_dir() or real.is_file()):
                raise _irregular(entry.name)
            elif entry.name.endswith("HEAD"):
                _check_size(real, _MAX_TEXT_BYTES)
            else:
                _check_size(real, _MAX_BYTES.get(entry.name))

    def _folder(self, folder: Path, max_bytes: int | None = None) -> None:
        """Look at all that is in a real folder, and where its symlinks lead.

        max_bytes: how large its files may be.
        """
        pending = [folder]
        while pending:
            here = pending.pop()
            if not here.is_dir():
                _check_size(here, max_bytes)
            if (here, max_bytes) in self._seen or not here.is_dir():
                continue
            self._seen.add((here, max_bytes))
            with os.scandir(here) as entries:
                found = list(entries)
            for entry in found:
                if entry.is_symlink():
                    pending.append(self._real(here / entry.name, entry.name))
                elif entry.is_dir(follow_symlinks=False):
                    pending.append(here / entry.name)
                elif not entry.is_file(follow_symlinks=False):
                    raise _irregular(entry.name)
                else:
                    _check_size(here / entry.name, max_bytes)

    def _objects(self, folder: Path) -> None:
        """Look at a folder of objects and at those that it borrows from."""
        pending, looked = [folder], set[Path]()
        while pending:
            here = pending.pop()
            if here in looked:
                continue
            looked.add(here)
            self._folder(here)
            for line in _text(here / "info/alternates").splitlines():
                if line.startswith(b'"'):
                    raise Elsewhere(gettext("alternates holds a quoted path"))
                if line and not line.startswith(b"#"):
                    named = here / os.fsdecode(line)
                    pending.append(self._real(named, "alternates"))

    def _config(self, file: Path) -> None:
        text = _text(file)
        if _OTHER_FILES.search(text):
            raise Elsewhere(gettext("its configuration includes other files"))
        if _ON_DEMAND.search(text):
            raise Elsewhere(gettext("it is a partial clone"))

    def _real(self, path: Path, name: str) -> Path:
        # A file may name a path with a NUL, for which realpath raises ValueError.
        if "\0" not in str(path):
            real = Path(os.path.realpath(path))
            if is_under(real, self._roots):
                return real
        raise Elsewhere(gettext("%(name)s points outside") % {"name": name})


def _check_size(file: Path, max_bytes: int | None) -> None:
    if max_bytes is None or not file.is_file() or file.stat().st_size <= max_bytes:
        return
    raise _too_large(file.name)


def _too_large(name: str) -> Elsewhere:
    return Elsewhere(gettext("%(name)s is too large") % {"name": name})


def _irregular(name: str) -> Elsewhere:
    return Elsewhere(gettext("%(name)s is not a regular file") % {"name": name})


def _text(path: Path) -> bytes:
    """Return what a small regular file holds; nothing without one."""
    real = Path(os.path.realpath(path))
    try:
        with Beneath(real.parent) as folder, folder.open(real.name) as stream:
            text = read_bounded(stream, _MAX_TEXT_BYTES, lambda: None)
    except (OSError, Refused):
        return b""
    if text is None:
        raise _too_large(path.name)
    return text
