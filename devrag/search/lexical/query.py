"""Ask the lexical index; a request never builds one."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

import tantivy

from devrag.search.lexical.analyser import tokenize
from devrag.search.lexical.store import (
    Generation,
    build_schema,
    open_index,
    read_generation,
)

# How much a match in a field counts; the body is the measure.
_BOOSTS = {"body": 1.0, "header": 1.0, "headings": 1.5, "path": 1.5, "symbols": 2.0}
_MAX_QUERY_TOKENS = 64
_SCHEMA = build_schema()


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
        self._seen: int = -1
        self._index: tantivy.Index | None = None
        self.generation: Generation | None = None

    def search(
        self,
        query: str,
        *,
        source_ids: Collection[int] | None,
        limit: int,
        include_generated: bool,
    ) -> list[LexicalHit]:
        """Return chunks by BM25, best first; a missing index finds nothing."""
        index = self._fresh_index()
        parsed = build_query(
            tokenize(query), source_ids, include_generated=include_generated
        )
        if index is None or parsed is None:
            return []
        searcher = index.searcher()
        hits = searcher.search(parsed, limit=limit, count=False).hits
        ids = searcher.fast_field_values("chunk_id", [address for _, address in hits])
        return [
            LexicalHit(int(chunk_id), float(score))
            for chunk_id, (score, _) in zip(ids, hits, strict=True)
            if chunk_id is not None
        ]

    def _fresh_index(self) -> tantivy.Index | None:
        try:
            stamp = (self._folder / "generation.json").stat().st_mtime_ns
        except FileNotFoundError:
            return None
        with self._lock:
            if stamp != self._seen:
                self._reopen(stamp)
            return self._index

    def _reopen(self, stamp: int) -> None:
        self.generation = read_generation(self._folder)
        try:
            self._index = open_index(self._folder) if self.generation else None
        except ValueError:
            # Broken on disk: the follower rebuilds it; the answer says it is behind.
            self._index = self.generation = None
        self._seen = stamp


def build_query(
    tokens: Iterable[str],
    source_ids: Collection[int] | None,
    *,
    include_generated: bool,
) -> tantivy.Query | None:
    """Return the query of the tokens over all fields, or None without tokens."""
    unique = list(dict.fromkeys(tokens))[:_MAX_QUERY_TOKENS]
    if not unique:
        return None
    should = [
        (
            tantivy.Occur.Should,
            tantivy.Query.boost_query(
                tantivy.Query.term_query(_SCHEMA, field, token), boost
            ),
        )
        for token in unique
        for field, boost in _BOOSTS.items()
    ]
    clauses = [(tantivy.Occur.Must, tantivy.Query.boolean_query(should))]
    if source_ids is not None:
        scope = tantivy.Query.term_set_query(_SCHEMA, "source_id", sorted(source_ids))
        clauses.append(
            (tantivy.Occur.Must, tantivy.Query.const_score_query(scope, 0.0))
        )
    if not include_generated:
        aside = tantivy.Query.term_query(_SCHEMA, "is_generated", 1)
        clauses.append((tantivy.Occur.MustNot, aside))
    return tantivy.Query.boolean_query(clauses)
