"""The pages of a remote source on this host's disk, as they were read last.

Like the mirror of a git repository it can be deleted: what it held is then read again
from the source. Every batch is one transaction, with the cursor to go on from, so that
a run that was killed goes on where it was. What changed from one version of the source
to another is known by the number of the run that changed it.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from devrag.core.errors import SourceError
from devrag.core.hashing import sha256_hex
from devrag.core.texts import gettext
from devrag.sources.connectors.pages.records import RECORD_SCHEMA, Records
from devrag.sources.connectors.pages.types import Batch, Item
from devrag.sources.connectors.types import Entry, Removed, Unlisted

_FORMAT = "2"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS mark (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS item (
    id TEXT PRIMARY KEY, path TEXT NOT NULL UNIQUE, version TEXT NOT NULL,
    digest TEXT NOT NULL, size INTEGER NOT NULL, reason TEXT NOT NULL,
    download TEXT NOT NULL, text BLOB NOT NULL, run INTEGER NOT NULL, seen INTEGER
);
CREATE INDEX IF NOT EXISTS item_run ON item (run);
CREATE TABLE IF NOT EXISTS gone (path TEXT PRIMARY KEY, run INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS version (identifier TEXT PRIMARY KEY, run INTEGER NOT NULL);
"""
_PUT = """
INSERT INTO item (id, path, version, digest, size, reason, download, text, run, seen)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET path = excluded.path, version = excluded.version,
    digest = excluded.digest, size = excluded.size, reason = excluded.reason,
    download = excluded.download, text = excluded.text, run = excluded.run,
    seen = excluded.seen
"""
_TABLES = ("item", "gone", "version", "mark", "record", "due")
# A run between two versions leaves this many: older ones need a whole listing.
_VERSIONS_KEPT = 100


class PageMirror:
    """Open for one process at a time. recipe: another one reads everything again."""

    def __init__(self, path: Path, recipe: str) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._open(recipe)
        except sqlite3.DatabaseError:
            # Damaged, or of another form: it is read from the source again.
            for name in (path, *(path.with_name(path.name + e) for e in _BESIDE)):
                name.unlink(missing_ok=True)
            self._open(recipe)
        except OSError as error:
            raise _unusable(path, error.strerror or str(error)) from error

    def _open(self, recipe: str) -> None:
        # One thread at a time uses it, but not always the same: reading has its own.
        self._db = sqlite3.connect(
            self._path, isolation_level=None, check_same_thread=False
        )
        try:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(_SCHEMA + RECORD_SCHEMA)
            if self.get("recipe") != f"{_FORMAT}:{recipe}":
                for table in _TABLES:
                    self._db.execute(f"DELETE FROM {table}")
                self.set("recipe", f"{_FORMAT}:{recipe}")
        except sqlite3.DatabaseError:
            self._db.close()
            raise
        self._run = int(self.get("run") or 0) + 1
        self.records = Records(self._db, lambda: self._run)

    def close(self) -> None:
        """Let go of the file."""
        with suppress(sqlite3.Error):
            self._db.close()

    # -- what is known ------------------------------------------------------------

    def get(self, name: str) -> str:
        """Return a mark, '' where there is none."""
        row = self._db.execute("SELECT value FROM mark WHERE name = ?", (name,))
        found = row.fetchone()
        return str(found[0]) if found else ""

    def set(self, name: str, value: str) -> None:
        """Keep a mark."""
        self._db.execute("INSERT OR REPLACE INTO mark VALUES (?, ?)", (name, value))

    def version_of(self, item_id: str) -> str:
        """Return the version of an item, '' for an unknown one."""
        row = self._db.execute("SELECT version FROM item WHERE id = ?", (item_id,))
        found = row.fetchone()
        return str(found[0]) if found else ""

    def count(self) -> int:
        """Return how many items there are, those that are left out included."""
        return int(self._db.execute("SELECT count(*) FROM item").fetchone()[0])

    # -- changes ------------------------------------------------------------------

    def store(self, batch: Batch) -> tuple[int, int]:
        """Keep a batch and its cursor; return how many items changed and are gone."""
        with self._transaction():
            changed = sum(map(self._put, batch.items))
            gone = sum(map(self._remove, batch.gone))
            for item_id in batch.known:
                self._see(item_id)
            self.records.store(batch)
            self.set("cursor", batch.cursor)
        return changed, gone

    def see(self, item_ids: Iterable[str]) -> None:
        """Note that the source still has these items."""
        with self._transaction():
            for item_id in item_ids:
                self._see(item_id)

    def unseen(self) -> list[str]:
        """Return the ids of the items that this run has neither read nor seen."""
        query = "SELECT id FROM item WHERE seen IS NOT ?"
        return [str(row[0]) for row in self._db.execute(query, (self._run,))]

    def ids_below(self, prefix: str) -> list[str]:
        """Return the ids that begin with a prefix, in order; not the prefix itself."""
        query = "SELECT id FROM item WHERE id > ? AND id < ? ORDER BY id"
        after = prefix + chr(0x10FFFF)
        return [str(row[0]) for row in self._db.execute(query, (prefix, after))]

    def item(self, item_id: str) -> Item | None:
        """Return an item as it was read, None for an unknown one."""
        query = """
        SELECT version, path, text, download, size, reason FROM item WHERE id = ?
        """
        row = self._db.execute(query, (item_id,)).fetchone()
        if row is None:
            return None
        version, path, text, download, size, reason = row
        words = zlib.decompress(text).decode("utf-8", "replace")
        return Item(item_id, version, path, words, download, size, reason)

    def remove_unseen(self) -> int:
        """Remove what this run neither read nor saw; return how many items."""
        with self._transaction():
            return sum(map(self._remove, self.unseen()))

    def finish(self, marks: dict[str, str]) -> str:
        """End the run; return the identifier of what the mirror holds now."""
        with self._transaction():
            self._take_free_paths()
        digest = sha256_hex("\n".join(self._listing()))
        with self._transaction():
            self._db.execute(
                "INSERT OR REPLACE INTO version VALUES (?, ?)", (digest, self._run)
            )
            oldest = self._run - _VERSIONS_KEPT
            self._db.execute("DELETE FROM version WHERE run < ?", (oldest,))
            self._db.execute("DELETE FROM gone WHERE run < ?", (oldest,))
            for name, value in {**marks, "cursor": "", "run": str(self._run)}.items():
                self.set(name, value)
        self._run += 1
        return digest

    # -- what it holds ------------------------------------------------------------

    def entries(self) -> Iterator[Entry | Unlisted]:
        """Yield everything, by path."""
        query = "SELECT path, digest, size, reason FROM item ORDER BY path"
        with closing(self._db.execute(query)) as rows:
            yield from (_entry(row) for row in rows)

    def changes(self, since: str) -> Iterator[Entry | Unlisted | Removed] | None:
        """Yield what changed since a version; None for one that is not known."""
        row = self._db.execute("SELECT run FROM version WHERE identifier = ?", (since,))
        found = row.fetchone()
        return self._changes(int(found[0])) if found else None

    def _changes(self, run: int) -> Iterator[Entry | Unlisted | Removed]:
        gone = "SELECT path FROM gone WHERE run > ? ORDER BY path"
        with closing(self._db.execute(gone, (run,))) as rows:
            yield from (Removed(path) for (path,) in rows)
        query = "SELECT path, digest, size, reason FROM item WHERE run > ?"
        with closing(self._db.execute(query, (run,))) as rows:
            yield from (_entry(row) for row in rows)

    def read(self, path: str) -> tuple[bytes, str] | None:
        """Return an item's text and what to download, if anything; None for none.

        Of what is to be downloaded the text has nothing but what is known of it.
        """
        row = self._db.execute(
            "SELECT text, download FROM item WHERE path = ?", (path,)
        ).fetchone()
        return (zlib.decompress(row[0]), str(row[1])) if row else None

    def read_later(self, path: str) -> None:
        """Have an item count as changed, so that the next run reads it again."""
        query = "UPDATE item SET digest = ?, run = ? WHERE path = ?"
        digest = sha256_hex(f"{path}\n{self._run}")
        with self._transaction():
            self._db.execute(query, (digest, self._run, path))

    # -- rows ---------------------------------------------------------------------

    def _put(self, item: Item) -> bool:
        """Keep an item; return whether anything of it is new."""
        data = item.text.encode("utf-8", "replace")
        # An attachment's bytes are not known yet: its version stands for them.
        unknown = (item.download, item.version, item.reason, _FORMAT)
        known_by = "\n".join(unknown) if item.download or not item.text else item.text
        digest, path = sha256_hex(known_by), self._free_path(item)
        size = item.size if item.download else len(data)
        query = "SELECT path, digest, reason FROM item WHERE id = ?"
        old = self._db.execute(query, (item.item_id,)).fetchone()
        if old == (path, digest, item.reason):
            self._db.execute(
                "UPDATE item SET version = ?, seen = ? WHERE id = ?",
                (item.version, self._run, item.item_id),
            )
            return False
        if old and old[0] != path:
            self._leave(str(old[0]))
        self._db.execute("DELETE FROM gone WHERE path = ?", (path,))
        row = (item.item_id, path, item.version, digest, size, item.reason)
        text = zlib.compress(data, 1)
        self._db.execute(_PUT, (*row, item.download, text, self._run, self._run))
        return True

    def _free_path(self, item: Item) -> str:
        """Return the item's path, with its id where another item lies there."""
        query = "SELECT id FROM item WHERE path = ? AND id <> ?"
        if self._db.execute(query, (item.path, item.item_id)).fetchone() is None:
            return item.path
        stem, dot, ending = item.path.rpartition(".")
        mark = _mark(item.item_id)
        return f"{stem}{mark}{dot}{ending}" if stem else f"{item.path}{mark}"

    def _take_free_paths(self) -> None:
        """Let items that are told apart by their ids have their paths, where free."""
        query = f"SELECT id, path FROM item WHERE path GLOB '{_MARKED}' ORDER BY id"
        for item_id, path in self._db.execute(query).fetchall():
            wanted = path.replace(_mark(item_id), "")
            taken = "SELECT 1 FROM item WHERE path = ?"
            if wanted == path or self._db.execute(taken, (wanted,)).fetchone():
                continue
            self._leave(path)
            self._db.execute("DELETE FROM gone WHERE path = ?", (wanted,))
            self._db.execute(
                "UPDATE item SET path = ?, run = ? WHERE id = ?",
                (wanted, self._run, item_id),
            )

    def _remove(self, item_id: str) -> bool:
        row = self._db.execute("SELECT path FROM item WHERE id = ?", (item_id,))
        found = row.fetchone()
        if found:
            self._db.execute("DELETE FROM item WHERE id = ?", (item_id,))
            self.records.forget(item_id)
            self._leave(str(found[0]))
        return bool(found)

    def _leave(self, path: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO gone VALUES (?, ?)", (path, self._run))

    def _see(self, item_id: str) -> None:
        self._db.execute("UPDATE item SET seen = ? WHERE id = ?", (self._run, item_id))

    def _listing(self) -> Iterator[str]:
        query = "SELECT path, digest, reason FROM item ORDER BY path"
        with closing(self._db.execute(query)) as rows:
            yield from ("\0".join(row) for row in rows)

    def _transaction(self) -> _Transaction:
        return _Transaction(self._db, self._path)


_BESIDE = ("-wal", "-shm")
_MARKED = f"* ({'[0-9a-f]' * 8})*"


def _mark(item_id: str) -> str:
    """Return what tells an item from another one of the same path."""
    return f" ({sha256_hex(item_id)[:8]})"


class _Transaction:
    """All or nothing, on the disk when it ends. Raises SourceError for a full disk."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db, self._path = db, path

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if error is None:
            self._db.execute("COMMIT")
            return
        with suppress(sqlite3.Error):
            self._db.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            raise _unusable(self._path, str(error)) from error


def _unusable(path: Path, why: str) -> SourceError:
    return SourceError(
        gettext(
            "Cannot store pages of the source in %(folder)s: %(why)s. Free some space "
            "there, or fix its permissions."
        )
        % {"folder": path.parent, "why": why},
        permanent=False,
    )


def _entry(row: tuple[str, str, int, str]) -> Entry | Unlisted:
    path, digest, size, reason = row
    return Unlisted(path, reason) if reason else Entry(path, digest, size, 0)
