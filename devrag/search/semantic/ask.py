"""Ask for what is near in meaning: each source under the spec that has its vectors."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial

import structlog
from django.db.models import QuerySet
from django.utils.translation import gettext

from devrag.core.errors import ProviderError
from devrag.llm.embedder import Vector
from devrag.llm.errors import EmbeddingInvalidArgument
from devrag.search.fusion import normalise, rrf
from devrag.search.models import EmbeddingSpec
from devrag.search.semantic.query import SemanticHit, plan_nearest
from devrag.search.semantic.specs import embedder_of, specs_in_scope
from devrag.sources.models import Chunk

log = structlog.get_logger("devrag.search")
_REST_SECONDS = 10.0
_resting: dict[int, tuple[float, ProviderError]] = {}


@dataclass(frozen=True, slots=True)
class Near:
    """Chunk ids with their scores, best first, and what could not be asked."""

    scores: dict[int, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def plan_semantic(
    text: str,
    source_ids: Sequence[int],
    *,
    limit: int,
    is_required: bool,
    among: QuerySet[Chunk] | None = None,
) -> Callable[[], Near]:
    """Return what asks for the nearest chunks of the sources.

    among: only these. is_required: nothing else answers the question, so that a
    ProviderError is raised when no model can be asked.
    """
    scope = specs_in_scope(source_ids)
    if not scope:
        nothing = Near(notes=("No text is embedded yet; these are keyword results.",))
        return lambda: nothing
    plans: list[Callable[[], list[SemanticHit]]] = []
    failures: list[ProviderError] = []
    for spec, ids in scope.items():
        try:
            vector = query_vector(spec, text)
        except ProviderError as error:
            log.warning("embedder unavailable", spec=str(spec), error=error.message)
            failures.append(error)
            continue
        plans.append(
            plan_nearest(spec, vector, source_ids=ids, limit=limit, among=among)
        )
    if is_required and not plans:
        raise failures[0]
    notes = [
        gettext("The embedding model is unavailable (%(reason)s).")
        % {"reason": e.message}
        for e in failures
    ]
    return partial(_ask, plans, tuple(notes))


def _ask(
    plans: Sequence[Callable[[], list[SemanticHit]]], notes: tuple[str, ...]
) -> Near:
    found = [{hit.chunk_id: hit.score for hit in plan()} for plan in plans]
    return Near(_merge(found), notes)


def _merge(lists: list[dict[int, float]]) -> dict[int, float]:
    """Return one list: by rank, for scores of two models do not compare."""
    if len(lists) <= 1:
        return lists[0] if lists else {}
    # No chunk is in two lists: the first of each is as good as can be.
    return normalise(rrf([list(each) for each in lists]), weights=(1.0,))


def query_vector(spec: EmbeddingSpec, text: str) -> Vector:
    """Return the query's vector, cached per process.

    A model that just failed is left alone for some seconds: not each question waits.
    """
    until, failure = _resting.get(spec.pk, (0.0, None))
    if failure is not None and time.monotonic() < until:
        raise failure
    try:
        return _cached_vector(spec.pk, text)
    except EmbeddingInvalidArgument:
        raise  # the question's fault, not the model's
    except ProviderError as error:
        _resting[spec.pk] = time.monotonic() + _REST_SECONDS, error
        raise


@lru_cache(maxsize=2048)
def _cached_vector(spec_id: int, text: str) -> Vector:
    return embedder_of(EmbeddingSpec.objects.get(pk=spec_id)).embed_query(text)


def forget_answers() -> None:
    """Forget vectors and failures: the settings of the models changed."""
    _cached_vector.cache_clear()
    _resting.clear()
