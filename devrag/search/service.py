"""search(): the one function behind page, REST, MCP, command and wiki evidence."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace

import structlog
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils.translation import gettext

from devrag.core.errors import InvalidInput, ProviderError
from devrag.core.time_limit import time_limit
from devrag.labels.api import find_label_ids
from devrag.llm.chat import ChatModel
from devrag.search.copies import fold_copies
from devrag.search.counting import Matches, count_matches
from devrag.search.fetch import with_context
from devrag.search.judging import judge_hits
from devrag.search.lexical.analyser import tokenize
from devrag.search.lexical.terms import counterparts
from devrag.search.line_search.answer import search_lines
from devrag.search.line_search.pattern import find_pattern
from devrag.search.listing import is_listing, list_files
from devrag.search.missing_words import find_missing
from devrag.search.pipeline import (
    order_spots,
    read_hits,
    with_places,
    with_whole_names_first,
)
from devrag.search.query_checks import check_query, check_text
from devrag.search.query_intent import read_question
from devrag.search.query_model import model_of
from devrag.search.query_parser import parse_query, suggest_filters
from devrag.search.ranking import Ranked
from devrag.search.reranking.endpoint import active_reranker
from devrag.search.reranking.rerank import rerank
from devrag.search.retrievers import (
    Lists,
    ask_lists,
    is_filtered_later,
    reader,
)
from devrag.search.rewriting import rewrite_query
from devrag.search.scope import sources_in_scope
from devrag.search.semantic.retriever import query_vector
from devrag.search.semantic.specs import active_spec
from devrag.search.types import (
    WIKI,
    SearchQuery,
    SearchResult,
)
from devrag.search.wiki_sections.retriever import search_wiki
from devrag.sources.models import Chunk, File

log = structlog.get_logger("devrag.search")
# Of each list. Fewer, and files of which many places fit a little are missed.
_CANDIDATES_PER_HIT, _MIN_CANDIDATES = 5, 200
_MAX_CANDIDATES = 5_000
# Shown of what only meaning brought where nothing has what was asked for.
_NEAREST = 3
_UNCOUNTED = Matches(None, 0, holds_all=False)


def search(
    query: SearchQuery, *, chat: ChatModel | None = None, is_patient: bool = False
) -> SearchResult:
    """Answer a query over current manifests.

    chat: rewrites the query when that is asked for; else the product's model or rules,
    before the time of the search begins. is_patient: without a limit of time, for
    commands and jobs; else meaning is left out where it takes too long, with a note.
    Raises InvalidInput, NotFound, and ServiceUnavailable when there was no time.
    """
    began = time.perf_counter()
    check_text(query)
    asked = find_pattern(query.text)
    pattern, rest = asked or (None, query.text)
    understood = parse_query(replace(query, text=rest))
    check_query(understood)
    notes = _filter_notes(understood) if query.notes_filters else ()
    if query.rewrite and pattern is None:
        understood, said = _rewrite(understood, chat)
        notes += said
    with time_limit(None if is_patient else settings.SEARCH_TIMEOUT):
        source_ids = sources_in_scope(understood)
        understood = with_label_ids(understood, source_ids)
        if understood.kind == WIKI:
            result = _search_wiki(understood, is_pattern=pattern is not None)
        elif pattern is not None:
            result = search_lines(understood, pattern, source_ids)
        elif is_listing(understood):
            result = list_files(understood, source_ids)
        else:
            result = _answer(understood, source_ids, began)
    return replace(result, query=query, notes=(*notes, *result.notes))


def _filter_notes(query: SearchQuery) -> tuple[str, ...]:
    """Say which words look like filters, but are none, and what to write instead."""
    said = gettext(
        "There is no filter “%(written)s”, so its words are searched for. "
        "Use “%(filter)s”."
    )
    return tuple(
        said % {"written": written, "filter": ours}
        for written, ours in suggest_filters(query.text)
        if _is_possible(replace(query, text=ours, is_typing=False))
    )


def _is_possible(query: SearchQuery) -> bool:
    """Return whether a query can be asked: its filters are known and none twice."""
    try:
        check_query(parse_query(query))
    except InvalidInput:
        return False
    return True


def with_label_ids(query: SearchQuery, source_ids: list[int]) -> SearchQuery:
    """Return the query with what its labels mean in scope, if it names any."""
    names = (*query.labels, *query.without_labels)
    if not names:
        return query
    ids = find_label_ids(names, source_ids)
    count = len(query.labels)
    return replace(query, label_ids=ids[:count], without_label_ids=ids[count:])


def _search_wiki(query: SearchQuery, *, is_pattern: bool) -> SearchResult:
    if not is_pattern:
        return search_wiki(query, read_question(query.text))
    note = gettext("exact: and /regex/ search files only, not wiki pages.")
    return SearchResult(query=query, hits=(), milliseconds=0.0, notes=(note,))


def _rewrite(
    query: SearchQuery, chat: ChatModel | None
) -> tuple[SearchQuery, tuple[str, ...]]:
    """Return the query to ask instead, and what to say of it."""
    text = rewrite_query(query.text, chat or _rewriter(query))
    if text == query.text:
        return query, ()
    # Words alone: filters are what the person wrote.
    note = gettext("Searched for “%(text)s”.") % {"text": text}
    return replace(query, text=text), (note,)


def _rewriter(query: SearchQuery) -> ChatModel | None:
    """Return the model that rewrites; none while one types, each pause would cost."""
    return None if query.is_typing else model_of(query.product, query.principal)


def _answer(query: SearchQuery, source_ids: list[int], began: float) -> SearchResult:
    question = read_question(query.text)
    wanted = max(_MIN_CANDIDATES, query.limit * _CANDIDATES_PER_HIT)
    while True:
        lists = ask_lists(query, source_ids, wanted)
        ranked = order_spots(query, source_ids, lists, question)
        is_enough = len(ranked) >= query.limit or lists.is_whole
        if is_enough or wanted >= _MAX_CANDIDATES:
            break
        # Filters took most candidates: ask deeper, so that none is lost.
        wanted = min(8 * wanted, _MAX_CANDIDATES)
    reranked = rerank(query, question, ranked)
    ordered: Sequence[Ranked] = reranked.ranked
    if query.folds_copies:
        ordered = fold_copies(ordered, query.limit)
    ordered = with_whole_names_first(ordered, question)
    best, rest = ordered[: query.limit], ordered[query.limit :]
    hits = read_hits(query, source_ids, lists, best, question)
    hits = with_places(hits, rest)
    hits = with_context(hits, query.context)
    share = max((each.features.text for each in best), default=0.0)
    confidence, said = judge_hits(query, source_ids, lists, question, hits, share)
    is_found = confidence == "high"
    is_counted = is_found and not is_filtered_later(query)
    matches = count_matches(query, lists.kept) if is_counted else _UNCOUNTED
    # Of a name its parts may stand somewhere; a question's words are nowhere.
    if not is_found and not (lists.lexical and question.is_name):
        hits = hits[:_NEAREST] if confidence == "low" else []
    return SearchResult(
        query=query,
        hits=tuple(hits),
        milliseconds=(time.perf_counter() - began) * 1000,
        is_lexical_behind=lists.is_behind,
        notes=(*lists.notes, *_behind_notes(lists), *reranked.notes, *said),
        reranked_by=reranked.model,
        confidence=confidence,
        total=matches.total,
        holds_all=matches.holds_all,
        has_more=is_found and bool(rest),
        missing_note=next(iter(said), ""),
    )


def _behind_notes(lists: Lists) -> tuple[str, ...]:
    """Say that words may be missed: nobody should take that for not found."""
    if not lists.is_behind:
        return ()
    return (gettext("The keyword index does not include the latest changes yet."),)


def missing_words(query: SearchQuery) -> tuple[str, ...]:
    """Return the words and names of a query that no text in its scope has."""
    source_ids = sources_in_scope(query)

    def find_words(words: Collection[str]) -> Collection[str] | None:
        return reader().find_words(words, query, source_ids)

    return find_missing(read_question(query.text), find_words)


def count_words(query: SearchQuery, words: Collection[str]) -> dict[str, int]:
    """Return how many passages in a query's scope have each word, {} without an index.

    A word is there where one of its counterparts in the other language is.
    """
    forms = {word: (word, *counterparts(word)) for word in words}
    wanted = {form for each in forms.values() for form in each}
    counts = reader().count_words(wanted, query, sources_in_scope(query))
    if counts is None:
        return {}
    return {word: max(map(counts.__getitem__, forms[word])) for word in words}


def has_japanese_documents(query: SearchQuery) -> bool:
    """Return whether a document in a query's scope is written in Japanese. Queries: 1.

    Code with Japanese comments alone does not count.
    """
    rows = Chunk.objects.filter(
        file__source__in=sources_in_scope(query),
        file__kind=File.Kind.DOC,
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
        language="ja",
    )
    return rows.exists()


def warm_up() -> None:
    """Load what the first question needs; a failure is that question's to report."""
    try:
        spec = active_spec()
        if spec is not None and not spec.is_external:
            query_vector(spec, "warm up")
        tokenize("準備")
        active_reranker()
    except (DatabaseError, ProviderError) as error:
        log.warning("warm-up failed", error=str(error))
    finally:
        connection.close()
