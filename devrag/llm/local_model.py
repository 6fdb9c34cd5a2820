"""The embedding model that runs in this process."""

from __future__ import annotations

from devrag.llm.local.device import choose_device, has_cuda
from devrag.llm.local.embedder import DIMENSIONS, MODEL, LocalEmbedder
from devrag.llm.local.store import delete_models

__all__ = [
    "DIMENSIONS",
    "MODEL",
    "LocalEmbedder",
    "choose_device",
    "delete_models",
    "has_cuda",
]
