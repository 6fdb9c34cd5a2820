"""What search takes and gives, at every door."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from devrag.core.principal import Principal

Mode = Literal["hybrid", "keyword", "semantic"]
MODES: tuple[Mode, ...] = ("hybrid", "keyword", "semantic")
MAX_QUERY_CHARS = 8_000
DEFAULT_LIMIT, MAX_LIMIT = 10, 50


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A question with its filters. context: neighbouring chunks on each side, 0-3.

    include_generated: generated and vendored files too. include_clean_only: none that
    changed since they were indexed (S3-ADR-005-5).
    """

    text: str
    principal: Principal
    product: str = ""
    source: str = ""
    mode: Mode = "hybrid"
    limit: int = DEFAULT_LIMIT
    path_prefix: str = ""
    mime: str = ""
    kind: str = ""
    language: str = ""
    context: int = 0
    include_generated: bool = False
    include_clean_only: bool = False


@dataclass(frozen=True, slots=True)
class ContextChunk:
    """A neighbour of a hit in its file."""

    start_line: int
    end_line: int
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. score: 0..1 (DESIGN §4); why: the reasons it ranks, in words."""

    chunk_id: int
    path: str
    source_name: str
    product_name: str
    version_identifier: str
    start_line: int
    end_line: int
    text: str
    score: float
    kind: str
    language: str
    file_kind: str
    mime: str
    heading: str
    symbol_name: str
    is_dirty: bool
    lexical_rank: int | None = None
    semantic_rank: int | None = None
    why: tuple[str, ...] = ()
    matched_terms: tuple[str, ...] = ()
    context_before: tuple[ContextChunk, ...] = ()
    context_after: tuple[ContextChunk, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first. notes: what the caller should know (no vectors yet, …).

    is_lexical_behind: the keyword index of this host lacks the newest activation.
    """

    query: SearchQuery
    hits: tuple[Hit, ...]
    milliseconds: float
    is_lexical_behind: bool = False
    notes: tuple[str, ...] = field(default=())
