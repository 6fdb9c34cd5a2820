"""Embedding models and rerankers as cards: which is in use, whether it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext

from devrag.core.errors import NotFound, ProviderError
from devrag.core.principal import Principal
from devrag.jobs.api import check_pace
from devrag.search.api import (
    active_reranker,
    ask_embedding_provider,
    check_reranker,
    list_embedding_providers,
)

_TITLES = {
    "openai": "OpenAI",
    "gemini": "Gemini",
    "grpc": "gRPC",
}
_PAUSE_SECONDS = 5


@dataclass(frozen=True, slots=True)
class ModelCard:
    """A provider. base_url: only for administrators. dimensions: 0 for rerankers."""

    kind: str
    name: str
    title: str
    model: str
    dimensions: int
    base_url: str
    key_setting: str
    has_key: bool
    is_active: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """What a test brought: the numbers, or the reason with its way out."""

    is_ok: bool
    milliseconds: int = 0
    model: str = ""
    dimensions: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ModelsPage:
    embedding: tuple[ModelCard, ...]
    reranking: tuple[ModelCard, ...]


def get_models_page(principal: Principal) -> ModelsPage:
    """Return the providers with what the caller may know of them. Queries: 1."""
    return ModelsPage(
        embedding=tuple(
            _card(principal, "embedding", each) for each in list_embedding_providers()
        ),
        reranking=_reranker_cards(principal),
    )


def _card(principal: Principal, kind: str, each: Any) -> ModelCard:
    local = gettext("Local model")
    return ModelCard(
        kind=kind,
        name=each.name,
        title=_TITLES.get(each.name, local),
        model=each.model,
        dimensions=getattr(each, "dimensions", 0),
        base_url=each.base_url if principal.is_admin else "",
        key_setting=each.key_setting,
        has_key=each.has_key,
        is_active=each.is_active,
    )


def _reranker_cards(principal: Principal) -> tuple[ModelCard, ...]:
    """Return the reranker that is set, if any."""
    reranker = active_reranker()
    if reranker is None:
        return ()
    card = ModelCard(
        kind="rerank",
        name="rerank",
        title=gettext("Reranker"),
        model=reranker.name,
        dimensions=0,
        base_url=settings.RERANK_BASE_URL if principal.is_admin else "",
        key_setting="RERANK_API_KEY" if settings.RERANK_API_KEY else "",
        has_key=bool(settings.RERANK_API_KEY),
        is_active=True,
    )
    return (card,)


def try_model(principal: Principal, kind: str, name: str) -> Trial:
    """Try a provider; Conflict when the caller asked a moment ago."""
    page = get_models_page(principal)
    cards = (*page.embedding, *page.reranking)
    if (kind, name) not in {(card.kind, card.name) for card in cards}:
        raise NotFound(gettext("Unknown provider."))
    check_pace(f"model-test:{principal.user_id}", seconds=_PAUSE_SECONDS)
    try:
        reranked = check_reranker() if kind == "rerank" else None
        if reranked is not None:
            return Trial(True, reranked.milliseconds, reranked.model)
        vector = ask_embedding_provider(name)
    except ProviderError as error:
        return Trial(is_ok=False, problem=error.message)
    return Trial(True, vector.milliseconds, vector.model, vector.dimensions)
