"""What an embedding model can fail with, each with its HTTP status.

ProviderError
├── EmbeddingUnavailable        the model or its server cannot be reached   (503)
├── EmbeddingInvalidArgument    this input can never be embedded            (400)
├── EmbeddingResourceExhausted  out of memory, or a rate limit              (429)
├── EmbeddingModelNotFound      no such provider or model                   (404)
└── EmbeddingInternal           the model failed on this call               (500)
"""

from __future__ import annotations

from devrag.core.errors import ProviderError


class EmbeddingUnavailable(ProviderError):
    """The model cannot be loaded, or its server cannot be reached."""

    code = "embedding_unavailable"
    http_status = 503


class EmbeddingInvalidArgument(ProviderError):
    """The input cannot be embedded, now or later."""

    code = "embedding_invalid_argument"
    http_status = 400
    default_permanent = True


class EmbeddingResourceExhausted(ProviderError):
    """Memory ran out or a rate limit was met; less or later may work."""

    code = "embedding_resource_exhausted"
    http_status = 429


class EmbeddingModelNotFound(ProviderError):
    """No provider or model has this name."""

    code = "embedding_model_not_found"
    http_status = 404
    default_permanent = True


class EmbeddingInternal(ProviderError):
    """The model failed while it computed."""

    code = "embedding_internal"
    http_status = 500
