"""Leave long docstrings out of definitions: what code does stands behind them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from devrag.ask.evidence.candidates import PassageCandidate
from devrag.ask.evidence.passages import read_files
from devrag.core.principal import Principal

_LONG_DEFINITION, _LONG_DOCSTRING = 20, 10
_SHOWN = 4  # lines of a long docstring
_SIGNATURE = 40  # lines that may come before it
_QUOTES = re.compile(r'\s*[rRuU]?("""|\'\'\')')


def without_long_docstrings(
    candidates: Sequence[PassageCandidate], principal: Principal
) -> list[PassageCandidate]:
    """Return candidates, some in Python as their head and their body. Queries: ≤ 1."""
    long = {each.file for each in candidates if _may_have(each)}
    files = read_files(long, principal) if long else {}
    found = []
    for each in candidates:
        if each.file in files and _may_have(each):
            lines = files[each.file]["text"].split("\n")
            found += split_at_docstring(each, lines)
        else:
            found.append(each)
    return found


def _may_have(candidate: PassageCandidate) -> bool:
    return (
        candidate.path.endswith((".py", ".pyi"))
        and candidate.kind in {"definition", "callee"}
        and candidate.line_count > _LONG_DEFINITION
    )


def split_at_docstring(
    candidate: PassageCandidate, lines: Sequence[str]
) -> list[PassageCandidate]:
    """Return a definition without most of a long docstring. lines: of its file.

    The body adds nothing to the weight of its file, which its head has.
    """
    start, end = candidate.start_line - 1, candidate.end_line
    quotes = ""
    first = last = end
    for at in range(start + 1, min(start + _SIGNATURE, end, len(lines))):
        match = _QUOTES.match(lines[at])
        if match and lines[at - 1].rstrip().endswith(":"):
            first, quotes = at, match.group(1)
            break
    if not quotes or lines[first].count(quotes) > 1:
        return [candidate]
    for at in range(first + 1, min(end, len(lines))):
        if quotes in lines[at]:
            last = at
            break
    if last - first < _LONG_DOCSTRING:
        return [candidate]
    head = replace(candidate, end_line=first + _SHOWN)
    if last >= end - 1:
        return [head]
    body = replace(candidate, start_line=last + 2, file_weight=0.0)
    return [head, body]
