"""Language and embedding models by the names of their providers."""

from __future__ import annotations

from devrag.llm.chat_registry import DEFAULT_MODELS, build_chat
from devrag.llm.embedding_registry import EMBEDDERS, EmbedderConfig, build_embedder
from devrag.llm.remote.endpoint import Endpoint, RequestLimits
from devrag.llm.remote.models import known_model
from devrag.llm.retries import Pause, ask_patiently

__all__ = [
    "DEFAULT_MODELS",
    "EMBEDDERS",
    "EmbedderConfig",
    "Endpoint",
    "Pause",
    "RequestLimits",
    "ask_patiently",
    "build_chat",
    "build_embedder",
    "known_model",
]
