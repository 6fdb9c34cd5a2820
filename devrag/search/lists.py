"""Ask the two lists: chunks by their words, and by their meaning."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from devrag.search.hydrate import passing_chunks
from devrag.search.lexical.analyser import STOP_WORDS, tokenize
from devrag.search.lexical.reader import LexicalReader
from devrag.search.semantic.ask import Near, plan_semantic
from devrag.search.types import SearchQuery

_MAX_WITH_PHRASES = 5_000
# Words are cheap; beyond 100 neighbours the graph costs much and the order gains .001.
_WORDS_PER_MEANING = 2
_WEIGHED_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Lists:
    """Ranked chunk ids per list with their own scores, and what could not be asked.

    limit: how many were asked of the first. is_exhausted: neither has more.
    """

    lexical: dict[int, float]
    semantic: dict[int, float]
    notes: tuple[str, ...]
    limit: int
    is_exhausted: bool

    @property
    def most_weighed(self) -> int:
        """Say how many are weighed: what is last in both was not seen to matter."""
        return int(self.limit * _WEIGHED_SHARE)

    @property
    def is_whole(self) -> bool:
        """Say whether everything that there is was weighed."""
        found = len(self.lexical.keys() | self.semantic.keys())
        return self.is_exhausted and found <= self.most_weighed


def ask_lists(query: SearchQuery, source_ids: list[int], limit: int) -> Lists:
    if note := _unanswerable(query):
        return Lists({}, {}, (note,), limit, is_exhausted=True)
    ask_meaning = (
        plan_semantic(
            query.text,
            source_ids,
            limit=limit // _WORDS_PER_MEANING,
            is_required=query.mode == "semantic",
            among=passing_chunks(query),
        )
        if query.mode != "keyword"
        else Near
    )
    # The database looks for neighbours while this process looks for words.
    words = _beside().submit(_ask_words, query, source_ids, limit)
    near = ask_meaning()
    semantic, notes, lexical = near.scores, near.notes, words.result()
    few = len(semantic) < limit // _WORDS_PER_MEANING
    is_exhausted = len(lexical) < limit and few
    if query.phrases and semantic:
        semantic, note = _with_phrases(query, source_ids, semantic)
        notes += (note,) if note else ()
    return Lists(lexical, semantic, notes, limit, is_exhausted)


def _ask_words(
    query: SearchQuery, source_ids: list[int], limit: int
) -> dict[int, float]:
    if query.mode == "semantic":
        return {}
    found = reader().search(query, source_ids=source_ids, limit=limit)
    return {hit.chunk_id: hit.score for hit in found}


@lru_cache(maxsize=1)
def _beside() -> ThreadPoolExecutor:
    """Return threads for the word index, which waits for nobody: the database works.

    Made by the first question, so that no fork inherits them.
    """
    return ThreadPoolExecutor(thread_name_prefix="words")


def _unanswerable(query: SearchQuery) -> str:
    """Say why there is nothing to look for, or return ''."""
    words = set(tokenize(query.text))
    if not words:
        return "There is no word to look for. Type a word, a name or a question."
    if words <= STOP_WORDS and not any(map(tokenize, query.phrases)):
        return (
            "Only words that are everywhere. Add what you look for, or put them in "
            "quotes."
        )
    return ""


def _with_phrases(
    query: SearchQuery, source_ids: list[int], semantic: dict[int, float]
) -> tuple[dict[int, float], str]:
    """Keep what holds the phrases, as the word index knows it."""
    found = reader().find_in_scope(
        query, source_ids=source_ids, limit=_MAX_WITH_PHRASES
    )
    if found is None:
        return semantic, "The word index is not there yet: quotes are not obeyed."
    return {key: score for key, score in semantic.items() if key in found}, ""


def reader() -> LexicalReader:
    """Return this process's reader of the lexical index."""
    return reader_at(settings.LEXICAL_DIR)


@lru_cache(maxsize=2)
def reader_at(folder: Path) -> LexicalReader:
    return LexicalReader(folder)
