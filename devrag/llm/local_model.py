"""The embedding model that runs in this process."""

from __future__ import annotations

from devrag.llm.local.device import choose_device, has_cuda
from devrag.llm.local.embedder import LocalEmbedder
from devrag.llm.local.store import delete_model

__all__ = [
    "LocalEmbedder",
    "choose_device",
    "delete_model",
    "has_cuda",
]
