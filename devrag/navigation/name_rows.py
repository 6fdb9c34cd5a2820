"""Read current definitions by their names, one class of matches after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.db import connection

from devrag.navigation.name_match import NameQuery
from devrag.sources.api import NON_ASCII

# How many names of a class are read at once. Some may be of versions that are not
# current, or many in one file; where that leaves too few, many more are read.
_ROWS_PER_RESULT, _FEWEST_ROWS, _GROWTH = 4, 200, 10
# Fewer letters have no trigrams, or too few to be similar to anything.
_SHORTEST_PART, _SHORTEST_FUZZY = 3, 4
_LEAST_SIMILAR = 0.4


class Step(Enum):
    """What is read together, and how its names fit in terms of the index."""

    EXACT = "s.search_name ~>=~ %(typed)s AND s.search_name ~<~ %(after)s"
    PREFIX = "s.search_name LIKE %(prefix)s AND s.search_name ~>=~ %(after)s"
    WORDS = "s.search_name LIKE ANY(%(words)s) AND s.search_name NOT LIKE %(prefix)s"
    PART = "s.search_name LIKE %(part)s AND s.search_name NOT LIKE %(prefix)s"
    SIMILAR = f"""s.search_name %%> %(typed)s
        AND similarity(split_part(s.search_name, ' ', 1), %(typed)s)
            >= {_LEAST_SIMILAR}"""


_FIRST = {
    Step.PART: "s.search_name LIKE %(later_word)s DESC,",
    Step.SIMILAR: "similarity(split_part(s.search_name, ' ', 1), %(typed)s) DESC,",
}


@dataclass(frozen=True, slots=True)
class NameRow:
    """A definition, as far as its place among others depends on it."""

    pk: int
    file: int
    name: str
    qualified_name: str
    search_order: int
    path: str
    start_line: int


def read_names(
    source_ids: list[int], query: NameQuery, kind: str, limit: int
) -> Iterator[tuple[Step, list[NameRow]]]:
    """Yield what fits in portions, the best class first and in each the best rows.

    Queries: 2 for each portion.
    """
    asked = _parameters(source_ids, query, kind)
    for step in _steps(query):
        statement = _statement(step, query, kind)
        skipped, most = 0, max(_FEWEST_ROWS, _ROWS_PER_RESULT * limit)
        while True:
            bounds = {"skipped": skipped, "most": most}
            keys = [key for (key,) in _execute(statement, asked | bounds)]
            if keys:
                found = _execute(_CURRENT, {"keys": keys})
                yield step, [NameRow(*row) for row in found]
            if len(keys) < most:
                break
            skipped, most = skipped + most, most * _GROWTH


def _steps(query: NameQuery) -> Iterator[Step]:
    length, is_ascii = len(query.folded), query.folded.isascii()
    yield Step.EXACT
    yield Step.PREFIX
    if length > 1:
        yield Step.WORDS
    if length >= _SHORTEST_PART or not is_ascii:
        yield Step.PART
    if length >= _SHORTEST_FUZZY and is_ascii:
        yield Step.SIMILAR


def _parameters(source_ids: list[int], query: NameQuery, kind: str) -> dict[str, Any]:
    typed = _escape(query.folded)
    return {
        "sources": source_ids,
        "kind": kind,
        "owner": f"%{_escape(query.owner)}%.%",
        "typed": query.folded,
        # The forms of a name are separated by blanks, which come before this.
        "after": f"{query.folded}!",
        "prefix": f"{typed}%",
        "words": list(_word_patterns(query)),
        "part": f"%{typed}%",
        "later_word": f"%\\_{typed}%",
    }


def _word_patterns(query: NameQuery) -> Iterator[str]:
    for words in query.by_words:
        if all(len(word) == 1 for word in words):
            yield f"% {_escape(''.join(words))}%"  # the initials
        else:
            pattern = "%\\_".join(map(_escape, words)) + "%"
            yield f"% {pattern}"
            if len(words) > 1:
                yield pattern


def _statement(step: Step, query: NameQuery, kind: str) -> str:
    more = ""
    if kind:
        more += " AND s.kind = %(kind)s"
    if query.owner:
        more += " AND lower(s.qualified_name) LIKE %(owner)s"
    if not query.folded.isascii():
        more += f" AND s.search_name ~ '{NON_ASCII}'"
    return f"""
        SELECT s.id FROM sources_symbol s
        WHERE s.source_id = ANY(%(sources)s) AND {step.value}{more}
        ORDER BY {_FIRST.get(step, "")} s.search_order,
            position(' ' IN s.search_name || ' '), s.id
        LIMIT %(most)s OFFSET %(skipped)s
    """


def _execute(statement: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def _escape(text: str) -> str:
    return "".join(f"\\{each}" if each in "\\%_" else each for each in text)


_CURRENT = """
SELECT s.id, s.file_id, s.name, s.qualified_name, s.search_order, f.path, s.start_line
FROM sources_symbol s
JOIN sources_file f ON f.id = s.file_id
JOIN sources_reffile m ON m.file_id = f.id AND m.until IS NULL
JOIN git_refs r ON r.id = m.ref_id AND r.is_current
WHERE s.id = ANY(%(keys)s)
"""
