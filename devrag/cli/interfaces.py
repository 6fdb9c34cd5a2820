"""What commands need of a devrag: the data of this machine, or a server elsewhere.

Answers are documents under the keys that REST uses; sources and products have the
shorter keys that commands print. Each method raises NotFound for a name that does not
exist, and the DevragError that the server or the data gives otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from devrag.ask.types import AskMode
from devrag.search.snippets import Strategy
from devrag.search.types import SearchQuery

Document = dict[str, Any]
# The settings of a source that commands show and change.
SOURCE_SETTINGS = (
    *("include", "exclude", "exclude_exts", "max_file_bytes", "default_branch"),
    *("chunk_tokens", "chunk_overlap_tokens", "chunk_max_chars"),
    *("read_restricted", "read_comments", "read_attachments", "read_news"),
)


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """A repository or folder to read into a product."""

    location: str
    product: str
    source: str | None
    ref: str | None
    is_full: bool
    is_wiki_wanted: bool
    wiki_language: str | None = None


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search, and how much of each hit to return.

    query: its principal counts in process only; a server takes the token's.
    is_related: the query is a place to find related code for.
    """

    query: SearchQuery
    is_related: bool
    strategy: Strategy
    max_characters: int
    is_summarized: bool
    is_traced: bool


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Hits as REST returns them, and the timings that were asked for."""

    fields: Document
    trace: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and where to look for its answer; products: none for all."""

    text: str
    products: tuple[str, ...]
    source: str
    path: str
    mode: AskMode


# Takes the name of an event and what it says, while an answer is written.
ShowEvent = Callable[[str, Document], None]


@dataclass(frozen=True, slots=True)
class SourceRequest:
    """A source to register; None: the default.

    read_token: reads the git host's token, once nothing is in the way of using it.
    members: users who alone may see it. wiki_language, visibility: of a new product.
    """

    location: str
    product: str | None
    name: str | None
    type: str | None
    ref: str | None
    username: str = ""
    read_token: Callable[[], str] | None = None
    members: Sequence[str] | None = None
    wiki_language: str | None = None
    visibility: str | None = None


@dataclass(frozen=True, slots=True)
class UploadRequest:
    """Files of this machine to store as a source; None: the default.

    replaced: the source whose files they replace, None for a new one.
    """

    files: Sequence[Path]
    product: str | None
    name: str | None
    replaced: str | None
    members: Sequence[str] | None = None
    is_wiki_wanted: bool = False
    wiki_language: str | None = None


@dataclass(frozen=True, slots=True)
class SourceChanges:
    """What to change of a source; None: nothing. every_minutes 0: no schedule.

    settings: key → value; empty stands for the default. members: users who alone may
    see it, none for all readers.
    """

    settings: Mapping[str, Any]
    name: str | None
    url: str | None
    every_minutes: int | None
    is_wiki_wanted: bool | None
    members: Sequence[str] | None = None

    @property
    def is_empty(self) -> bool:
        """Return whether nothing is to be changed."""
        others = (
            *(self.name, self.url, self.every_minutes, self.is_wiki_wanted),
            self.members,
        )
        return not self.settings and all(value is None for value in others)


@dataclass(frozen=True, slots=True)
class ProductChanges:
    """What to set of a product; None: nothing. wiki: settings to add to its own."""

    title: str | None
    description: str | None
    allows_external_models: bool | None
    source_roots: list[str] | None
    allows_ssh_key: bool | None
    wiki: Mapping[str, Any]

    @property
    def is_empty(self) -> bool:
        """Return whether nothing is to be set."""
        values = (
            *(self.title, self.description, self.source_roots),
            *(self.allows_external_models, self.allows_ssh_key),
        )
        return not self.wiki and all(value is None for value in values)


@dataclass(frozen=True, slots=True)
class Deletable:
    """A source or product that may be deleted, and how much it holds.

    id: it stays the same if somebody renames it before the deletion is confirmed.
    phrases: what would be lost; counts: the same as numbers, where they are known.
    """

    id: int
    phrases: Sequence[str]
    counts: Document = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WikiName:
    """A product's wiki in a language; None: the one that readers see first."""

    product: str
    language: str | None


@dataclass(frozen=True, slots=True)
class WikiExport:
    """What to export: format md, html or zip; version and output None: the default."""

    format: str
    version: int | None
    output: Path | None


class Jobs(Protocol):
    """Indexing, wiki and deletion jobs."""

    def list(self, *, is_open: bool) -> list[Document]:
        """Return the newest jobs with their progress; is_open: unfinished ones only."""

    def find(self, beginning: str) -> str:
        """Return the id of the only job whose id begins so."""

    def get(self, job_id: str) -> Document:
        """Return a job with its phases and its report."""

    def log(self, job_id: str) -> Sequence[Document]:
        """Return at least the end of a job's log, oldest line first."""

    def cancel(self, job_id: str) -> None:
        """Cancel a job."""

    def retry(self, job_id: str) -> str:
        """Start a job again; return the id of the new one."""

    def wait(self, job_id: str) -> Document:
        """Wait for a job, showing its progress on stderr; raise its error if it fails.

        Returns the job, or the one that took its place.
        """

    def timings(self, job: Document, embedding: Document | None) -> Sequence[str]:
        """Return counts and times of a completed index job, a line each.

        embedding: its embedding job, if it was waited for.
        """


class Products(Protocol):
    """Products and what they consist of."""

    def list(self) -> list[Document]:
        """Return all products that the caller may see."""

    def create(self, name: str, changes: ProductChanges) -> Document:
        """Create a product with its settings; wrong settings create nothing."""

    def update(self, name: str, changes: ProductChanges) -> Document:
        """Change a product's settings."""

    def describe(self, name: str) -> tuple[Document, Deletable]:
        """Return a product, and how much it holds."""

    def delete(self, product: Deletable) -> str:
        """Delete a product; return the job's id."""


class Sources(Protocol):
    """Sources of products."""

    def index(self, request: IndexRequest) -> str:
        """Register a source if it is new, and index it; return the job's id."""

    def list(self) -> list[Document]:
        """Return all sources that the caller may see."""

    def get(self, name: str) -> Document:
        """Return a source with its settings and what is indexed of it."""

    def add(self, request: SourceRequest) -> Document:
        """Register a source and index it; return its name and the job's id."""

    def test(self, request: SourceRequest) -> Document:
        """Return what a location, or the source of that name, would give."""

    def upload(self, request: UploadRequest) -> Document:
        """Store files as a source; return its name, job's id and what was stored."""

    def update(self, name: str, changes: SourceChanges) -> Document:
        """Change a source's name, address, schedule and settings."""

    def measure(self, name: str) -> Deletable:
        """Return how much a source holds."""

    def delete(self, source: Deletable) -> str:
        """Delete a source; return the job's id."""


class Wikis(Protocol):
    """Wikis of products and their versions."""

    def check_language(self, wiki: WikiName) -> None:
        """Raise InvalidInput for a language that the wiki will not be written in."""

    def generate(self, wiki: WikiName, *, is_forced: bool, is_redesigned: bool) -> str:
        """Have a wiki written; return the job's id."""

    def unchanged_version(self, wiki: WikiName) -> Document | None:
        """Return the published version if a run would write the same again."""

    def status(self, wiki: WikiName) -> Document:
        """Return the published version, its claims and the kept versions."""

    def estimate(self, wiki: WikiName) -> Document:
        """Return what writing the wiki would take."""

    def diff(
        self, wiki: WikiName, before: int | None, after: int | None
    ) -> list[Document]:
        """Return the pages that differ; default: the previous and the published."""

    def export(self, wiki: WikiName, wanted: WikiExport) -> Document:
        """Write a version to this machine; return its number and where it is."""

    def publish(self, wiki: WikiName, number: int) -> tuple[Document, int]:
        """Show readers another kept version; return it and the newest's number."""

    def pin(self, wiki: WikiName, number: int, *, is_pinned: bool) -> Document:
        """Keep a version for good, or no longer; return it."""

    def conflicts(self, product: str, *, kind: str, state: str) -> list[Document]:
        """Return where documents contradict the code."""

    def outdated(self, product: str, *, state: str) -> list[Document]:
        """Return documents whose code changed after them, the most changed first."""


class Backend(Protocol):
    """A devrag that answers commands."""

    @property
    def jobs(self) -> Jobs: ...

    @property
    def products(self) -> Products: ...

    @property
    def sources(self) -> Sources: ...

    @property
    def wikis(self) -> Wikis: ...

    def search(self, request: SearchRequest) -> SearchAnswer:
        """Search, or find related code."""

    def ask(self, question: Question, show: ShowEvent | None) -> Document:
        """Return the answer to a question; show: told what happens until then."""
