"""A folder as a source: its one version is the hash of everything in it.

Every file is hashed on every listing. Sizes and times would be quicker, and wrong for
files changed within one tick of the clock or unpacked with old times.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from devrag.core.errors import InvalidInput, SourceError
from devrag.core.hashing import sha256_hex
from devrag.sources.addresses import check_path
from devrag.sources.connectors.local.walk import Found, open_file, walk
from devrag.sources.connectors.types import (
    ConnectorContext,
    Entry,
    Unlisted,
    Unversioned,
    Version,
)

CURRENT = "current"


class LocalConnector(Unversioned):
    """Reads a folder on this machine."""

    def __init__(self, metadata: Mapping[str, Any], context: ConnectorContext) -> None:
        self._root = check_path(
            str(metadata.get("path") or ""),
            context.source_roots,
            is_local_user=context.is_local_user,
        )
        self._listing: tuple[Entry | Unlisted, ...] = ()
        self._identifier = ""

    def resolve(self, ref: str | None = None, commit: str | None = None) -> Version:
        """Hash the folder; it has no branches, tags or commits to choose from."""
        self._check_ref(commit or ref)
        self._listing = tuple(_hashed(self._root))
        self._identifier = _identifier(self._listing)
        return Version(self._identifier, CURRENT, CURRENT)

    def probe(self, ref: str | None = None) -> None:
        """Check that the folder is there and no ref is asked for."""
        self._check_ref(ref)

    def list(self, version: Version) -> Iterator[Entry | Unlisted]:
        """Yield the listing that the version was made from."""
        if self._identifier != version.identifier:
            self.resolve()
        if self._identifier != version.identifier:
            raise SourceError(
                f"The folder {self._root} has changed meanwhile. Index it again.",
                permanent=False,
            )
        yield from self._listing

    def read(
        self, version: Version, entries: Iterable[Entry]
    ) -> Iterator[tuple[Entry, bytes]]:
        """Yield files as they are now; what is gone is left out."""
        for entry in entries:
            found = Found(entry.path, self._root / entry.path)
            stream = open_file(self._root, found)
            if not isinstance(stream, Unlisted):
                with stream:
                    data = stream.read()
                yield replace(entry, digest=sha256_hex(data), size=len(data)), data

    def close(self) -> None:
        """Forget the listing."""
        self._listing, self._identifier = (), ""

    def _check_ref(self, ref: str | None) -> None:
        if ref not in {None, "", CURRENT}:
            raise InvalidInput(
                f"The folder {self._root} has no branches, tags or commits; leave the"
                " ref out, or add it as a git source."
            )


def _hashed(root: Path) -> Iterator[Entry | Unlisted]:
    for found in walk(root):
        yield _entry(root, found) if isinstance(found, Found) else found


def _entry(root: Path, found: Found) -> Entry | Unlisted:
    stream = open_file(root, found)
    if isinstance(stream, Unlisted):
        return stream
    with stream:
        status = os.fstat(stream.fileno())
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return Entry(found.path, digest, status.st_size, status.st_mode)


def _identifier(listing: Iterable[Entry | Unlisted]) -> str:
    """Return the SHA-256 over the sorted (path, hash) list (S2-8.3-11)."""
    pairs = sorted((e.path, e.digest) for e in listing if isinstance(e, Entry))
    digest = hashlib.sha256()
    for path, content in pairs:
        digest.update(path.encode() + b"\0" + content.encode() + b"\n")
    return digest.hexdigest()
