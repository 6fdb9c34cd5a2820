"""A folder as a source: its one version is the hash of everything in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from devrag.core.errors import InvalidInput, SourceError
from devrag.core.hashing import sha256_hex
from devrag.core.texts import gettext
from devrag.sources.addresses import check_path
from devrag.sources.confined_files import Beneath, Refused, read_bounded
from devrag.sources.connectors.local.listing import LocalListing
from devrag.sources.connectors.local.survey import survey
from devrag.sources.connectors.local.walk import (
    RegularFile,
    unreadable_root,
    walk,
    walk_uncounted,
)
from devrag.sources.connectors.pages.types import Probe
from devrag.sources.connectors.types import (
    ConnectorContext,
    Entry,
    Revision,
    Unlisted,
    Unversioned,
)
from devrag.sources.ignore import size_limit

CURRENT = "current"


class LocalConnector(Unversioned):
    """Reads a folder on this machine."""

    takes_files = False

    def __init__(self, metadata: Mapping[str, Any], context: ConnectorContext) -> None:
        self._root = check_path(
            str(metadata.get("path") or ""),
            context.source_roots,
            is_local_user=context.is_local_user,
            may_be_file=self.takes_files,
        )
        self._context = context
        place = sha256_hex(f"{type(self).__name__}:{self._root}")
        self._kept = context.repos_dir / "folders" / place[:32]
        self._folder: Beneath | None = None
        self._listing: LocalListing | None = None
        self._identifier = ""

    def resolve(self, ref: str | None = None, commit: str | None = None) -> Revision:
        """Hash the folder; it has no branches, tags or commits to choose from."""
        self._check_ref(commit or ref)
        self.close()
        self._listing = LocalListing.make(
            self._opened(), self._walk(), self._kept, self._context
        )
        self._identifier = self._identify(self._listing)
        return Revision(self._identifier, CURRENT, CURRENT)

    def probe(self, ref: str | None = None) -> None:
        """Check that the folder is there and no ref is asked for."""
        self._check_ref(ref)

    def preview(self) -> Probe:
        """Return how many files there are and their bytes, and what is passed over."""
        try:
            found = survey(self._opened(), self._walk_some(), self._context)
        finally:
            self.close()
        return found

    def list(self, version: Revision) -> Iterator[Entry | Unlisted]:
        """Yield the listing that the version was made from."""
        if self._identifier != version.identifier:
            self.resolve()
        if self._listing is None or self._identifier != version.identifier:
            raise SourceError(
                gettext(
                    "The folder %(root)s changed while it was being read. Index "
                    "it again."
                )
                % {"root": self._root},
                permanent=False,
            )
        yield from self._listing

    def read(
        self, version: Revision, entries: Iterable[Entry]
    ) -> Iterator[tuple[Entry, bytes]]:
        """Yield files as they are now; what is gone or grew too large is left out."""
        for entry in entries:
            data = self._read(entry.path)
            if data is not None:
                yield replace(entry, digest=sha256_hex(data), size=len(data)), data

    def _read(self, path: str) -> bytes | None:
        limit = size_limit(path, self._context.selection)
        try:
            with self._opened().open(path) as stream:
                return read_bounded(stream, limit, self._context.checkpoint)
        except (OSError, Refused):
            return None

    def close(self) -> None:
        """Forget the listing and let go of the folder."""
        if self._listing is not None:
            self._listing.close()
        if self._folder is not None:
            self._folder.close()
        self._folder, self._listing, self._identifier = None, None, ""

    def _opened(self) -> Beneath:
        """Return the folder, opened once for what was checked and what is read."""
        if self._folder is None:
            try:
                self._folder = Beneath(self._root)
            except OSError as error:
                raise unreadable_root(self._root, error) from error
        return self._folder

    def _walk(self) -> Iterator[RegularFile | Unlisted]:
        context = self._context
        return walk(self._opened(), context.max_files, context.checkpoint)

    def _walk_some(self) -> Iterator[RegularFile | Unlisted]:
        """Walk without counting all files first, for who stops early."""
        return walk_uncounted(self._opened(), self._context.checkpoint)

    def _identify(self, listing: LocalListing) -> str:
        return listing.identifier

    def _check_ref(self, ref: str | None) -> None:
        if ref not in {None, "", CURRENT}:
            raise InvalidInput(
                gettext(
                    "The folder %(root)s has no branches, tags or commits. Leave out "
                    "the ref, or add the folder as a git source."
                )
                % {"root": self._root}
            )
