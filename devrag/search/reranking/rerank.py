"""Order the first candidates by what a reranker says of them, where there is one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from django.utils.translation import gettext

from devrag.core.errors import ProviderError
from devrag.core.masking import mask_secrets
from devrag.core.timings import timed
from devrag.search.query_intent import Question
from devrag.search.ranking import Ranked
from devrag.search.reranking.endpoint import active_reranker, ask_in_time
from devrag.search.reranking.texts import (
    CandidateText,
    note_call,
    read_texts,
    sent_texts,
)
from devrag.search.types import SearchQuery

log = structlog.get_logger("devrag.search")
# Each result that is shown is among them: MAX_LIMIT is no higher.
RERANKED = 50


@dataclass(frozen=True, slots=True)
class Reranked:
    """Candidates in their order.

    model: the name of the reranker, '' where the usual order stands. notes: why it
    does although there is a reranker.
    """

    ranked: list[Ranked]
    model: str = ""
    notes: tuple[str, ...] = ()


def rerank(query: SearchQuery, question: Question, ranked: list[Ranked]) -> Reranked:
    """Return the candidates with the first ones ordered by the reranker.

    They stay as they are without one, while somebody types, where words alone are
    asked for, where a name is (its definition comes first), and, with a note, where
    the reranker fails or a product keeps its texts.
    """
    is_wanted = query.rerank and query.mode != "keyword"
    if not is_wanted or query.is_typing or question.is_name or len(ranked) < 2:
        return Reranked(ranked)
    reranker = active_reranker()
    if reranker is None:
        return Reranked(ranked)
    known = read_texts([each.spot.chunk_id for each in ranked[:RERANKED]])
    first = [each for each in ranked[:RERANKED] if each.spot.chunk_id in known]
    texts = [known[each.spot.chunk_id] for each in first]
    if note := _kept_note(texts):
        return Reranked(ranked, notes=(note,))
    try:
        with timed("reranking"):
            found = ask_in_time(
                reranker, mask_secrets(query.text), sent_texts(reranker, texts)
            )
    except ProviderError as error:
        log.warning("not reranked", error=error.message)
        return Reranked(ranked, notes=(_failure_note(error),))
    note_call(reranker, texts, found.tokens)
    return _ordered(first, found.scores, ranked[RERANKED:], reranker.name)


def _kept_note(texts: Sequence[CandidateText]) -> str:
    """Return why texts must not be sent, '' if they may."""
    kept = next((each.product_name for each in texts if not each.may_leave), "")
    if not kept:
        return ""
    return gettext(
        "Results are not reranked because '%(product)s' does not allow external models."
    ) % {"product": kept}


def _failure_note(error: ProviderError) -> str:
    return gettext("%(reason)s Results are in their original order.") % {
        "reason": error.message
    }


def _ordered(
    first: Sequence[Ranked], scores: Sequence[float], rest: Sequence[Ranked], model: str
) -> Reranked:
    reason = gettext("reranked by %(model)s") % {"model": model}
    order = sorted(range(len(first)), key=lambda place: -scores[place])
    shown = as_probabilities(scores)
    best = [
        first[place]._replace(score=shown[place], rules=(reason, *first[place].rules))
        for place in order
    ]
    return Reranked([*best, *rest], model)


def as_probabilities(scores: Sequence[float]) -> list[float]:
    """Return scores within 0..1 in the same order.

    Some servers give the raw output of the model, of which the logistic function makes
    what the others give.
    """
    if all(0.0 <= score <= 1.0 for score in scores):
        return list(scores)
    return [0.5 * (1.0 + math.tanh(0.5 * score)) for score in scores]
