"""Ask the lexical index; a request never builds one."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
import tantivy

from devrag.search.lexical.integrity import broken_files
from devrag.search.lexical.query import (
    build_like,
    build_query,
    build_scope,
    build_word,
)
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
class LexicalHits:
    """Chunk ids with their raw BM25 scores (unbounded), best first.

    total: how many chunks match, of which these are the best.
    """

    scores: dict[int, float]
    total: int


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
        self, query: SearchQuery, *, source_ids: Collection[int] | None, limit: int
    ) -> LexicalHits:
        """Return chunks by BM25; a missing index finds nothing.

        source_ids: None for all that the index holds.
        """
        found = self._ask(build_query(query, source_ids), limit)
        return found or LexicalHits({}, total=0)

    def find_in_scope(
        self, query: SearchQuery, *, source_ids: Collection[int], limit: int
    ) -> set[int] | None:
        """Return chunks within phrases and filters; None when there is no index."""
        found = self._ask(build_scope(query, source_ids), limit)
        return None if found is None else set(found.scores)

    def find_words(
        self,
        words: Collection[str],
        query: SearchQuery,
        source_ids: Collection[int] | None,
    ) -> set[str] | None:
        """Return which words stand in the scope of a query; None without an index.

        source_ids: None for all that the index holds.
        """
        counts = self.count_words(words, query, source_ids)
        if counts is None:
            return None
        return {word for word, count in counts.items() if count}

    def count_words(
        self,
        words: Collection[str],
        query: SearchQuery,
        source_ids: Collection[int] | None,
    ) -> dict[str, int] | None:
        """Return how many chunks in the scope have each word; None without an index.

        source_ids: None for all that the index holds.
        """
        counts: dict[str, int] = {}
        for word in words:
            found = self._ask(build_word(word, query, source_ids), 1)
            if found is None:
                return None
            counts[word] = found.total
        return counts

    def count_matches(self, asked: tantivy.Query | None) -> int:
        """Return how many chunks a query finds; 0: no index."""
        found = self._ask(asked, 1)
        return found.total if found else 0

    def find_like(
        self, word: str, query: SearchQuery, source_ids: Collection[int] | None
    ) -> int | None:
        """Return a chunk in the scope of a query with a word one letter apart, if any.

        source_ids: None for all that the index holds.
        """
        found = self._ask(build_like(word, query, source_ids), 1)
        return next(iter(found.scores), None) if found else None

    def count_values(
        self,
        asked: tantivy.Query | None,
        fields: Mapping[str, str | None],
        *,
        limit: int,
    ) -> dict[str, list[tuple[str, int]]]:
        """Return the commonest values of fields of all matches, with their numbers.

        fields: name → a regular expression that values have to match as a whole, None
        for all values. A missing index has none.
        """
        with self._lock:
            self._refresh()
            index = self._index
        if index is None or asked is None:
            return {field: [] for field in fields}
        terms: dict[str, dict[str, Any]] = {
            field: {"field": field, "size": limit} for field in fields
        }
        for field, pattern in fields.items():
            if pattern is not None:
                terms[field]["include"] = pattern
        wanted = {field: {"terms": each} for field, each in terms.items()}
        try:
            found = index.searcher().aggregate(asked, wanted)
        except (ValueError, OSError) as error:
            self._doubt(error)
            return {field: [] for field in fields}
        return {
            field: [
                (str(each["key"]), int(each["doc_count"]))
                for each in found[field]["buckets"]
            ]
            for field in fields
        }

    def _ask(self, query: tantivy.Query | None, limit: int) -> LexicalHits | None:
        with self._lock:
            self._refresh()
            index = self._index
        if index is None or query is None:
            return None
        try:
            searcher = index.searcher()
            # Every match is read in any case: to count them costs nothing.
            found: Any = searcher.search(query, limit=limit, count=True)
            addresses = [address for _, address in found.hits]
            ids = searcher.fast_field_values("chunk_id", addresses)
        except (ValueError, OSError) as error:
            self._doubt(error)
            return None
        scores = {
            int(chunk_id): float(score)
            for chunk_id, (score, _) in zip(ids, found.hits, strict=True)
            if chunk_id is not None
        }
        return LexicalHits(scores, int(found.count))  # which its types leave out

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
