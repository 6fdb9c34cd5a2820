"""Ask for what is near in meaning: each source under the spec that has its vectors."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import structlog
from django.utils.translation import gettext

from devrag.core.errors import ProviderError
from devrag.core.masking import mask_secrets
from devrag.core.time_limit import remaining_seconds
from devrag.llm.embedder import Vector
from devrag.llm.errors import EmbeddingInvalidArgument
from devrag.search.fusion import normalise, rrf
from devrag.search.models import EmbeddingSpec
from devrag.search.semantic.coverage import count_in_scope, describe_missing
from devrag.search.semantic.query import SemanticHit, plan_nearest, read_cosines
from devrag.search.semantic.query_vectors import EmbeddingLate, QueryVectors
from devrag.search.semantic.specs import embedder_of, specs_in_scope
from devrag.search.types import SearchQuery

log = structlog.get_logger("devrag.search")
_REST_SECONDS = 10.0
# Of what is left of a search: the words, and reading the results, need the rest.
_SHARE_OF_TIME = 0.4
_resting: dict[int, tuple[float, ProviderError]] = {}
_vectors = QueryVectors()


# Ids of chunks -> the cosines of those that have a vector.
ReadCosines = Callable[[Collection[int]], dict[int, float]]


@dataclass(frozen=True, slots=True)
class Near:
    """Chunk ids with their scores, best first, and what could not be asked.

    read_cosines: also of chunks that are not among the nearest.
    """

    scores: dict[int, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    read_cosines: ReadCosines = lambda _ids: {}


def plan_semantic(
    text: str,
    source_ids: Sequence[int],
    *,
    limit: int,
    is_required: bool,
    filters: SearchQuery | None = None,
) -> Callable[[], Near]:
    """Return what asks for the nearest chunks of the sources.

    filters: only chunks that pass this query's. is_required: nothing else answers the
    question, so that a ProviderError is raised when no model can be asked.
    """
    scope = specs_in_scope(source_ids)
    if not scope:
        nothing = Near(
            notes=("No text has been embedded yet; these are keyword results.",)
        )
        return lambda: nothing
    plans: list[_Plan] = []
    failures: list[ProviderError] = []
    for spec, ids in scope.items():
        try:
            vector = query_vector(spec, text, is_required=is_required)
        except ProviderError as error:
            log.warning("embedder unavailable", spec=str(spec), error=error.message)
            failures.append(error)
            continue
        plans.append(
            _Plan(
                plan_nearest(
                    spec, vector, source_ids=ids, limit=limit, filters=filters
                ),
                partial(read_cosines, spec, vector, source_ids=ids),
            )
        )
    if is_required and not plans:
        raise failures[0]
    notes = list(map(_describe, failures))
    if plans:
        notes.extend(describe_missing(count_in_scope(scope).values()))
    else:
        notes.append(gettext("These are keyword results."))
    return partial(_ask, plans, tuple(notes))


def _describe(failure: ProviderError) -> str:
    if isinstance(failure, EmbeddingLate):
        return failure.message
    return gettext("The embedding model is unavailable (%(reason)s).") % {
        "reason": failure.message
    }


class _Plan(NamedTuple):
    """What asks one model's vectors: for the nearest, and for those of chunks."""

    ask: Callable[[], list[SemanticHit]]
    read_cosines: Callable[..., dict[int, float]]


def _ask(plans: Sequence[_Plan], notes: tuple[str, ...]) -> Near:
    found = [{hit.chunk_id: hit.score for hit in plan.ask()} for plan in plans]
    return Near(_merge(found), notes, partial(_read_cosines, plans, found))


def _read_cosines(
    plans: Sequence[_Plan],
    found: Sequence[dict[int, float]],
    chunk_ids: Collection[int],
) -> dict[int, float]:
    """Return cosines: of what was found known, of the others asked for."""
    known = {key: score for each in found for key, score in each.items()}
    missing = [key for key in chunk_ids if key not in known]
    for plan in plans if missing else ():
        known |= plan.read_cosines(chunk_ids=missing)
    return {key: known[key] for key in chunk_ids if key in known}


def _merge(lists: list[dict[int, float]]) -> dict[int, float]:
    """Return one list: by rank, for scores of two models do not compare."""
    if len(lists) <= 1:
        return lists[0] if lists else {}
    # No chunk is in two lists: the first of each is as good as can be.
    return normalise(rrf([list(each) for each in lists]), weights=(1.0,))


def query_vector(spec: EmbeddingSpec, text: str, *, is_required: bool = True) -> Vector:
    """Return the query's vector, kept in this process.

    is_required: wait as long as the search may take, else for a part of that. A model
    that just failed is left alone for some seconds: not each question waits.
    """
    left = remaining_seconds()
    seconds = left if left is None or is_required else left * _SHARE_OF_TIME
    until, failure = _resting.get(spec.pk, (0.0, None))
    if failure is not None and time.monotonic() < until:
        raise failure
    try:
        asked = mask_secrets(text) if spec.is_external else text
        return _vectors.get((spec.pk, asked), embedder_of(spec), seconds)
    except EmbeddingInvalidArgument:
        raise  # the question's fault, not the model's
    except EmbeddingLate:
        raise  # it is at work: the next one may be in time
    except ProviderError as error:
        _resting[spec.pk] = time.monotonic() + _REST_SECONDS, error
        raise


def forget_answers() -> int:
    """Forget vectors and failures of this process; return how many vectors."""
    count = _vectors.clear()
    _resting.clear()
    return count
