"""What a watched source looks like on this machine's disk."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from devrag.core.errors import InvalidInput
from devrag.sources.confined_files import Beneath, Refused, read_bounded
from devrag.sources.ignore import IGNORE_FILES, IgnoreRules, is_ignore_file
from devrag.sources.ignore_limits import MAX_IGNORE_BYTES
from devrag.sources.selection import Selection

_MAX_POINTER_BYTES = 10_000

Identity = tuple[int, int]
Stamp = tuple[str, int, int]


def identity(folder: Path) -> Identity | None:
    """Return what tells a folder from its successor; None when there is none."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def wanted_paths(root: Path, paths: Collection[str], selection: Selection) -> set[str]:
    """Return the paths below a folder of which a change can change its index.

    Only the ignore files above the paths are read, once: they may be what has changed.
    """
    folders = {folder for path in paths for folder in _above(path)}
    texts = {}
    for ignore_file in (
        f"{folder}{name}" for folder in folders for name in IGNORE_FILES
    ):
        data = _read(root, ignore_file, MAX_IGNORE_BYTES)
        if data is not None:
            texts[ignore_file] = data.decode("utf-8", "replace")
    try:
        rules = IgnoreRules.from_files(texts, selection)
        return {path for path in paths if _is_wanted(root, path, rules)}
    except InvalidInput:  # the index job says why
        return set(paths)


def _is_wanted(root: Path, path: str, rules: IgnoreRules) -> bool:
    if is_ignore_file(path):
        return True
    try:
        status = (root / path).stat()
    except OSError:
        return rules.reason(path, 0) is None
    if stat.S_ISDIR(status.st_mode):
        return not rules.leaves_out(path)
    return rules.reason(path, status.st_size) is None


def _above(path: str) -> Iterator[str]:
    """Yield the folders above a path: `a/b/c` → ``, `a/`, `a/b/`."""
    yield ""
    for index, char in enumerate(path):
        if char == "/":
            yield path[: index + 1]


def file_stamps(file: Path) -> frozenset[Stamp]:
    """Return what changes when a file is written or replaced."""
    stamp = _stamp(file)
    return frozenset([stamp] if stamp else [])


def ref_stamps(repository: Path) -> frozenset[Stamp]:
    """Return what changes when a commit, checkout or push moves a ref."""
    git = _git_folder(repository)
    common = git
    text = _read(git, "commondir", _MAX_POINTER_BYTES)
    if text is not None:
        common = _named(git, text)
    names = [git / "HEAD", common / "packed-refs", common / "reftable/tables.list"]
    found = {_stamp(path) for path in names}
    for folder, _, files in os.walk(common / "refs"):
        found |= {_stamp(Path(folder, name)) for name in files}
    return frozenset(stamp for stamp in found if stamp)


def _git_folder(repository: Path) -> Path:
    """Return where HEAD is: `.git`, what a work tree's `.git` names, or a bare top."""
    marker = repository / ".git"
    if marker.is_dir():
        return marker
    text = _read(repository, ".git", _MAX_POINTER_BYTES)
    if text is None:
        return repository
    return _named(repository, text.removeprefix(b"gitdir:"))


def _named(folder: Path, text: bytes) -> Path:
    """Return the path that a file of git names; a loop of symlinks stays one."""
    named = os.fsdecode(text.replace(b"\0", b"")).strip()
    return Path(os.path.realpath(folder / named))


def _read(root: Path, path: str, limit: int) -> bytes | None:
    """Return what a regular file holds; None without one, or when it is larger."""
    try:
        with (
            Beneath(Path(os.path.realpath(root))) as folder,
            folder.open(path) as stream,
        ):
            return read_bounded(stream, limit, lambda: None)
    except (OSError, Refused):
        return None


def _stamp(path: Path) -> Stamp | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return str(path), status.st_mtime_ns, status.st_ino
