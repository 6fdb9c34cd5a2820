"""What a connector of a wiki or tracker gives: pages, in batches to go on after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Item:
    """A page, ticket or attachment of the remote source.

    item_id: the source's own, unique within it. version: another one whenever anything
    of the item changed. path: where it lies in this source; two items of one path are
    told apart by their ids. text: Markdown as `write_document` makes it; of an
    attachment its head alone. download: of an attachment, whose bytes (size) are read
    when they are needed. reason: why it is left out; then it has no text.
    """

    item_id: str
    version: str
    path: str
    text: str = ""
    download: str = ""
    size: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A piece of an item that a source lists apart from the rest of it.

    Such as a comment. record_id: unique within the source. owner: the id of the item.
    data: all of it that the item's text is written from, as text.
    """

    record_id: str
    owner: str
    data: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Some items, and where to go on after them.

    cursor: what `fetch` takes to go on from here after a crash; '' when it cannot.
    gone: ids that the source says it no longer has. known: ids of items that are as
    they were, so that none of them is taken for deleted. records: pieces; where one is
    new or changed, its item is to be written. dropped: ids of those that are no more.
    settled: ids of items that were written, or need not be.
    """

    items: Sequence[Item] = ()
    cursor: str = ""
    gone: Sequence[str] = ()
    known: Sequence[str] = ()
    records: Sequence[Record] = ()
    dropped: Sequence[str] = ()
    settled: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Probe:
    """What the source would read, shown before it is added.

    title: of the space, project or database. counts: what of ('pages', 'tickets') and
    how many, None where the source does not tell.
    """

    title: str
    counts: tuple[tuple[str, int | None], ...] = ()
    notes: tuple[str, ...] = ()


class Pieces(Protocol):
    """The records that the mirror has, until their items go."""

    def due(self, count: int) -> list[str]:
        """Return ids of items to be written, at most count of them."""
        ...

    def of(self, owner: str) -> list[str]:
        """Return the data of an item's records, in no order."""
        ...

    def size_of(self, owner: str) -> int:
        """Return how many characters an item's records have."""
        ...

    def unseen(self, prefix: str) -> list[str]:
        """Return ids that begin so of records that this run has not seen."""
        ...


class Versions(Protocol):
    """What the mirror knows: which versions of items it has."""

    @property
    def records(self) -> Pieces:
        """Return the pieces of items that are listed apart."""
        ...

    def version_of(self, item_id: str) -> str:
        """Return the version that was read before, '' for an unknown item."""
        ...

    def unseen(self) -> list[str]:
        """Return the ids of the items that this run has neither read nor seen."""
        ...

    def ids_below(self, prefix: str) -> list[str]:
        """Return the ids that begin with a prefix, in order; not the prefix itself."""
        ...

    def item(self, item_id: str) -> Item | None:
        """Return an item as it was read, to put it elsewhere; None for an unknown one.

        Its path is where it lies, which may be another one than was asked for.
        """
        ...


class RemotePages(Protocol):
    """The pages of a wiki, or the tickets of a project, behind its API."""

    def probe(self) -> Probe:
        """Ask whether address and token work, and what they would read."""
        ...

    def fetch(self, since: str, cursor: str, known: Versions) -> Iterator[Batch]:
        """Yield what changed since a mark ('' = everything), oldest change first.

        cursor: of the last batch that was stored, to go on from. What the mirror knows
        in its version need not be read again.
        """
        ...

    def mark(self) -> str:
        """Return the mark for the next `fetch`, after one has ended.

        By the clock of the source, early enough that no change is lost.
        """
        ...

    def list_ids(self, count: int, *, is_due: bool) -> Iterator[str] | None:
        """Yield the ids of all items; None while no deletion is to be expected.

        count: how many items the mirror has. is_due: a day has passed since the last
        listing; before that, only a source that can tell cheaply that something is
        gone has it listed.
        """
        ...

    def download(self, address: str, limit: int) -> bytes | None:
        """Return an attachment's bytes; None when it is gone or has more than limit."""
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...
