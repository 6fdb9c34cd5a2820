"""search(): the one function behind page, REST, MCP, command and wiki evidence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import structlog
from django.conf import settings
from django.db import DatabaseError, connection

from devrag.core.errors import InvalidInput, NotFound, ProviderError
from devrag.llm.chat import ChatModel
from devrag.parsing.language import find_language
from devrag.parsing.language_table import LANGUAGES
from devrag.products.models import Product
from devrag.search.candidates import locate
from devrag.search.definitions import find_definitions
from devrag.search.fusion import list_weights, normalise, rrf
from devrag.search.hydrate import (
    Candidate,
    hydrate,
    passing_chunks,
    with_context,
)
from devrag.search.lexical.analyser import STOP_WORDS, analyse, as_written, tokenize
from devrag.search.lexical.follower import wanted_sequences
from devrag.search.lexical.reader import LexicalReader
from devrag.search.lexical.stemming import other_forms
from devrag.search.lines.answer import search_lines
from devrag.search.lines.pattern import find_pattern
from devrag.search.nesting import collapse_nested
from devrag.search.query_text import understand
from devrag.search.question import Question, read_question
from devrag.search.ranges import check_ranges
from devrag.search.ranking import Found, Ranked, rank
from devrag.search.rewriting import rewrite_query
from devrag.search.semantic.ask import ask_semantic, query_vector
from devrag.search.semantic.specs import active_spec
from devrag.search.types import (
    KINDS,
    MAX_QUERY_CHARS,
    MODES,
    Hit,
    SearchQuery,
    SearchResult,
)
from devrag.sources.models import Source

log = structlog.get_logger("devrag.search")
# Of each list. Fewer, and files of which many places fit a little are missed.
_CANDIDATES_PER_HIT, _MIN_CANDIDATES = 5, 200
_MAX_CANDIDATES = 5_000
_BM25_HALF = 10.0


@dataclass(frozen=True, slots=True)
class _Lists:
    """Ranked chunk ids per list with their own scores, and what could not be asked."""

    lexical: dict[int, float]
    semantic: dict[int, float]
    notes: tuple[str, ...]
    is_exhausted: bool


def search(query: SearchQuery, *, chat: ChatModel | None = None) -> SearchResult:
    """Answer a query over current manifests. Raises InvalidInput and NotFound.

    chat: rewrites the query when that is asked for; without one, rules do.
    """
    began = time.perf_counter()
    check_text(query)
    asked = find_pattern(query.text)
    pattern, rest = asked or (None, query.text)
    understood = understand(replace(query, text=rest))
    check_query(understood)
    source_ids = sources_in_scope(understood)
    if pattern is not None:
        return replace(search_lines(understood, pattern, source_ids), query=query)
    if query.rewrite:
        return _search_rewritten(query, chat)
    result = _answer(understood, source_ids, began)
    return replace(result, query=query)


def _answer(query: SearchQuery, source_ids: list[int], began: float) -> SearchResult:
    question = read_question(query.text)
    wanted = max(_MIN_CANDIDATES, query.limit * _CANDIDATES_PER_HIT)
    while True:
        lists = _ask(query, source_ids, wanted)
        ranked = _order(query, source_ids, lists, question)
        is_enough = len(ranked) >= query.limit or lists.is_exhausted
        if is_enough or wanted >= _MAX_CANDIDATES:
            break
        # Filters took most candidates: ask deeper, so that none is lost.
        wanted = min(8 * wanted, _MAX_CANDIDATES)
    hits = _hits(query, source_ids, lists, ranked[: query.limit], question)
    hits = with_context(hits, query.context)
    return SearchResult(
        query=query,
        hits=tuple(hits),
        milliseconds=(time.perf_counter() - began) * 1000,
        is_lexical_behind=_is_behind(source_ids),
        notes=lists.notes,
    )


def _search_rewritten(query: SearchQuery, chat: ChatModel | None) -> SearchResult:
    text = rewrite_query(query.text, chat)
    result = search(replace(query, text=text, rewrite=False))
    said = [f"Asked for “{text}”."] if text != query.text else []
    return replace(result, query=query, notes=(*said, *result.notes))


def check_text(query: SearchQuery) -> None:
    """Raise InvalidInput for no text, and for too much."""
    if not query.text.strip():
        raise InvalidInput("The query is empty. Type a word, a name or a question.")
    if len(query.text) > MAX_QUERY_CHARS:
        raise InvalidInput(
            f"The query has {len(query.text)} characters; at most {MAX_QUERY_CHARS} "
            "are allowed."
        )


def check_query(query: SearchQuery) -> None:
    """Raise InvalidInput for what cannot be asked."""
    if query.mode not in MODES:
        raise InvalidInput(f"Mode '{query.mode}' is unknown; use {', '.join(MODES)}.")
    if query.kind and query.kind not in KINDS:
        raise InvalidInput(f"Kind '{query.kind}' is unknown; use {', '.join(KINDS)}.")
    if query.language and not find_language(query.language):
        raise InvalidInput(
            f"Language '{query.language}' is unknown; use {', '.join(LANGUAGES)}."
        )
    check_ranges(query)


def sources_in_scope(query: SearchQuery) -> list[int]:
    """Return ids of the sources in scope; an unknown or invisible name is NotFound."""
    rows = Source.objects.visible_to(query.principal)
    if query.product:
        visible = Product.objects.visible_to(query.principal)
        if not visible.filter(name=query.product).exists():
            raise NotFound(f"There is no product '{query.product}'.")
        rows = rows.filter(product__name=query.product)
    if query.source:
        rows = rows.filter(name=query.source)
        if not rows.exists():
            raise NotFound(f"There is no source '{query.source}' here.")
    return list(rows.values_list("pk", flat=True))


def _ask(query: SearchQuery, source_ids: list[int], limit: int) -> _Lists:
    lexical: dict[int, float] = {}
    semantic: dict[int, float] = {}
    if note := _unanswerable(query):
        return _Lists(lexical, semantic, (note,), is_exhausted=True)
    notes: tuple[str, ...] = ()
    if query.mode != "semantic":
        found = reader().search(query, source_ids=source_ids, limit=limit)
        lexical = {hit.chunk_id: hit.score for hit in found}
    if query.mode != "keyword":
        is_required = query.mode == "semantic"
        near = ask_semantic(
            query.text,
            source_ids,
            limit=limit,
            is_required=is_required,
            among=passing_chunks(query),
        )
        semantic, notes = near.scores, near.notes
    is_exhausted = max(len(lexical), len(semantic)) < limit
    if query.phrases and semantic:
        semantic, note = _with_phrases(query, source_ids, semantic)
        notes += (note,) if note else ()
    return _Lists(lexical, semantic, notes, is_exhausted)


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
    found = reader().find_in_scope(query, source_ids=source_ids, limit=_MAX_CANDIDATES)
    if found is None:
        return semantic, "The word index is not there yet: quotes are not obeyed."
    return {key: score for key, score in semantic.items() if key in found}, ""


def warm_up() -> None:
    """Load what the first question needs; a failure is that question's to report."""
    try:
        spec = active_spec()
        if spec is not None and not spec.is_external:
            query_vector(spec, "warm up")
        tokenize("準備")
    except (DatabaseError, ProviderError) as error:
        log.warning("warm-up failed", error=str(error))
    finally:
        connection.close()


@lru_cache(maxsize=1)
def reader() -> LexicalReader:
    """Return this process's reader of the lexical index."""
    return LexicalReader(settings.LEXICAL_DIR)


def _order(
    query: SearchQuery, source_ids: list[int], lists: _Lists, question: Question
) -> list[Ranked]:
    weights = _fuse(query, lists, question)
    defined = find_definitions(question.names, source_ids) if lists.lexical else []
    weights |= {key: 0.0 for key in defined if key not in weights}
    most = max(lists.lexical.values(), default=0.0) or 1.0
    near = normalise(rrf([list(lists.semantic)]), weights=[1.0])
    found = [
        Found(
            spot,
            weight=weights[spot.chunk_id],
            words=lists.lexical.get(spot.chunk_id, 0.0) / most,
            meaning=near.get(spot.chunk_id, 0.0),
        )
        for spot in locate(query, weights, source_ids)
    ]
    ranked = rank(found, question)
    return [ranked[place] for place in collapse_nested([spot for spot, _ in ranked])]


def _hits(
    query: SearchQuery,
    source_ids: list[int],
    lists: _Lists,
    ranked: Sequence[Ranked],
    question: Question,
) -> list[Hit]:
    """Read the texts of what is returned, and say why each is there."""
    score = _scores(query, lists, question)
    lexical_ranks, semantic_ranks = _ranks(lists.lexical), _ranks(lists.semantic)
    candidates = [
        Candidate(key, score(key), lexical_ranks.get(key), semantic_ranks.get(key))
        for key in (spot.chunk_id for spot, _ in ranked)
    ]
    reasons = {spot.chunk_id: why for spot, why in ranked}
    hits = hydrate(query, candidates, source_ids)
    return [_explain(hit, reasons[hit.chunk_id], question) for hit in hits]


def _fuse(query: SearchQuery, lists: _Lists, question: Question) -> dict[int, float]:
    """Return what each chunk weighs by its ranks, at most 1."""
    shares = list_weights(is_name=question.is_name, is_japanese=question.is_japanese)
    asked = [
        (list(found), share)
        for found, share, mode in (
            (lists.lexical, shares[0], "semantic"),
            (lists.semantic, shares[1], "keyword"),
        )
        if query.mode != mode
    ]
    used = [share for _, share in asked]
    return normalise(rrf([found for found, _ in asked], weights=used), weights=used)


def _scores(
    query: SearchQuery, lists: _Lists, question: Question
) -> Callable[[int], float]:
    """Return what tells the score that is shown; a definition by name has the best."""
    scores: Mapping[int, float] = lists.semantic
    if query.mode == "keyword":
        scores = {k: s / (s + _BM25_HALF) for k, s in lists.lexical.items()}
    elif query.mode == "hybrid":
        scores = _fuse(query, lists, question)
    best = max(scores.values(), default=0.0)
    return lambda key: scores.get(key, best)


def _ranks(order: Iterable[int]) -> dict[int, int]:
    return {key: rank for rank, key in enumerate(order, start=1)}


def _explain(hit: Hit, reasons: tuple[str, ...], question: Question) -> Hit:
    there = set(analyse(f"{hit.path} {hit.heading} {hit.text}").split())
    found = [
        word
        for word in question.words
        if word in there or not there.isdisjoint(other_forms(word))
    ]
    terms = as_written(found, hit.text)
    return replace(hit, why=reasons, matched_terms=tuple(sorted(terms)))


def _is_behind(source_ids: list[int]) -> bool:
    generation = reader().generation()
    have = generation.sequences if generation else {}
    wanted = wanted_sequences()
    return any(wanted.get(key) != have.get(key) for key in source_ids if key in wanted)
