"""What every kind of source offers: versions, a listing, the bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from devrag.sources.documents import DocumentFacts
from devrag.sources.hosts import AddressRules
from devrag.sources.selection import Selection


@dataclass(frozen=True, slots=True)
class Revision:
    """One state of a source.

    identifier: git: 40 hexadecimal digits; a folder: SHA-256 of its listing.
    ref_kind: branch, tag, commit, or current for sources without versions.
    message: the subject line of the commit.
    """

    identifier: str
    ref_name: str
    ref_kind: str
    committed_at: datetime | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that can be read. path: Unicode, slash-separated, below the root.

    digest: equal digests mean equal bytes within one source. size: bytes. Where it was
    read: why it could not be, and what is known of it beside its bytes.
    """

    path: str
    digest: str
    size: int
    mode: int
    unread: str = ""
    facts: DocumentFacts | None = None


@dataclass(frozen=True, slots=True)
class Unlisted:
    """Something that is there but cannot be indexed. path: printable, any name."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Removed:
    """Nothing has this path any more, neither an Entry nor an Unlisted."""

    path: str


@dataclass(frozen=True, slots=True)
class Credentials:
    """User name and secret for https; never shown."""

    username: str = ""
    secret: str = field(default="", repr=False)


NO_CREDENTIALS = Credentials()


def _do_nothing() -> None:
    """Nobody can cancel this."""


@dataclass(frozen=True, slots=True)
class ConnectorContext:
    """What the installation gives a connector.

    repos_dir: where mirrors live. is_local_user: whoever runs it sits at this machine,
    so paths need not lie under source_roots. is_ssh_key_allowed: whether the source may
    use the installation's key. max_files: folders with more are refused.
    uploads_dir: where uploaded files live.
    selection: how large files may be; no more is read of any. on_progress: gets short
    lines to show. checkpoint: called between steps; raises when nobody waits any more.
    """

    repos_dir: Path
    address_rules: AddressRules = field(default_factory=AddressRules)
    source_roots: tuple[Path, ...] = ()
    is_local_user: bool = False
    credentials: Credentials = NO_CREDENTIALS
    is_ssh_key_allowed: bool = True
    ssh_key_path: Path | None = None
    known_hosts_path: Path | None = None
    max_files: int = 1_000_000
    uploads_dir: Path = Path()
    selection: Selection = field(default_factory=Selection)
    on_progress: Callable[[str], None] | None = None
    checkpoint: Callable[[], None] = _do_nothing


class Connector(Protocol):
    """One source, opened. Not safe for several threads at once."""

    def probe(self, ref: str | None = None) -> None:
        """Raise what a registration should know at once; fetch nothing."""
        ...

    def resolve(self, ref: str | None = None, commit: str | None = None) -> Revision:
        """Fetch what is new and return the version that ref (and commit) mean."""
        ...

    def list(self, version: Revision) -> Iterator[Entry | Unlisted]:
        """Yield everything in a version, in any order."""
        ...

    def changes(
        self, since: str, version: Revision
    ) -> Iterator[Entry | Unlisted | Removed] | None:
        """Yield what makes the listing of `since` that of version, in any order.

        Applied by path, the later wins; a change of mode alone is none. None when the
        source cannot tell, or no longer has `since` (the identifier of a version).
        """
        ...

    def ref_names(self) -> frozenset[str] | None:
        """Return the branches and tags seen by resolve(); None when there are none."""
        ...

    def is_ancestor(self, commit: str, of: str) -> bool:
        """Return whether a version led to another.

        False when the source cannot tell.
        """
        ...

    def read(
        self, version: Revision, entries: Iterable[Entry]
    ) -> Iterator[tuple[Entry, bytes]]:
        """Yield entries with their bytes, one at a time.

        The yielded entry has the digest of the yielded bytes; an entry that is gone
        meanwhile (folders only) is left out. One that says why it is unread has none.
        """
        ...

    def close(self) -> None:
        """End processes and forget caches."""
        ...


class Unversioned:
    """What a connector answers whose source keeps no earlier versions."""

    def changes(
        self, since: str, version: Revision
    ) -> Iterator[Entry | Unlisted | Removed] | None:
        """Return None: only a whole listing tells."""
        return None

    def ref_names(self) -> frozenset[str] | None:
        """Return None: there are no branches and tags."""
        return None

    def is_ancestor(self, commit: str, of: str) -> bool:
        """Return False: nothing is known of earlier versions."""
        return False
