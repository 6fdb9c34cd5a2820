"""Read current definitions by their names, one class of matches after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.db import connection, transaction

from devrag.navigation.name_match import NameQuery, Words
from devrag.sources.api import NON_ASCII

# How many names of a class are read at once. Some may be of versions that are not
# current, or many in one file; where that leaves too few, many more are read.
_ROWS_PER_RESULT, _FEWEST_ROWS, _GROWTH = 4, 200, 10
# What thousands of names contain says little: the best of so many times the rows that
# are read are good enough.
_LOOKED_AT = 10
# Fewer letters have no trigrams, or too few to be similar to anything.
_SHORTEST_PART, _SHORTEST_SIMILAR = 3, 4
# Longer ones are pasted, not typed.
_LONGEST_SIMILAR = 32


class Step(Enum):
    """What is read together, and how its names fit in terms of the index."""

    EXACT = "s.search_name ~>=~ %(typed)s AND s.search_name ~<~ %(after)s"
    PREFIX = "s.search_name LIKE %(prefix)s AND s.search_name ~>=~ %(after)s"
    WORDS = "s.search_name LIKE ANY(%(words)s) AND s.search_name NOT LIKE %(prefix)s"
    LATER_WORD = "s.search_name LIKE %(later)s AND s.search_name NOT LIKE %(prefix)s"
    PART = "s.search_name LIKE %(part)s AND s.search_name NOT LIKE %(prefix)s"
    SPLITS = "s.search_name LIKE ANY(%(splits)s)"
    SIMILAR = "s.search_name %%> %(typed)s"


@dataclass(frozen=True, slots=True)
class NameRow:
    """A definition, as far as its place among others depends on it."""

    pk: int
    kind: str
    file: int
    name: str
    qualified_name: str
    search_order: int
    path: str
    start_line: int


def read_names(
    step: Step, source_ids: list[int], query: NameQuery, kind: str, limit: int
) -> Iterator[list[NameRow]]:
    """Yield what fits in one way in portions, the best rows first.

    Queries: 2 for each portion, 1 where nothing fits.
    """
    asked = _parameters(source_ids, query, kind)
    statement = _statement(step, query, kind)
    skipped, most = 0, max(_FEWEST_ROWS, _ROWS_PER_RESULT * limit)
    while True:
        looked_at = skipped + _LOOKED_AT * most
        bounds = {"skipped": skipped, "most": most, "looked_at": looked_at}
        keys = _read_keys(step, statement, asked | bounds)
        if keys:
            yield [NameRow(*row) for row in _execute(_CURRENT, {"keys": keys})]
        if len(keys) < most:
            return
        skipped, most = skipped + most, most * _GROWTH


def steps_of(query: NameQuery) -> Iterator[Step]:
    """Yield the ways that a name may fit, the best first."""
    length, is_ascii = len(query.folded), query.folded.isascii()
    yield Step.EXACT
    yield Step.PREFIX
    if length > 1:
        yield Step.WORDS
        yield Step.LATER_WORD
    if length >= _SHORTEST_PART or not is_ascii:
        yield Step.PART
    if query.splits:
        yield Step.SPLITS
    is_typed = _SHORTEST_SIMILAR <= length <= _LONGEST_SIMILAR
    if is_typed and is_ascii and not query.owner:
        yield Step.SIMILAR


def _parameters(source_ids: list[int], query: NameQuery, kind: str) -> dict[str, Any]:
    typed = _escape(query.folded)
    return {
        "sources": source_ids,
        "kind": kind,
        "owner": f"%{_escape(query.owner)}%.%",
        # Before each form of a name is a blank, and behind it nothing that comes after
        # the exclamation mark.
        "typed": f" {query.folded}",
        "after": f" {query.folded}!",
        "prefix": f" {typed}%",
        "words": list(dict.fromkeys(map(_pattern, query.by_words))),
        "later": f"%\\_{typed}%",
        "part": f"%{typed}%",
        "splits": list(map(_pattern, query.splits)),
    }


def _pattern(words: Words) -> str:
    """Return the pattern of names with words that begin so, or with these initials."""
    is_initials = all(len(word) == 1 for word in words)
    gap = "" if is_initials else "%\\_"
    return f"% {gap.join(map(_escape, words))}%"


def _statement(step: Step, query: NameQuery, kind: str) -> str:
    condition = step.value
    if kind:
        condition += " AND s.kind = %(kind)s"
    if query.owner:
        condition += " AND lower(s.qualified_name) LIKE %(owner)s"
    if not query.folded.isascii():
        condition += f" AND s.search_name ~ '{NON_ASCII}'"
    is_ordered = step in {Step.EXACT, Step.PREFIX}
    if not is_ordered:
        # True of all, but not in the index of beginnings: the planner would rather go
        # through that as a whole than look trigrams up.
        condition += " AND s.kind <> ''"
    similarity = "similarity(s.search_name, %(typed)s) DESC,"
    return f"""
        SELECT s.id FROM (
            SELECT s.id, s.search_name, s.search_order FROM sources_symbol s
            WHERE s.source_id = ANY(%(sources)s) AND {condition}
            {"" if is_ordered else "LIMIT %(looked_at)s"}
        ) AS s
        ORDER BY {similarity if step == Step.SIMILAR else ""} s.search_order,
            position(' ' IN substr(s.search_name, 2) || ' '), s.id
        LIMIT %(most)s OFFSET %(skipped)s
    """


def _read_keys(step: Step, statement: str, parameters: dict[str, Any]) -> list[int]:
    if step != Step.SIMILAR:
        return [key for (key,) in _execute(statement, parameters)]
    with transaction.atomic(), connection.cursor() as cursor:
        least = _least_similarity(len(parameters["typed"]) - 1)
        cursor.execute(_SET_LEAST_SIMILAR, [str(least)])
        cursor.execute(statement, parameters)
        return [key for (key,) in cursor.fetchall()]


def _least_similarity(length: int) -> float:
    """Return how much of the trigrams a name has in common where a letter is wrong.

    Three of a text's trigrams, whose number is its length and one, have that letter.
    """
    return min(0.65, max(0.4, 1 - 4.5 / (length + 2)))


def _execute(statement: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def _escape(text: str) -> str:
    return "".join(f"\\{each}" if each in "\\%_" else each for each in text)


_SET_LEAST_SIMILAR = """
SELECT set_config('pg_trgm.word_similarity_threshold', %s, true)
"""
_CURRENT = """
SELECT s.id, s.kind, s.file_id, s.name, s.qualified_name, s.search_order, f.path,
    s.start_line
FROM sources_symbol s
JOIN sources_file f ON f.id = s.file_id
JOIN sources_reffile m ON m.file_id = f.id AND m.until IS NULL
JOIN git_refs r ON r.id = m.ref_id AND r.is_current
WHERE s.id = ANY(%(keys)s)
"""
