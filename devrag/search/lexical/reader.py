"""Ask the lexical index; a request never builds one."""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
import tantivy

from devrag.search.lexical.integrity import broken_files
from devrag.search.lexical.query import build_query, build_scope, build_word
from devrag.search.lexical.store import (
    Generation,
    forget_generation,
    open_index,
    read_generation,
)
from devrag.search.types import SearchQuery

log = structlog.get_logger("devrag.search")
_Stamp = tuple[int, int, int]  # of the generation file: inode, time, size


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A chunk with its raw BM25 score (unbounded)."""

    chunk_id: int
    score: float


class LexicalReader:
    """Reads the last complete generation; reopens when a newer one is there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._seen: _Stamp | None = None
        self._index: tantivy.Index | None = None
        self._generation: Generation | None = None
        self._is_whole = False

    def generation(self) -> Generation | None:
        """Return what the index holds now; None while there is none to ask."""
        with self._lock:
            self._refresh()
            return self._generation

    def search(
        self, query: SearchQuery, *, source_ids: Collection[int], limit: int
    ) -> list[LexicalHit]:
        """Return chunks by BM25, best first; a missing index finds nothing."""
        return self._ask(build_query(query, source_ids), limit) or []

    def find_in_scope(
        self, query: SearchQuery, *, source_ids: Collection[int], limit: int
    ) -> set[int] | None:
        """Return chunks within phrases and filters; None when there is no index."""
        hits = self._ask(build_scope(query, source_ids), limit)
        return None if hits is None else {hit.chunk_id for hit in hits}

    def find_words(
        self, words: Collection[str], query: SearchQuery, source_ids: Collection[int]
    ) -> set[str] | None:
        """Return which words stand in the scope of a query; None without an index."""
        found: set[str] = set()
        for word in words:
            hits = self._ask(build_word(word, query, source_ids), 1)
            if hits is None:
                return None
            if hits:
                found.add(word)
        return found

    def count(self, query: SearchQuery, *, source_ids: Collection[int]) -> int:
        """Return how many chunks have words of the query, 0 without an index."""
        with self._lock:
            self._refresh()
            index = self._index
        wanted = build_query(query, source_ids)
        if index is None or wanted is None:
            return 0
        try:
            found: Any = index.searcher().search(wanted, limit=1, count=True)
        except (ValueError, OSError) as error:
            self._doubt(error)
            return 0
        return int(found.count)  # which its types leave out

    def _ask(self, query: tantivy.Query | None, limit: int) -> list[LexicalHit] | None:
        with self._lock:
            self._refresh()
            index = self._index
        if index is None or query is None:
            return None
        try:
            searcher = index.searcher()
            hits = searcher.search(query, limit=limit, count=False).hits
            addresses = [address for _, address in hits]
            ids = searcher.fast_field_values("chunk_id", addresses)
        except (ValueError, OSError) as error:
            self._doubt(error)
            return None
        return [
            LexicalHit(int(chunk_id), float(score))
            for chunk_id, (score, _) in zip(ids, hits, strict=True)
            if chunk_id is not None
        ]

    def _refresh(self) -> None:
        stamp = self._stamp()
        if stamp is None or stamp != self._seen:
            self._seen = stamp if self._reopen() else None

    def _stamp(self) -> _Stamp | None:
        """Return what differs between two generations; None while there is none.

        Each is a new file: two may be written within one tick of the clock.
        """
        try:
            found = (self._folder / "generation.json").stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _reopen(self) -> bool:
        """Open what is on disk; False when it cannot be read and must be tried again.

        Files may vanish meanwhile: the follower merges segments, or builds it again.
        """
        self._generation, self._is_whole = read_generation(self._folder), False
        try:
            self._index = open_index(self._folder) if self._generation else None
        except (ValueError, OSError) as error:
            # Broken on disk: the follower rebuilds it; the answer says it is behind.
            log.warning("lexical index unreadable", error=str(error))
            self._index = self._generation = None
        return self._index is not None

    def _doubt(self, error: Exception) -> None:
        """Let the follower rebuild an index that fails a question because it is broken.

        Read through once a generation: another question may be at fault itself.
        """
        log.warning("lexical question failed", error=str(error))
        with self._lock:
            if self._is_whole:
                return
            broken = self._broken_files()
            self._is_whole = not broken
            if broken:
                log.warning("lexical index broken", files=broken)
                forget_generation(self._folder)
                self._refresh()

    def _broken_files(self) -> list[str]:
        try:
            return broken_files(self._folder)
        except OSError as error:
            return [str(error.filename)]  # it went while the others were read
