"""What a model can fail with, each with its HTTP status.

ProviderError
├── EmbeddingUnavailable        the model or its server cannot be reached   (503)
├── EmbeddingInvalidArgument    this input can never be embedded            (400)
├── EmbeddingResourceExhausted  out of memory, or a rate limit              (429)
├── EmbeddingModelNotFound      no such provider or model                   (404)
├── EmbeddingInternal           the model failed on this call               (500)
├── RerankerError               a reranker did not answer, or oddly         (502)
└── ChatError                   a language model; what the call used nevertheless
    ├── ChatUnavailable         its server cannot be reached, or refuses us (503)
    ├── ChatInvalidArgument     this prompt can never be answered           (400)
    │   └── ChatToolsUnsupported  the model cannot call tools
    ├── ChatResourceExhausted   a rate limit, or no money left              (429)
    ├── ChatModelNotFound       no such provider or model                   (404)
    ├── ChatRefused             the model will not answer this              (422)
    └── ChatInternal            no answer, or half of one                   (500)
"""

from __future__ import annotations

from devrag.core.errors import ProviderError
from devrag.llm.chat import Usage


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


class RerankerError(ProviderError):
    """A reranker did not answer, or not as it should; results keep their order."""

    code = "reranker"


class ChatError(ProviderError):
    """A language model did not answer. usage: what is paid for it all the same."""

    code = "chat"
    usage = Usage()


class ChatUnavailable(ChatError):
    """The model's server cannot be reached in time, or does not know us."""

    code = "chat_unavailable"
    http_status = 503


class ChatInvalidArgument(ChatError):
    """The prompt cannot be answered, now or later."""

    code = "chat_invalid_argument"
    http_status = 400
    default_permanent = True


class ChatToolsUnsupported(ChatInvalidArgument):
    """The model, or its server, takes no tools."""

    code = "chat_tools_unsupported"


class ChatResourceExhausted(ChatError):
    """A rate limit was met, or the quota is used up."""

    code = "chat_resource_exhausted"
    http_status = 429


class ChatModelNotFound(ChatError):
    """No provider or model has this name."""

    code = "chat_model_not_found"
    http_status = 404
    default_permanent = True


class ChatRefused(ChatError):
    """The model, or its provider's filter, will not answer this prompt."""

    code = "chat_refused"
    http_status = 422
    default_permanent = True


class ChatInternal(ChatError):
    """The call failed on its way, or brought nothing that can be used."""

    code = "chat_internal"
    http_status = 500
