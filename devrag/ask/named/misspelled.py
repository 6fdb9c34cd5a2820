"""The definition that is meant by a name that is spelled nearly as it is."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from difflib import SequenceMatcher

from devrag.ask.evidence.retrieval import retrieve
from devrag.ask.named.question import is_code_like, read_names
from devrag.ask.scoped_sources import visible_sources
from devrag.ask.trace.endpoints import find_named, symbols_at
from devrag.ask.types import AskRequest
from devrag.navigation.symbol_search import find_symbols
from devrag.parsing.path_roles import is_test

# Share of common letters from which on a name is taken for the other.
_LEAST_ALIKE = 0.85
_SHORTEST, _MOST = 4, 12
_PARTS = re.compile(r"\.|::|->|#")


@dataclass(frozen=True, slots=True)
class Misspelled:
    """A name as it was written, and the definition that it means."""

    written: str
    meant: str


def find_misspelled(request: AskRequest) -> Misspelled | None:
    """Return the name of a question that is nearly one of the sources, None without.

    Raises NotFound for a scope that the asker cannot see. Queries: 2, and those of
    `find_symbols` and of a search for each name that nothing has.
    """
    question = read_names(request.question)
    if question is None or request.scope.lines is not None:
        return None
    rows = visible_sources(request.scope, request.principal)
    source_ids = list(rows.values_list("pk", flat=True))
    for name in question.names:
        is_known = not is_code_like(name) or find_named(name, source_ids)
        if is_known or not (meant := _closest(name, source_ids)):
            continue
        return None if _is_written(name, request) else Misspelled(name, meant)
    return None


def _is_written(name: str, request: AskRequest) -> bool:
    """Return whether the sources have a name, which then is a field or of others."""
    last = _PARTS.split(name)[-1]
    whole = re.compile(rf"(?<![\w$]){re.escape(last)}(?![\w$])")
    hits = retrieve(request, last, mode="keyword", limit=_MOST).hits
    return any(whole.search(hit.text) for hit in hits)


def _closest(name: str, source_ids: Collection[int]) -> str:
    """Return the qualified name of the only definition that is spelled nearly so.

    What is written before the last point must be its owner.
    """
    *owners, last = _PARTS.split(name)
    if len(last) < _SHORTEST or symbols_at(source_ids).filter(name=last).exists():
        return ""
    found: dict[str, float] = {}
    for symbol in (each.symbol for each in find_symbols(source_ids, last, limit=_MOST)):
        is_owned = not owners or owners[-1] in symbol.qualified_name.split(".")[:-1]
        if is_owned and symbol.kind != "section" and not is_test(symbol.file.path):
            found[symbol.qualified_name] = _alike(last, symbol.name)
    best = max(found.values(), default=0.0)
    likest = [each for each, alike in found.items() if alike == best]
    return likest[0] if best >= _LEAST_ALIKE and len(likest) == 1 else ""


def _alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()
