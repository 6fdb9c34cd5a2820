"""Pieces of items that a source lists apart, kept until their item is written anew.

A tracker that lists all comments of a project takes one request for a hundred of them,
where each ticket alone would take one of its own.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable

from devrag.sources.connectors.pages.types import Batch, Record

RECORD_SCHEMA = """
CREATE TABLE IF NOT EXISTS record (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, size INTEGER NOT NULL,
    data BLOB NOT NULL, seen INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS record_owner ON record (owner);
CREATE TABLE IF NOT EXISTS due (owner TEXT PRIMARY KEY);
"""
_PUT = """
INSERT INTO record (id, owner, size, data, seen) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, size = excluded.size,
    data = excluded.data, seen = excluded.seen
"""


class Records:
    """The records of one mirror; whoever changes them is within a transaction.

    run: the number of the run that sees them.
    """

    def __init__(self, db: sqlite3.Connection, run: Callable[[], int]) -> None:
        self._db, self._run = db, run

    def store(self, batch: Batch) -> None:
        """Keep a batch's records; note which items are to be written, and which were.

        What changes with the batch that settles an item was read after it.
        """
        for owner in batch.settled:
            self._db.execute("DELETE FROM due WHERE owner = ?", (owner,))
        for record in batch.records:
            self._put(record)
        for record_id in batch.dropped:
            self._drop(record_id)

    def forget(self, owner: str) -> None:
        """Remove all of an item."""
        self._db.execute("DELETE FROM record WHERE owner = ?", (owner,))
        self._db.execute("DELETE FROM due WHERE owner = ?", (owner,))

    def due(self, count: int) -> list[str]:
        """Return ids of items to be written, at most count of them."""
        query = "SELECT owner FROM due ORDER BY owner LIMIT ?"
        return [str(row[0]) for row in self._db.execute(query, (count,))]

    def of(self, owner: str) -> list[str]:
        """Return the data of an item's records, in no order."""
        query = "SELECT data FROM record WHERE owner = ?"
        rows = self._db.execute(query, (owner,))
        return [zlib.decompress(row[0]).decode() for row in rows]

    def size_of(self, owner: str) -> int:
        """Return how many characters an item's records have."""
        query = "SELECT coalesce(sum(size), 0) FROM record WHERE owner = ?"
        return int(self._db.execute(query, (owner,)).fetchone()[0])

    def unseen(self, prefix: str) -> list[str]:
        """Return ids that begin so of records that this run has not seen."""
        query = "SELECT id FROM record WHERE id > ? AND id < ? AND seen <> ?"
        after = prefix + chr(0x10FFFF)
        rows = self._db.execute(query, (prefix, after, self._run()))
        return [str(row[0]) for row in rows]

    # -- rows ---------------------------------------------------------------------

    def _put(self, record: Record) -> None:
        data = zlib.compress(record.data.encode("utf-8", "replace"), 1)
        query = "SELECT owner, data FROM record WHERE id = ?"
        old = self._db.execute(query, (record.record_id,)).fetchone()
        if old == (record.owner, data):
            query = "UPDATE record SET seen = ? WHERE id = ?"
            self._db.execute(query, (self._run(), record.record_id))
            return
        if old:
            self._note_due(old[0])
        key = (record.record_id, record.owner, len(record.data))
        self._db.execute(_PUT, (*key, data, self._run()))
        self._note_due(record.owner)

    def _drop(self, record_id: str) -> None:
        query = "SELECT owner FROM record WHERE id = ?"
        found = self._db.execute(query, (record_id,)).fetchone()
        if found:
            self._db.execute("DELETE FROM record WHERE id = ?", (record_id,))
            self._note_due(found[0])

    def _note_due(self, owner: str) -> None:
        self._db.execute("INSERT OR IGNORE INTO due VALUES (?)", (owner,))
