"""What search takes and gives, at every entry point."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from devrag.core.principal import Principal
from devrag.sources.chunk_keys import chunk_key

if TYPE_CHECKING:  # clients load this module without Django, which these need
    from devrag.labels.types import LabelView
    from devrag.sources.api import DocumentFacts

Mode = Literal["hybrid", "keyword", "semantic", "bm25"]
# high: it has what was asked for. low: only the nearest to it. none: no hit.
Confidence = Literal["high", "low", "none"]
MODES: tuple[Mode, ...] = ("hybrid", "keyword", "semantic")
# Other names that are accepted wherever a mode is.
MODE_ALIASES: dict[str, Mode] = {"bm25": "keyword"}
MODE_NAMES = (*MODES, *MODE_ALIASES)
MAX_QUERY_CHARS = 8_000
DEFAULT_LIMIT, MAX_LIMIT = 10, 50
# How many results a page shows, the first ones and after "Show more".
PAGE_SIZES = (20, 40, MAX_LIMIT)
DEFAULT_CONTEXT, MAX_CONTEXT, MAX_DEPTH = 1, 3, 3
WIKI = "wiki"
FILE_KINDS = ("code", "doc", "config", "data", WIKI)
CHUNK_KINDS = ("symbol", "section", "window", "entry")
SYMBOL_KINDS = (
    *("function", "method", "class", "interface", "enum", "type", "constant"),
    *("variable", "module", "namespace", "extension"),
)
# Of what a wiki or tracker has; files of other sources are none of them.
DOCUMENT_KINDS = ("page", "ticket")
KINDS = (*FILE_KINDS, *DOCUMENT_KINDS, *SYMBOL_KINDS, *CHUNK_KINDS)


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A question with its filters. context: neighbouring chunks on each side, 0-3.

    kind: of the file (`doc`), of the page or ticket that it is, of the definition that
    a chunk is the body of (`method`), or of the chunk (`section`); one of KINDS. Only
    `wiki` finds sections of published wiki pages, which are no evidence.
    min_complexity, max_complexity: only bodies of functions in this range; 0 for no
    bound. depths: only sections under headings of these levels, 0 for the part before
    the first. include_generated: generated and vendored files too. include_clean_only:
    none that changed since they were indexed.
    phrases: words that must stand together. paths, without_paths: what every path
    begins with, or one of its folders or its file name; all of the one, none of the
    other. parse_query() takes these and filters out of the text.
    pattern: of paths, see path_regex(). tags: an entry bears all of them. labels,
    without_labels: names of labels of the file, ours or of its source, all of the one,
    none of the other; label_ids, without_label_ids: what they stand for, for each name
    in the products in scope; search() finds them.
    status, author, after, before: only pages and tickets; status: `open`, `closed` or
    in the source's words; author: a name or a word of it; after: changed on this day or
    later, before: on an earlier one, as in 2026-01-31, 2026-01 or 2026.
    is_typing: the last word may be the beginning of one. rewrite: ask for what a
    question is about instead of the question. rerank: by the endpoint that settings
    name, if any. folds_copies: what says nearly the same in several files counts once.
    is_strict: hits that have few of the words and are not near are only nearest.
    notes_filters: a note says which words look like filters of other tools.
    mode: one of MODES; an alias is replaced by the mode that it stands
    for.
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
    min_complexity: int = 0
    max_complexity: int = 0
    depths: tuple[int, ...] = ()
    context: int = 0
    include_generated: bool = False
    include_clean_only: bool = False
    phrases: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    without_paths: tuple[str, ...] = ()
    pattern: str = ""
    tags: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    without_labels: tuple[str, ...] = ()
    status: str = ""
    author: str = ""
    after: str = ""
    before: str = ""
    label_ids: tuple[tuple[int, ...], ...] = ()
    without_label_ids: tuple[tuple[int, ...], ...] = ()
    is_typing: bool = False
    rewrite: bool = False
    rerank: bool = True
    folds_copies: bool = False
    is_strict: bool = False
    notes_filters: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "mode", MODE_ALIASES.get(self.mode, self.mode))


def read_depths(text: str) -> tuple[int, ...] | None:
    """Read levels of headings: `1` or `0,1,2`; '' is all; None for anything else."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isascii() and part.isdecimal() for part in parts):
        return None
    return tuple(int(part[:4]) for part in parts)


@dataclass(frozen=True, slots=True)
class ContextChunk:
    """A neighbour of a hit in its file."""

    start_line: int
    end_line: int
    text: str


@dataclass(frozen=True, slots=True)
class MatchedLine:
    """A line that was looked for; a long one is cut around its match."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines of a file. name: of the definition whose body they are, '' for none."""

    start_line: int
    end_line: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class HitCopy:
    """Where a file has nearly the same as a hit."""

    product_name: str
    source_name: str
    path: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. score: 0..1; why: the reasons it ranks, in words.

    ordinal: of the chunk in its file, from 0. labels: of its file, by name.
    places: others of its file that rank behind the results, best first.

    document: of a page or ticket, what is known of it beside its text.

    symbol_…, complexity: of the definition that the chunk is the body of, or with
    symbol_line of one that is a line of it.
    translated: those of matched_terms that are in the other language than the query,
    each with the word of the query.
    matched_lines: those that `exact:` or `/regex/` asked for.
    has_name: its text has the one name that was asked for, not within other names.
    is_partial: it has only parts of that name.
    copies: where other files have nearly the same, if the query folds these.

    Of a section of a wiki page (kind `wiki`): no chunk and no source; path: the page's
    address in the wiki of its product, title: the page's; anchor: the heading's;
    version_identifier: the version's number; lines: of the page's Markdown.
    """

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
    symbol_uuid: UUID | None = None
    symbol_kind: str = ""
    complexity: int | None = None
    lexical_rank: int | None = None
    semantic_rank: int | None = None
    why: tuple[str, ...] = ()
    matched_terms: tuple[str, ...] = ()
    matched_lines: tuple[MatchedLine, ...] = ()
    places: tuple[LineRange, ...] = ()
    copies: tuple[HitCopy, ...] = ()
    title: str = ""
    date: datetime.date | None = None
    tags: tuple[str, ...] = ()
    context_before: tuple[ContextChunk, ...] = ()
    context_after: tuple[ContextChunk, ...] = ()
    ordinal: int = 0
    anchor: str = ""
    labels: tuple[LabelView, ...] = ()
    document: DocumentFacts | None = None
    has_name: bool = False
    is_partial: bool = False
    translated: tuple[tuple[str, str], ...] = ()
    symbol_line: int = 0

    @property
    def is_wiki(self) -> bool:
        """Whether this is text of a wiki: it leads to a page and is never evidence."""
        return self.kind == WIKI

    @property
    def chunk_key(self) -> str:
        """Return the chunk's id within its source, '' of what is no chunk."""
        return "" if self.is_wiki else chunk_key(self.path, self.ordinal)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first. notes: what the caller should know (no vectors yet, …).

    is_lexical_behind: the keyword index of this host lacks the newest activation.
    reranked_by: the reranker that ordered the hits, '' for none.
    total: how many passages have all words of the question (holds_all), or where none
    has all of them, some; 0 where nobody counted. counts_files: those are files.
    missing_note: the one of the notes that names words that are nowhere, "" for none.
    has_more: a higher limit gives more hits.
    """

    query: SearchQuery
    hits: tuple[Hit, ...]
    milliseconds: float
    is_lexical_behind: bool = False
    notes: tuple[str, ...] = field(default=())
    reranked_by: str = ""
    confidence: Confidence = "high"
    total: int = 0
    holds_all: bool = True
    counts_files: bool = False
    missing_note: str = ""
    has_more: bool = False

    def __post_init__(self) -> None:
        if not self.hits:
            object.__setattr__(self, "confidence", "none")

    @property
    def is_low(self) -> bool:
        """Whether the hits are only the nearest to what was asked for."""
        return self.confidence == "low"
