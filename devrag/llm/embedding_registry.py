"""The embedding providers there are, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from devrag.llm.embedder import Embedder
from devrag.llm.errors import EmbeddingModelNotFound
from devrag.llm.local.embedder import LocalEmbedder
from devrag.llm.remote.embedding_adapters import (
    EmbeddingAdapter,
    GeminiEmbeddingAdapter,
    OpenAIEmbeddingAdapter,
)
from devrag.llm.remote.endpoint import Endpoint, RequestLimits


@dataclass(frozen=True, slots=True)
class EmbedderConfig:
    """What providers need to know besides the model.

    models_dir: where a local model keeps what it can rebuild. threads: None = up to 4,
    as the machine has cores. endpoints: by provider.
    """

    models_dir: Path
    threads: int | None = None
    endpoints: Mapping[str, Endpoint] = field(default_factory=dict)
    limits: RequestLimits = field(default_factory=RequestLimits)


Builder = Callable[[str, int, EmbedderConfig], Embedder]


def _local(model: str, _dimensions: int, setup: EmbedderConfig) -> Embedder:
    return LocalEmbedder(model, models_dir=setup.models_dir, threads=setup.threads)


def _remote(provider: str, adapter: EmbeddingAdapter) -> Builder:
    def build(model: str, dimensions: int, setup: EmbedderConfig) -> Embedder:
        # The client takes most of a second and 40 MB: only who uses it pays.
        from devrag.llm.remote.embedder import RemoteEmbedder  # noqa: PLC0415

        return RemoteEmbedder(
            provider,
            model,
            dimensions=dimensions,
            adapter=adapter,
            endpoint=setup.endpoints.get(provider, Endpoint()),
            limits=setup.limits,
        )

    return build


def _grpc(model: str, dimensions: int, setup: EmbedderConfig) -> Embedder:
    # Its library takes a tenth of a second and threads of its own.
    from devrag.llm.remote.grpc_embedder import GrpcEmbedder  # noqa: PLC0415

    endpoint = setup.endpoints.get("grpc", Endpoint())
    return GrpcEmbedder(
        model, dimensions=dimensions, endpoint=endpoint, limits=setup.limits
    )


EMBEDDERS: dict[str, Builder] = {
    "local": _local,
    "openai": _remote("openai", OpenAIEmbeddingAdapter()),
    "gemini": _remote("gemini", GeminiEmbeddingAdapter()),
    "grpc": _grpc,
}


def build_embedder(
    provider: str, model: str, *, setup: EmbedderConfig, dimensions: int = 0
) -> Embedder:
    """Return the embedder of that provider and model; it loads on first use.

    dimensions: what a remote model's vectors must have; 0 takes what it makes.
    """
    builder = EMBEDDERS.get(provider)
    if builder is None:
        known = ", ".join(sorted(EMBEDDERS))
        raise EmbeddingModelNotFound(
            f"Unknown embedding provider “{provider}”. Choose one of: {known}."
        )
    return builder(model, dimensions, setup)
