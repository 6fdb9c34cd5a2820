"""A remote source of pages as a connector: what changed is read into the mirror."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, ClassVar

from devrag.core.errors import InvalidInput, PermissionDenied, SourceError
from devrag.core.texts import gettext
from devrag.sources.connectors.forms import ConnectionForm
from devrag.sources.connectors.git.lock import exclusive_lock
from devrag.sources.connectors.pages.limits import check_count
from devrag.sources.connectors.pages.mirror import PageMirror
from devrag.sources.connectors.pages.types import Probe, RemotePages
from devrag.sources.connectors.types import (
    ConnectorContext,
    Credentials,
    Entry,
    Removed,
    Revision,
    Unlisted,
)
from devrag.sources.documents import read_document, without_facts
from devrag.sources.ignore import size_limit

CURRENT = "current"
# Why an attachment has no text; it is asked for again by the next run.
NOT_DOWNLOADED = "not downloaded yet"
_LOCK_SECONDS = 3600.0
_SECONDS_BETWEEN_LISTINGS = 24 * 3600.0
_IDS_AT_A_TIME = 1_000


class PageConnector:
    """Reads one space, project or database.

    Subclasses say how: `open_remote`, `form` (what people are asked to connect one)
    and `recipe`, another one of which has everything read again (a new way to write
    Markdown). What one token sees, and other settings
    choose, has a mirror of its own: it must not be shown where another token is used.
    mirror_path: its file.
    """

    recipe: ClassVar[str] = ""
    form: ClassVar[ConnectionForm] = ConnectionForm()

    def __init__(self, metadata: Mapping[str, Any], context: ConnectorContext) -> None:
        self._context = context
        self._remote = self.open_remote(metadata, context)
        self._place = self.place(metadata)
        chosen = repr((type(self).__name__, self._place, self.settings(metadata)))
        mark = _mirror_mark(chosen, context.credentials)
        self.mirror_path = context.repos_dir / "pages" / f"{mark}.sqlite"
        self._open = ExitStack()
        self._mirror: PageMirror | None = None
        self._identifier = ""

    @classmethod
    def open_remote(
        cls, metadata: Mapping[str, Any], context: ConnectorContext
    ) -> RemotePages:
        """Return the remote source; checks the address, does not touch the network."""
        raise NotImplementedError

    @classmethod
    def place(cls, metadata: Mapping[str, Any]) -> str:
        """Return what tells one remote source from another: address and space."""
        raise NotImplementedError

    @classmethod
    def settings(cls, metadata: Mapping[str, Any]) -> tuple[object, ...]:
        """Return the settings that choose what is read, beside the place."""
        return ()

    # -- Connector ------------------------------------------------------------------

    def probe(self, ref: str | None = None) -> None:
        """Check address, token and name by asking the server."""
        self._check_ref(ref)
        self._remote.probe()

    def preview(self) -> Probe:
        """Return what the source would read."""
        return self._remote.probe()

    def resolve(self, ref: str | None = None, commit: str | None = None) -> Revision:
        """Read what changed since the last run; goes on where a killed one was."""
        self._check_ref(commit or ref)
        mirror = self._opened()
        changed, gone = self._fetch(mirror)
        gone += self._remove_deleted(mirror)
        self._identifier = mirror.finish({"mark": self._remote.mark()})
        self._tell(
            f"{mirror.count():,} items, {changed:,} read new or changed, {gone:,} gone"
        )
        return Revision(self._identifier, CURRENT, CURRENT, datetime.now(UTC))

    def list(self, version: Revision) -> Iterator[Entry | Unlisted]:
        """Yield everything that the mirror holds."""
        return self._opened_at(version).entries()

    def changes(
        self, since: str, version: Revision
    ) -> Iterator[Entry | Unlisted | Removed] | None:
        """Yield what changed since an earlier version that this host has read."""
        return self._opened_at(version).changes(since)

    def ref_names(self) -> frozenset[str] | None:
        """Return None: there are no branches and tags."""
        return None

    def is_ancestor(self, commit: str, of: str) -> bool:
        """Return False: only the last state can be read."""
        return False

    def read(
        self, version: Revision, entries: Iterable[Entry]
    ) -> Iterator[tuple[Entry, bytes]]:
        """Yield pages from the mirror, attachments from the server."""
        mirror = self._opened_at(version)
        for entry in entries:
            found = mirror.read(entry.path)
            if found is None:
                continue
            text, address = found
            if not address:
                yield replace(entry, size=len(text)), text
            else:
                yield from self._attachment(mirror, entry, text, address)

    def close(self) -> None:
        """Let go of the mirror and the connection."""
        self._open.close()
        self._remote.close()
        self._mirror, self._identifier = None, ""

    # -- reading --------------------------------------------------------------------

    def _fetch(self, mirror: PageMirror) -> tuple[int, int]:
        """Read what is new into the mirror; return how many changed and are gone."""
        changed = gone = 0
        tell = _Teller(self._tell)
        since, cursor = mirror.get("mark"), mirror.get("cursor")
        for batch in self._remote.fetch(since, cursor, mirror):
            self._context.checkpoint()
            counts = mirror.store(batch)
            changed, gone = changed + counts[0], gone + counts[1]
            tell(f"{changed:,} items read")
            check_count(mirror.count(), self._context.max_files, self._place)
        return changed, gone

    def _remove_deleted(self, mirror: PageMirror) -> int:
        """Compare with all ids of the source: once a day, or where one must be gone."""
        listed_at = float(mirror.get("listed_at") or 0)
        is_due = time.time() - listed_at > _SECONDS_BETWEEN_LISTINGS
        if not mirror.get("mark"):  # everything was read just now
            mirror.set("listed_at", str(time.time()))
            return 0
        ids = self._remote.list_ids(mirror.count(), is_due=is_due)
        if ids is None:
            return 0
        while part := list(islice(ids, _IDS_AT_A_TIME)):
            self._context.checkpoint()
            mirror.see(part)
        mirror.set("listed_at", str(time.time()))
        return mirror.remove_unseen()

    def _attachment(
        self, mirror: PageMirror, entry: Entry, text: bytes, address: str
    ) -> Iterator[tuple[Entry, bytes]]:
        """Yield an attachment with its bytes, or why it has none; nothing of one gone.

        One alone that the server does not give must not end each run. Raises what the
        server says where nothing else can be read from it either.
        """
        limit = size_limit(entry.path, self._context.selection)
        try:
            data = self._remote.download(address, limit or _ANY_SIZE)
        except (SourceError, PermissionDenied) as error:
            self._remote.probe()
            self._tell(f"{entry.path}: {error.message}")
            mirror.read_later(entry.path)
            yield replace(entry, unread=NOT_DOWNLOADED), b""
            return
        if data is not None:
            facts = read_document(text.decode("utf-8", "replace"))
            data = without_facts(data)
            yield replace(entry, size=len(data), facts=facts), data

    def _opened(self) -> PageMirror:
        if self._mirror is None:
            self.mirror_path.parent.mkdir(parents=True, exist_ok=True)
            lock = exclusive_lock(
                self.mirror_path.with_suffix(".lock"),
                timeout_seconds=_LOCK_SECONDS,
                on_wait=lambda: self._tell(
                    "Another process is already reading this source."
                ),
            )
            self._open.enter_context(lock)
            self._mirror = PageMirror(self.mirror_path, self.recipe)
            self._open.callback(self._mirror.close)
        return self._mirror

    def _opened_at(self, version: Revision) -> PageMirror:
        """Return the mirror; read again where another version is asked for."""
        if self._identifier != version.identifier:
            self.resolve()
        return self._opened()

    def _tell(self, line: str) -> None:
        if self._context.on_progress is not None:
            self._context.on_progress(line)

    def _check_ref(self, ref: str | None) -> None:
        if ref not in {None, "", CURRENT}:
            raise InvalidInput(
                gettext(
                    "%(place)s has no branches, tags or commits. Leave out the ref."
                )
                % {"place": self._place}
            )


_ANY_SIZE = 1 << 30


def _mirror_mark(chosen: str, credentials: Credentials) -> str:
    """Return a mirror's name; slow to make, so that no secret is guessed from it."""
    secret = f"{credentials.username}\0{credentials.secret}".encode()
    return hashlib.pbkdf2_hmac("sha256", secret, chosen.encode(), 50_000).hex()[:32]


class _Teller:
    """Passes a line on now and then."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell, self._told_at = tell, time.monotonic()

    def __call__(self, line: str) -> None:
        if time.monotonic() - self._told_at > 2.0:
            self._told_at = time.monotonic()
            self._tell(line)
