"""Ask the two lists: chunks by their words, and by their meaning."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import structlog
from django.conf import settings
from django.utils.translation import gettext, gettext_noop

from devrag.core.time_limit import TimeLimitExceeded, remaining_seconds, time_limit
from devrag.search.lexical.analyser import MAX_TOKEN_CHARS, STOP_WORDS, tokenize
from devrag.search.lexical.follower import wanted_sequences
from devrag.search.lexical.reader import LexicalReader
from devrag.search.lexical.versions import IndexedVersions
from devrag.search.semantic.retriever import Near, ReadCosines, plan_semantic
from devrag.search.types import SearchQuery

log = structlog.get_logger("devrag.search")
_MAX_WITH_PHRASES = 5_000
# Of what is left of a search's time; the rest is for ranking and reading the results.
_MEANING_SHARE = 0.7
_WORDS_BUSY = gettext_noop("The keyword index is busy. Try again in a few seconds.")
_TOO_LATE = gettext_noop("Semantic search took too long; these are keyword results.")
# Words are cheap; beyond 100 neighbours the graph costs much and the order gains .001.
_WORDS_PER_MEANING = 2
_WEIGHED_SHARE = 0.6
# Scores of chunks by their words.
_Words = dict[int, float]


@dataclass(frozen=True, slots=True)
class Lists:
    """Ranked chunk ids per list with their own scores, and what could not be asked.

    limit: how many were asked of the first. is_exhausted: neither has more.
    is_behind: this host's word index lacks the newest version of a source.
    kept: the sources that words must be of; None: all that the index holds are asked.
    read_cosines: of chunks of either list.
    """

    lexical: dict[int, float]
    semantic: dict[int, float]
    notes: tuple[str, ...]
    limit: int
    is_exhausted: bool
    is_behind: bool = False
    kept: list[int] | None = None
    read_cosines: ReadCosines = lambda _ids: {}

    @property
    def most_weighed(self) -> int:
        """Say how many are weighed: what is last in both was not seen to matter."""
        return int(self.limit * _WEIGHED_SHARE)

    @property
    def is_whole(self) -> bool:
        """Return whether everything that there is was weighed."""
        found = len(self.lexical.keys() | self.semantic.keys())
        return self.is_exhausted and found <= self.most_weighed


def ask_lists(query: SearchQuery, source_ids: list[int], limit: int) -> Lists:
    """Return both lists. limit: of words; half as many are asked by meaning."""
    wanted = wanted_sequences()
    before = _versions(wanted)
    kept = _kept(source_ids, before)
    lists = _ask_both(query, source_ids, kept, limit)
    # It may catch up meanwhile; and only who asks an index finds out that it is broken.
    is_behind = before.is_behind(source_ids) or _versions(wanted).is_behind(source_ids)
    return replace(lists, is_behind=is_behind, kept=kept)


def _ask_both(
    query: SearchQuery, source_ids: list[int], kept: list[int] | None, limit: int
) -> Lists:
    """Return both lists. kept: what the words must be of; None: every source is."""
    if note := _unanswerable(query):
        return Lists({}, {}, (note,), limit, is_exhausted=True)
    # The database looks for neighbours while this process looks for words.
    words = _beside().submit(_ask_words, query, kept, limit)
    near = _ask_meaning(query, source_ids, limit)
    semantic, notes = near.scores, near.notes
    lexical = _in_time(words)
    few = len(semantic) < limit // _WORDS_PER_MEANING
    is_exhausted = len(lexical) < limit and few
    if query.phrases and semantic:
        semantic, note = _with_phrases(query, source_ids, semantic)
        notes += (note,) if note else ()
    return Lists(
        lexical,
        semantic,
        notes,
        limit,
        is_exhausted,
        read_cosines=near.read_cosines,
    )


def _ask_meaning(query: SearchQuery, source_ids: list[int], limit: int) -> Near:
    """Return what is near; nothing, and why, where that takes too much of the time."""
    if query.mode == "keyword":
        return Near()
    is_required, left = query.mode == "semantic", remaining_seconds()
    seconds = None if is_required or left is None else left * _MEANING_SHARE
    try:
        with time_limit(seconds):
            ask = plan_semantic(
                query.text,
                source_ids,
                limit=limit // _WORDS_PER_MEANING,
                is_required=is_required,
                filters=query,
            )
            return ask()
    except TimeLimitExceeded:
        if is_required:
            raise
        log.warning("search by meaning took too long")
        return Near(notes=(gettext(_TOO_LATE),))


def _in_time(words: Future[_Words]) -> _Words:
    try:
        return words.result(remaining_seconds())
    except TimeoutError as error:
        words.cancel()  # if it has not begun, nobody needs it any more
        raise TimeLimitExceeded(gettext(_WORDS_BUSY)) from error


def _ask_words(query: SearchQuery, source_ids: list[int] | None, limit: int) -> _Words:
    if query.mode == "semantic":
        return {}
    return reader().search(query, source_ids=source_ids, limit=limit).scores


def is_filtered_later(query: SearchQuery) -> bool:
    """Return whether filters count of which the word index knows nothing."""
    return bool(
        query.depths
        or query.max_complexity
        or query.pattern
        or query.tags
        or query.include_clean_only
    )


@lru_cache(maxsize=1)
def _beside() -> ThreadPoolExecutor:
    """Return threads for the word index, which waits for nobody: the database works.

    Made by the first question, so that no fork inherits them.
    """
    return ThreadPoolExecutor(thread_name_prefix="words")


def _unanswerable(query: SearchQuery) -> str:
    """Say why there is nothing to look for, or return ''."""
    words = {word for word in tokenize(query.text) if word.strip("_")}
    if not words:
        if len(max(query.text.split(), key=len, default="")) > MAX_TOKEN_CHARS:
            return "The words of the query are too long to search for."
        return (
            "The query contains no searchable word. Type a word, a name or a question."
        )
    if words <= STOP_WORDS and not any(map(tokenize, query.phrases)):
        return (
            "The query contains only very common words. Add a more specific word, or "
            "use quotes."
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
        return semantic, (
            "The keyword index is not ready yet, so quoted phrases are not "
            "matched exactly."
        )
    return {key: score for key, score in semantic.items() if key in found}, ""


def kept_sources(source_ids: list[int]) -> list[int] | None:
    """Return which sources words must be of, None where the index holds no others."""
    return _kept(source_ids, _versions(wanted_sequences()))


def _kept(source_ids: list[int], versions: IndexedVersions) -> list[int] | None:
    # To keep to sources costs as much as to find the words.
    return source_ids if versions.has_others(source_ids) else None


def is_behind(source_ids: Collection[int]) -> bool:
    """Return whether this host's word index lacks the newest version of a source."""
    return _versions(wanted_sequences()).is_behind(source_ids)


def _versions(wanted: Mapping[int, tuple[int, int]]) -> IndexedVersions:
    generation = reader().generation()
    return IndexedVersions(generation.sequences if generation else {}, wanted)


def reader() -> LexicalReader:
    """Return this process's reader of the lexical index."""
    return reader_at(settings.LEXICAL_DIR)


@lru_cache(maxsize=2)
def reader_at(folder: Path) -> LexicalReader:
    return LexicalReader(folder)
