"""Language, embedding and reranking models, as settings choose them."""

from __future__ import annotations

from devrag.llm.chat_registry import DEFAULT_MODELS, build_chat
from devrag.llm.embedding_registry import EMBEDDERS, EmbedderConfig, build_embedder
from devrag.llm.remote.endpoint import Endpoint, RequestLimits
from devrag.llm.remote.models import known_model
from devrag.llm.reranker import Reranker, RerankScores, build_reranker
from devrag.llm.retries import Pause, ask_patiently

__all__ = [
    "DEFAULT_MODELS",
    "EMBEDDERS",
    "EmbedderConfig",
    "Endpoint",
    "Pause",
    "RequestLimits",
    "RerankScores",
    "Reranker",
    "ask_patiently",
    "build_chat",
    "build_embedder",
    "build_reranker",
    "known_model",
]
