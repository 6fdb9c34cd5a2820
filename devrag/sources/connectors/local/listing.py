"""A folder's listing on disk: written while it is made, read back line by line.

It is sorted by path, so that the next listing finds in passing what it knows already: a
file is not hashed again while size, times and inode are the same. As in git's index, a
file that had changed shortly before it was hashed is not trusted: it may change once
more without another time stamp.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from devrag.core.errors import SourceError
from devrag.sources.connectors.local.walk import Found, open_file, unreadable
from devrag.sources.connectors.types import Entry, Unlisted

# Clocks tick, writes through mapped memory are stamped late, networks' clocks differ.
_SETTLED_NS = 60 * 10**9


class _Stamp(NamedTuple):
    """What changes when a file does; ctime cannot be set back by anyone."""

    size: int
    mtime_ns: int
    ctime_ns: int
    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class _Line:
    """A listed file. is_settled: it had not changed for a while when it was hashed."""

    path: str
    digest: str
    mode: int
    stamp: _Stamp
    is_settled: bool

    @property
    def entry(self) -> Entry:
        return Entry(self.path, self.digest, self.stamp.size, self.mode)


class Listing:
    """One listing; its identifier is the SHA-256 of its (path, hash) list."""

    def __init__(self, file: BinaryIO, identifier: str) -> None:
        self._file = file
        self.identifier = identifier

    @classmethod
    def make(cls, root: Path, found: Iterable[Found | Unlisted], kept: Path) -> Listing:
        """List what was found, in the order of paths. kept: where it is remembered."""
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with ExitStack() as undo:
                draft, name = tempfile.mkstemp(dir=kept.parent, prefix=f"{kept.name}.")
                undo.callback(Path(name).unlink, missing_ok=True)
                file = undo.enter_context(os.fdopen(draft, "w+b"))
                identifier = _write(file, root, found, _Memory(kept))
                Path(name).replace(kept)
                undo.pop_all()
        except OSError as error:
            raise SourceError(
                f"The listing of {root} cannot be kept in {kept.parent}:"
                f" {error.strerror}. Free space there or correct its rights.",
                permanent=False,
            ) from error
        return cls(file, identifier)

    def __iter__(self) -> Iterator[Entry | Unlisted]:
        self._file.seek(0)
        for line in self._file:
            item = _read_line(line)
            yield item.entry if isinstance(item, _Line) else item

    def close(self) -> None:
        self._file.close()


class _Memory:
    """The last listing, read along with the new one; asked in the order of paths."""

    def __init__(self, kept: Path) -> None:
        self._lines = _read_all(kept)
        self._next = next(self._lines, None)

    def line(self, path: str) -> _Line | None:
        """Return what is known about a path."""
        while self._next is not None and self._next.path < path:
            self._next = next(self._lines, None)
        return self._next if self._next and self._next.path == path else None


def _read_all(kept: Path) -> Iterator[_Line]:
    try:
        with kept.open("rb") as file:
            for line in file:
                item = _read_line(line)
                if isinstance(item, _Line):
                    yield item
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        # None yet, or not whole: everything is hashed again.
        return


def _read_line(line: bytes) -> _Line | Unlisted:
    values = json.loads(line)
    if "reason" in values:
        return Unlisted(**values)
    return _Line(**{**values, "stamp": _Stamp(*values["stamp"])})


def _write(
    file: BinaryIO, root: Path, found: Iterable[Found | Unlisted], memory: _Memory
) -> str:
    digest = hashlib.sha256()
    for each in found:
        item = _look(root, each, memory) if isinstance(each, Found) else each
        file.write(json.dumps(asdict(item)).encode() + b"\n")
        if isinstance(item, _Line):
            digest.update(item.path.encode() + b"\0" + item.digest.encode() + b"\n")
    file.flush()
    return digest.hexdigest()


def _look(root: Path, found: Found, memory: _Memory) -> _Line | Unlisted:
    now = time.time_ns()
    stream = open_file(root, found)
    if isinstance(stream, Unlisted):
        return stream
    with stream:
        status = os.fstat(stream.fileno())
        stamp = _Stamp(
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
            status.st_dev,
            status.st_ino,
        )
        known = memory.line(found.path)
        if known and known.is_settled and known.stamp == stamp:
            return known
        try:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            return unreadable(found.path, error)
    is_settled = now - max(stamp.mtime_ns, stamp.ctime_ns) > _SETTLED_NS
    return _Line(found.path, digest, status.st_mode, stamp, is_settled)
