"""Compare search with and without the reranker, and under two embedding models."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from devrag.core.errors import InvalidInput
from devrag.products.external_models import check_external_models
from devrag.search.api import (
    active_reranker,
    asking_spec,
    ensure_active_spec,
    ensure_spec,
    lacks_vectors,
    open_spec,
    query_vector,
    request_vectors,
)
from devrag.search.evaluation.comparison import Variant
from devrag.search.evaluation.questions import EvaluationQuestion
from devrag.search.models import EmbeddingSpec
from devrag.search.types import Mode
from devrag.sources.models import Source
from devrag.use_cases.job_feed import wait_for_job
from devrag.use_cases.search_evaluation import Answer, AskSources


def reranker_variants(ask: AskSources, mode: Mode) -> tuple[Variant, Variant]:
    """Return search as it is without the reranker, and with it."""
    reranker = active_reranker()
    if reranker is None:
        raise InvalidInput("No reranker is configured. Set RERANK_BASE_URL.")
    if mode == "keyword":
        raise InvalidInput("Keyword results are never reranked. Use another --mode.")
    return (
        Variant("original order", partial(ask, rerank=False)),
        Variant(reranker.name, ask),
    )


def model_variants(ask: AskSources, model: str, mode: Mode) -> tuple[Variant, Variant]:
    """Return search under the active model, and under another `provider/model`.

    The vectors that the asked sources lack of it are made first, which costs as much
    as with `embeddings use`; they stay until `embeddings drop`. Nothing is reranked.
    """
    if mode == "keyword":
        raise InvalidInput(
            "Keyword search uses no embedding model. Use another --mode."
        )
    active, other = ensure_active_spec(), open_spec(model)
    if other == active:
        raise InvalidInput(
            f"{other.name} is the active model. Choose another one to compare."
        )
    other = ensure_spec(other.provider, other.model, other.dimensions)
    _make_vectors(other, ask.sources)
    query_vector(other, "warm up")
    return (
        Variant(active.name, partial(ask, rerank=False)),
        Variant(other.name, partial(_ask_under, other, ask)),
    )


def _ask_under(
    spec: EmbeddingSpec, ask: AskSources, question: EvaluationQuestion
) -> Answer:
    with asking_spec(spec):
        return ask(question, rerank=False)


def _make_vectors(spec: EmbeddingSpec, names: Iterable[str]) -> None:
    """Make the vectors that the sources lack, and wait for them."""
    sources = list(
        Source.objects.filter(name__in=list(names)).select_related("product")
    )
    if spec.is_external:
        for source in sources:
            check_external_models(
                source.product, spec.name, instead="Only local models can be compared."
            )
    lacking = [source for source in sources if lacks_vectors(spec, source.pk)]
    for job in [request_vectors(source, spec) for source in lacking]:
        wait_for_job(job)
