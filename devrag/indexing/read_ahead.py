"""Reads and masks the files of next portions while the one before is stored.

Reading is git and decoding, in one thread; masking is waiting for the parser process,
in another; storing is waiting for PostgreSQL, in the caller's. The threads ask no
database, and their errors come through.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace

from devrag.indexing.store import Portion, StoredFile, mask_files, read_text
from devrag.sources.connectors.types import Connector, Revision

_WAIT_SECONDS = 0.5


def read_portions(
    connector: Connector,
    version: Revision,
    portions: Iterable[Portion],
    on_read: Callable[[str], None],
) -> Generator[Portion]:
    """Yield each portion with the files that it lacked, secrets masked.

    portions: drawn in the caller's thread. on_read: called there about twice a second
    with the path that is being read, if it is another than before; what it raises ends
    the reading.
    """
    reader = _PortionReader(connector, version, on_read)
    # In their order: what is masked was always begun to be read before.
    pool = ThreadPoolExecutor(2, thread_name_prefix="read-ahead")
    try:
        before: Future[Portion] | None = None
        for portion in portions:
            read = pool.submit(copy_context().run, reader.read, portion)
            following = pool.submit(_mask, read)
            if before is not None:
                yield reader.wait_for(before)
            before = following
        if before is not None:
            yield reader.wait_for(before)
    finally:
        reader.is_stopped.set()
        pool.shutdown(cancel_futures=True)


def _mask(reading: Future[Portion]) -> Portion:
    portion = reading.result()
    return replace(portion, files=mask_files(portion.files))


@dataclass(slots=True)
class _PortionReader:
    connector: Connector
    version: Revision
    on_read: Callable[[str], None]
    is_stopped: threading.Event = field(default_factory=threading.Event)
    _path: str = ""
    _told: str = ""

    def read(self, portion: Portion) -> Portion:
        """Return the portion with its unread files, in the thread of the pool."""
        files: list[StoredFile] = []
        for entry, data in self.connector.read(self.version, portion.unread):
            if self.is_stopped.is_set():
                break
            self._path = entry.path
            files.append(read_text(entry, data))
        return replace(portion, files=files)

    def wait_for(self, reading: Future[Portion]) -> Portion:
        """Return what was read. A file that takes for ever counts as silence."""
        while True:
            if self._path != self._told:
                self._told = self._path
                self.on_read(self._told)
            try:
                return reading.result(timeout=_WAIT_SECONDS)
            except TimeoutError:
                if reading.done():
                    raise
