"""A folder's listing on disk: written while it is made, read back line by line.

It is sorted by path, so that the next listing finds in passing what it knows already: a
file is not hashed again while size, times and inode are the same. As in git's index, a
file that had changed shortly before it was hashed is not trusted: it may change once
more without another time stamp. What is too large to be indexed is not hashed at all.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from devrag.core.errors import SourceError
from devrag.core.texts import gettext
from devrag.sources.confined_files import Beneath, Refused
from devrag.sources.connectors.local.walk import RegularFile, unreadable
from devrag.sources.connectors.types import ConnectorContext, Entry, Unlisted
from devrag.sources.ignore import size_limit

# Clocks tick, writes through mapped memory are stamped late, networks' clocks differ.
_SETTLED_NS = 60 * 10**9
_BLOCK = 1 << 20


class _Stamp(NamedTuple):
    """What changes when a file does; ctime cannot be set back by anyone."""

    size: int
    mtime_ns: int
    ctime_ns: int
    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class _Line:
    """A listed file. is_settled: it had not changed for a while when it was hashed.

    digest: '' for a file that is too large to be read.
    """

    path: str
    digest: str
    mode: int
    stamp: _Stamp
    is_settled: bool

    @property
    def entry(self) -> Entry:
        return Entry(self.path, self.digest, self.stamp.size, self.mode)


class LocalListing:
    """One listing; its identifier is the SHA-256 of its (path, hash) list.

    A file that is too large has its size there for a hash.
    """

    def __init__(self, file: BinaryIO, identifier: str) -> None:
        self._file = file
        self.identifier = identifier

    @classmethod
    def make(
        cls,
        folder: Beneath,
        found: Iterable[RegularFile | Unlisted],
        kept: Path,
        context: ConnectorContext,
    ) -> LocalListing:
        """List what was found, in the order of paths. kept: where it is remembered."""
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with ExitStack() as undo:
                draft, name = tempfile.mkstemp(dir=kept.parent, prefix=f"{kept.name}.")
                undo.callback(Path(name).unlink, missing_ok=True)
                file = undo.enter_context(os.fdopen(draft, "w+b"))
                identifier = _write(
                    file, found, _Hasher(folder, context, _Memory(kept))
                )
                Path(name).replace(kept)
                undo.pop_all()
        except OSError as error:
            raise SourceError(
                gettext(
                    "Cannot store the file list of %(folder)s in "
                    "%(place)s: %(reason)s. Free some space there, or fix "
                    "its permissions."
                )
                % {
                    "folder": folder.root,
                    "place": kept.parent,
                    "reason": error.strerror,
                },
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
    file: BinaryIO, found: Iterable[RegularFile | Unlisted], reader: _Hasher
) -> str:
    digest = hashlib.sha256()
    for each in found:
        item = reader.look(each) if isinstance(each, RegularFile) else each
        file.write(json.dumps(asdict(item)).encode() + b"\n")
        if isinstance(item, _Line):
            known_by = item.digest or str(item.stamp.size)
            digest.update(item.path.encode() + b"\0" + known_by.encode() + b"\n")
    file.flush()
    return digest.hexdigest()


class _Hasher:
    """Hashes files, unless they are known or too large."""

    def __init__(
        self, folder: Beneath, context: ConnectorContext, memory: _Memory
    ) -> None:
        self._folder = folder
        self._selection = context.selection
        self._checkpoint = context.checkpoint
        self._memory = memory

    def look(self, found: RegularFile) -> _Line | Unlisted:
        now = time.time_ns()
        try:
            with self._folder.open(found.target) as stream:
                return self._line(found.path, stream, now)
        except Refused as refused:
            return Unlisted(found.path, str(refused))
        except OSError as error:
            return unreadable(found.path, error)

    def _line(self, path: str, stream: BinaryIO, now: int) -> _Line:
        status = os.fstat(stream.fileno())
        stamp = _Stamp(
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
            status.st_dev,
            status.st_ino,
        )
        is_settled = now - max(stamp.mtime_ns, stamp.ctime_ns) > _SETTLED_NS
        limit = size_limit(path, self._selection)
        if limit is not None and stamp.size > limit:
            return _Line(path, "", status.st_mode, stamp, is_settled)
        known = self._memory.line(path)
        if known and known.is_settled and known.stamp == stamp and known.digest:
            return known
        digest, size = _hash(stream, limit, self._checkpoint)
        if size > stamp.size:  # it grew meanwhile
            stamp, is_settled = stamp._replace(size=size), False
        return _Line(path, digest, status.st_mode, stamp, is_settled)


def _hash(
    stream: BinaryIO, limit: int | None, checkpoint: Callable[[], None]
) -> tuple[str, int]:
    """Return the SHA-256 of a file, '' past the limit, and how much was read of it."""
    digest, size = hashlib.sha256(), 0
    while block := stream.read(_BLOCK):
        checkpoint()
        size += len(block)
        if limit is not None and size > limit:
            return "", size
        digest.update(block)
    return digest.hexdigest(), size
