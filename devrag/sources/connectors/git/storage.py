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

from django.utils.translation import gettext

from devrag.sources.addresses import is_under
from devrag.sources.beneath import Beneath, Refused, read_bounded

_MAX_TEXT_BYTES = 1_000_000
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
        self._seen: set[Path] = set()

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
                self._folder(real)
            elif not (real.is_dir() or real.is_file()):
                raise _irregular(entry.name)

    def _folder(self, folder: Path) -> None:
        """Look at all that is in a real folder, and where its symlinks lead."""
        pending = [folder]
        while pending:
            here = pending.pop()
            if here in self._seen or not here.is_dir():
                continue
            self._seen.add(here)
            with os.scandir(here) as entries:
                found = list(entries)
            for entry in found:
                if entry.is_symlink():
                    pending.append(self._real(here / entry.name, entry.name))
                elif entry.is_dir(follow_symlinks=False):
                    pending.append(here / entry.name)
                elif not entry.is_file(follow_symlinks=False):
                    raise _irregular(entry.name)

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
        real = Path(os.path.realpath(path))
        if not is_under(real, self._roots):
            raise Elsewhere(gettext("%(name)s leads outside") % {"name": name})
        return real


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
        raise Elsewhere(gettext("%(name)s is too large") % {"name": path.name})
    return text
