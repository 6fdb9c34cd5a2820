"""Read current files for a pattern, in PostgreSQL and within a limit of time.

Its regular expressions do not run away as backtracking ones do, and a statement that
takes too long ends there (decision 10 says why there is no trigram index).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.utils.translation import gettext, gettext_noop
from psycopg import errors

from devrag.core.errors import InvalidInput
from devrag.core.time_limit import TimeLimitExceeded, remaining_seconds, time_limit
from devrag.search.line_search.pattern import LinePattern

_SECONDS, _MORE_SECONDS = 2.0, 1.0
# At most, of what is left of a search's time: the results must still be read.
_SHARE = 0.6
# A batch that ends late is lost: they grow only while they are quick.
_FIRST_BYTES, _BATCH_FILES, _QUICK_SECONDS = 1_000_000, 5_000, 0.1
_SHOWN_CHARACTERS, _BEFORE_CHARACTERS = 400, 120
_MOST_LINES = 2_000


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line, cut around its match when it is long. matched: the text that did."""

    file_id: int
    number: int
    text: str
    matched: str


@dataclass(slots=True)
class Scan:
    """Files with such lines in the order they were given; how many of them were read.

    seconds: how long files may be read. is_cut: the time was over first.
    """

    pattern: LinePattern
    total: int
    seconds: float
    deadline: float
    read: int = 0
    file_ids: list[int] = field(default_factory=list)
    is_cut: bool = False

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.deadline

    @contextmanager
    def in_time(self) -> Iterator[CursorWrapper]:
        """Run statements until the deadline; a late one ends and marks the scan.

        Raises InvalidInput when PostgreSQL refuses the pattern. It may do so only when
        it meets a text: some patterns compile, and need too much memory to match.
        """
        left = self.deadline - time.monotonic()
        try:
            with transaction.atomic(), time_limit(left), connection.cursor() as cursor:
                yield cursor
        except TimeLimitExceeded:
            self.is_cut = True
        except DatabaseError as error:
            if self.pattern.is_regex and isinstance(error.__cause__, _REFUSALS):
                raise _refuse(self.pattern, error) from error
            raise


def scan_files(
    pattern: LinePattern, files: Sequence[tuple[int, int]], *, seconds: float = _SECONDS
) -> Scan:
    """Return which files have a line of the pattern. files: (id, size), best first."""
    seconds = _at_most(seconds)
    scan = Scan(pattern, len(files), seconds, time.monotonic() + seconds)
    _check(scan)
    condition, arguments = _file_condition(pattern)
    waiting, size = list(reversed(files)), _FIRST_BYTES
    while waiting and not scan.is_cut:
        batch, began = _take(waiting, size), time.monotonic()
        with scan.in_time() as cursor:
            cursor.execute(_FILES + condition, [batch, *arguments])
            found = {row[0] for row in cursor.fetchall()}
            scan.file_ids += [pk for pk in batch if pk in found]
            scan.read += len(batch)
        if time.monotonic() - began < _QUICK_SECONDS:
            size *= 2
    # What was found in time is shown: its lines are read for it.
    scan.deadline = max(scan.deadline, time.monotonic() + _at_most(_MORE_SECONDS))
    return scan


def _at_most(seconds: float) -> float:
    """Return the seconds, or fewer where the search has little time left."""
    left = remaining_seconds()
    return seconds if left is None else min(seconds, _SHARE * left)


def find_lines(scan: Scan, file_ids: Sequence[int]) -> list[FoundLine]:
    """Return the lines of some of the files, by file as given and by number."""
    place, matched, arguments = _line_expressions(scan.pattern)
    query = _LINES.format(place=place, matched=matched)
    ids = list(file_ids)
    with scan.in_time() as cursor:
        cursor.execute(query, [*arguments, *arguments, ids, ids, _MOST_LINES])
        return [FoundLine(*row) for row in cursor.fetchall()]
    return []


def _check(scan: Scan) -> None:
    """Raise InvalidInput for a regular expression that PostgreSQL does not know."""
    if not scan.pattern.is_regex:
        return
    with scan.in_time() as cursor:
        flags = _flags(scan.pattern)
        cursor.execute("SELECT regexp_like('', %s, %s)", [scan.pattern.text, flags])


def _refuse(pattern: LinePattern, error: DatabaseError) -> InvalidInput:
    if isinstance(error.__cause__, errors.InvalidRegularExpression):
        text = gettext(
            "/%(text)s/ is not a valid regular expression: %(reason)s. To search for "
            'the literal text, use exact:"%(text)s".'
        )
    else:
        text = gettext("/%(text)s/ is too complex. Use fewer or smaller repetitions.")
    reason = str(error).splitlines()[0].rpartition(": ")[2]
    shown = {"text": pattern.text, "reason": gettext(reason) if reason else ""}
    return InvalidInput(text % shown)


def _take(waiting: list[tuple[int, int]], size: int) -> list[int]:
    """Take files of about so many bytes from the end."""
    batch: list[int] = []
    while waiting and size > 0 and len(batch) < _BATCH_FILES:
        pk, length = waiting.pop()
        batch.append(pk)
        size -= length
    return batch


def _file_condition(pattern: LinePattern) -> tuple[str, list[str]]:
    if not pattern.is_regex:
        return "strpos(f.text, %s) > 0", [pattern.text]
    condition = _BY_LINE if _LOOKS_BEYOND.search(pattern.text) else _AT_ONCE
    return condition, [pattern.text, _flags(pattern)]


def _line_expressions(pattern: LinePattern) -> tuple[str, str, list[str]]:
    """Return where a line matches (0: nowhere), what matched, and their arguments."""
    if not pattern.is_regex:
        return "strpos(s.line, %s)", "%s::text", [pattern.text]
    place = "regexp_instr(s.line, %s, 1, 1, 0, %s)"
    matched = "regexp_substr(l.line, %s, 1, 1, %s)"
    return place, matched, [pattern.text, _flags(pattern)]


def _flags(pattern: LinePattern) -> str:
    # n: a dot, a bracket and ^ $ keep to their line, in a whole file too.
    return "ni" if pattern.ignores_case else "n"


# What PostgreSQL answers to a pattern that it cannot compile, or not match in memory.
_REFUSALS = (
    errors.InvalidRegularExpression,
    errors.InternalError_,
    errors.OutOfMemory,
    errors.ProgramLimitExceeded,
    errors.StatementTooComplex,
)
# How PostgreSQL words its reasons. source: src/include/regex/regerrs.h
REASONS = (
    gettext_noop("invalid character class"),
    gettext_noop("invalid escape \\ sequence"),
    gettext_noop("invalid backreference number"),
    gettext_noop("brackets [] not balanced"),
    gettext_noop("parentheses () not balanced"),
    gettext_noop("braces {} not balanced"),
    gettext_noop("invalid repetition count(s)"),
    gettext_noop("invalid character range"),
    gettext_noop("quantifier operand invalid"),
    gettext_noop("invalid embedded option"),
)
# Then a whole file may say no where one of its lines alone says yes.
_LOOKS_BEYOND = re.compile(r"\(\?[^:]|\\[AZ]")
_FILES = "SELECT f.id FROM sources_file f WHERE f.id = ANY(%s) AND "
_AT_ONCE = "regexp_like(f.text, %s, %s)"
# A file's last line break ends a line, it does not begin one.
_WITHOUT_LAST_BREAK = (
    "CASE WHEN right(f.text, 1) = E'\\n' THEN left(f.text, -1) ELSE f.text END"
)
_BY_LINE = f"""
EXISTS (
    SELECT 1 FROM string_to_table({_WITHOUT_LAST_BREAK}, E'\\n') AS s(line)
    WHERE regexp_like(s.line, %s, %s)
)
"""
_LINES = f"""
SELECT f.id, l.number,
       substr(l.line, greatest(1, l.place - {_BEFORE_CHARACTERS}), {_SHOWN_CHARACTERS}),
       {{matched}}
FROM sources_file f, LATERAL (
    SELECT s.line, s.number, {{place}} AS place
    FROM string_to_table({_WITHOUT_LAST_BREAK}, E'\\n')
         WITH ORDINALITY AS s(line, number)
) l
WHERE f.id = ANY(%s) AND l.place > 0
ORDER BY array_position(%s, f.id), l.number LIMIT %s
"""
