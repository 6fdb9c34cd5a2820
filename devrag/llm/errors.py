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
    """Memory ran out or a rate limit was met; less or later may work.

    retry_after_seconds: when the provider wants to be asked again, 0 if it did not say.
    """

    code = "embedding_resource_exhausted"
    http_status = 429

    def __init__(
        self,
        message: str,
        *,
        permanent: bool | None = None,
        retry_after_seconds: float = 0.0,
    ) -> None:
        super().__init__(message, permanent=permanent)
        self.retry_after_seconds = retry_after_seconds


class EmbeddingModelNotFound(ProviderError):
    """No provider or model has this name."""

    code = "embedding_model_not_found"
    http_status = 404
    default_permanent = True


class EmbeddingInternal(ProviderError):
    """The model failed while it computed."""

    code = "embedding_internal"
    http_status = 500
