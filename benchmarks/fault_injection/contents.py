"""What an installation holds and answers, to compare it with an undisturbed twin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
from psycopg import sql

from benchmarks.fault_injection.ground import Ground
from benchmarks.fault_injection.load import MARK, PRODUCT
from tests.recovery.contents import TABLES

_NAMES = ("files", "chunks", "symbols", "references", "facts", "embeddings")
# A word of one place: places with common words tie, and their order says nothing.
_QUERIES = (MARK,)
# Rows of the current version alone: older ones depend on which runs were skipped.
_READ = """
SELECT {key} || ' ' || (to_jsonb(t) - 'id' - %s::text[])::text
FROM {table} t {joins} WHERE {live} AND EXISTS (
    SELECT FROM sources_reffile m JOIN git_refs r ON r.id = m.ref_id
    WHERE m.file_id = {file} AND m.until IS NULL AND r.is_current
)
"""
_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Contents:
    """Rows of the current version by table, hits by query.

    Pages of the wiki are left out: their topics depend on the versions before.
    """

    parts: dict[str, tuple[str, ...]]

    def differences(self, other: Contents) -> list[str]:
        """Return lines that only one of the two has."""
        found = []
        for name, lines in self.parts.items():
            mine, others = set(lines), set(other.parts[name])
            only = [f"+ {name}: {line[:300]}" for line in sorted(mine - others)]
            lacks = [f"- {name}: {line[:300]}" for line in sorted(others - mine)]
            found += only[:_MOST_SHOWN] + lacks[:_MOST_SHOWN]
            if len(lines) != len(other.parts[name]):
                found.append(
                    f"{name}: {len(lines)} instead of {len(other.parts[name])}"
                )
        return found

    def counts(self) -> dict[str, int]:
        """Return how much was compared."""
        return {name: len(lines) for name, lines in self.parts.items()}


def read_contents(ground: Ground) -> Contents:
    """Read everything that an index run leaves."""
    parts = dict(_rows(str(ground.endpoints().database_url)))
    parts["hits"] = tuple(_hits(ground))
    return Contents(parts)


def _rows(url: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    with psycopg.connect(url) as connection:
        for name in _NAMES:
            table = TABLES[name]
            statement = sql.SQL(_READ).format(
                key=sql.SQL("t.path" if name == "files" else table.key),
                table=sql.Identifier(table.name),
                joins=sql.SQL("" if name == "files" else table.joins),
                live=sql.SQL("t.is_live" if name == "embeddings" else "true"),
                file=sql.SQL("t.id" if name == "files" else "f.id"),
            )
            found = connection.execute(statement, [list(table.without)]).fetchall()
            yield name, tuple(sorted(row[0] for row in found))


def _hits(ground: Ground) -> Iterator[str]:
    for query in _QUERIES:
        body = {"query": query, "mode": "keyword", "productName": PRODUCT}
        status, answer = ground.send("/api/v1/search", body)
        assert status == 200, (query, status, answer)
        yield from (f"{query} {h['path']}:{h['startLine']}" for h in answer["hits"])
