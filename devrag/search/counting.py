"""How many passages a question matches, counted in one way everywhere.

Of a name those that have it, of words those with all of them, in any form; where no
passage has all, those with any. The line above the results and the menus beside it say
the same.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import tantivy

from devrag.search.lexical.query import build_all, build_query, build_whole
from devrag.search.query_intent import name_parts, read_question
from devrag.search.retrievers import reader
from devrag.search.types import SearchQuery


class Matches(NamedTuple):
    """What was counted. holds_all: each of them has all words, not only some."""

    asked: tantivy.Query | None
    total: int
    holds_all: bool


def count_matches(query: SearchQuery, source_ids: Collection[int] | None) -> Matches:
    """Return what matches. source_ids: None for all that the index holds."""
    if read_question(query.text).is_name and not query.is_typing:
        whole = build_whole(name_parts(query.text), query, source_ids)
        if total := reader().count_matches(whole):
            return Matches(whole, total, holds_all=True)
    with_all = build_all(query, source_ids)
    if total := reader().count_matches(with_all):
        return Matches(with_all, total, holds_all=True)
    with_any = build_query(query, source_ids)
    return Matches(with_any, reader().count_matches(with_any), holds_all=False)
