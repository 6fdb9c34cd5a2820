"""The embedding providers there are, by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from devrag.llm.embedder import Embedder
from devrag.llm.errors import EmbeddingModelNotFound
from devrag.llm.local.embedder import LocalEmbedder

EMBEDDERS: dict[str, Callable[..., Embedder]] = {
    "local": LocalEmbedder,
}


def build_embedder(
    provider: str, model: str, *, models_dir: Path, threads: int | None = None
) -> Embedder:
    """Return the embedder of that provider and model; it loads on first use.

    models_dir: where a local model keeps what it can rebuild.
    threads: None = up to 4, as the machine has cores.
    """
    builder = EMBEDDERS.get(provider)
    if builder is None:
        known = ", ".join(sorted(EMBEDDERS))
        raise EmbeddingModelNotFound(
            f"There is no embedding provider “{provider}”. Choose one of: {known}."
        )
    return builder(model, models_dir=models_dir, threads=threads)
