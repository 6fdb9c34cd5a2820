"""Everything an index run writes, table by table, without what may differ.

Rows are named by path, content and ordinal instead of their numbers, so that two
databases, or two runs in one, can be compared. New columns are compared by themselves.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import psycopg
from psycopg import sql

_FILE = "f.path || ' ' || f.content_hash || ' ' || f.facts_version"
_OF_FILE = "JOIN sources_file f ON f.id = t.file_id"
_REF = "JOIN git_refs r ON r.id = t.ref_id"


@dataclass(frozen=True, slots=True)
class Table:
    """A table, how its rows are named, and the columns that tell nothing."""

    name: str
    key: str
    joins: str = ""
    without: tuple[str, ...] = ()


TABLES = {
    "files": Table(
        "sources_file",
        "s.name",
        "JOIN sources s ON s.id = t.source_id",
        ("source_id", "created_at"),
    ),
    "chunks": Table("sources_chunk", _FILE, _OF_FILE, ("file_id",)),
    "symbols": Table("sources_symbol", _FILE, _OF_FILE, ("file_id", "source_id")),
    "references": Table("sources_reference", _FILE, _OF_FILE, ("file_id", "source_id")),
    "facts": Table("sources_fact", _FILE, _OF_FILE, ("file_id",)),
    "manifests": Table(
        "sources_reffile",
        f"r.name || ' ' || {_FILE}",
        f"{_OF_FILE} {_REF}",
        ("file_id", "ref_id"),
    ),
    "skips": Table("sources_skip", "r.name", _REF, ("ref_id",)),
    "refs": Table(
        "git_refs",
        "s.name || ' ' || coalesce(p.version_identifier, '')",
        "JOIN sources s ON s.id = t.source_id "
        "LEFT JOIN source_snapshots p ON p.id = t.snapshot_id",
        ("source_id", "snapshot_id"),
    ),
    "snapshots": Table(
        "source_snapshots",
        "s.name",
        "JOIN sources s ON s.id = t.source_id",
        ("source_id", "indexed_at", "created_at"),
    ),
    "embeddings": Table(
        "search_embedding",
        f"e.model || ' ' || {_FILE} || ' ' || c.ordinal",
        "JOIN search_embeddingspec e ON e.id = t.spec_id "
        "JOIN sources_chunk c ON c.id = t.chunk_id "
        "JOIN sources_file f ON f.id = c.file_id",
        # A text's numbers depend a little on those that are embedded with it.
        ("spec_id", "chunk_id", "source_id", "vector"),
    ),
    "staged": Table("sources_stagedchange", "''", without=("run", "file_id")),
}
_READ = """
SELECT {key} || ' ' || (to_jsonb(t) - 'id' - %s::text[])::text
FROM {table} t {joins}
"""


@dataclass(frozen=True, slots=True)
class Contents:
    """The rows of all tables as sorted lines."""

    lines: dict[str, tuple[str, ...]]

    @property
    def digests(self) -> dict[str, str]:
        """Return table → number of rows and a checksum of them."""
        return {
            name: f"{len(lines)}:{hashlib.sha256(repr(lines).encode()).hexdigest()}"
            for name, lines in self.lines.items()
        }

    def differences(self, other: Contents) -> list[str]:
        """Return a few rows per table that only one of the two has."""
        found = []
        for name, lines in self.lines.items():
            mine, others = set(lines), set(other.lines[name])
            found += [f"+ {name}: {line[:300]}" for line in sorted(mine - others)[:3]]
            found += [f"- {name}: {line[:300]}" for line in sorted(others - mine)[:3]]
        return found


def read_contents(url: str) -> Contents:
    """Read all tables of a database in one snapshot of it."""
    lines = {}
    with psycopg.connect(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        for name, table in TABLES.items():
            statement = sql.SQL(_READ).format(
                key=sql.SQL(table.key),
                table=sql.Identifier(table.name),
                joins=sql.SQL(table.joins),
            )
            rows = connection.execute(statement, [list(table.without)])
            lines[name] = tuple(sorted(row[0] for row in rows))
    return Contents(lines)


def assert_same(found: Contents, expected: Contents) -> None:
    """Demand the same checksum of every table, showing rows that differ."""
    assert found.lines["staged"] == ()
    if found.digests != expected.digests:
        doubled = [
            name
            for name, lines in found.lines.items()
            if len(lines) != len(expected.lines[name])
        ]
        rows = "\n".join(found.differences(expected))
        raise AssertionError(f"tables of another length: {doubled}\n{rows}")
