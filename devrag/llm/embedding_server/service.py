"""The three calls of embedding.proto, with a line in the log for each batch."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import grpc
import numpy as np
import structlog

from devrag.core.errors import ProviderError
from devrag.llm.embedder import Embedder, Matrix
from devrag.llm.embedding_server.config import ModelConfig
from devrag.llm.embedding_server.models import ModelCache
from devrag.llm.errors import (
    EmbeddingInternal,
    EmbeddingInvalidArgument,
    EmbeddingModelNotFound,
    EmbeddingResourceExhausted,
    EmbeddingUnavailable,
)
from devrag.llm.proto import PURPOSE_KEY
from devrag.llm.proto.embedding_pb2 import (
    Embedding,
    EmbedRequest,
    EmbedResponse,
    HealthRequest,
    HealthResponse,
    ListModelsRequest,
    ListModelsResponse,
    ModelInfo,
)
from devrag.llm.proto.embedding_pb2_grpc import EmbeddingServiceServicer

MOST_TEXTS = 2048
_PURPOSES = ("document", "query")
# Between two portions is seen whether anybody still waits for the answer.
_PORTION = 32
# No character is more, so that most texts need not be counted.
_TOKENS_PER_CHARACTER = 4
STATUS: dict[type[ProviderError], grpc.StatusCode] = {
    EmbeddingUnavailable: grpc.StatusCode.UNAVAILABLE,
    EmbeddingInvalidArgument: grpc.StatusCode.INVALID_ARGUMENT,
    EmbeddingResourceExhausted: grpc.StatusCode.RESOURCE_EXHAUSTED,
    EmbeddingModelNotFound: grpc.StatusCode.NOT_FOUND,
    EmbeddingInternal: grpc.StatusCode.INTERNAL,
}
log = structlog.get_logger("devrag.embedding")


class _GaveUp(Exception):
    """Nobody waits for the answer any more."""


@dataclass(slots=True)
class _Call:
    """What the log tells of a call."""

    model: str
    texts: int
    received_at: str = field(default_factory=lambda: datetime.now(UTC).isoformat())
    began: float = field(default_factory=time.perf_counter)
    code: grpc.StatusCode = grpc.StatusCode.OK
    error: str = ""

    def fail(self, code: grpc.StatusCode, error: str) -> None:
        self.code, self.error = code, error

    def write(self) -> None:
        """Write the line; a failure is a warning."""
        (log.warning if self.error else log.info)(
            "embedding request",
            received_at=self.received_at,
            model=self.model,
            texts=self.texts,
            seconds=round(time.perf_counter() - self.began, 4),
            code=self.code.name,
            error=self.error,
        )


class EmbeddingService(EmbeddingServiceServicer):
    """Answer from a cache of models. Clients rely on its names and messages."""

    def __init__(self, models: ModelCache) -> None:
        self._models = models

    def EmbedBatch(  # noqa: N802 - the name in the proto
        self, request: EmbedRequest, context: grpc.ServicerContext
    ) -> EmbedResponse:
        name = request.model_name or self._models.default_model
        call = _Call(name, len(request.texts))
        answer = EmbedResponse()
        with _failing_in_words(call):
            answer = self._embed(name, list(request.texts), context)
        call.write()
        if call.error:
            context.abort(call.code, call.error)
        return answer

    def Health(  # noqa: N802
        self, request: HealthRequest, context: grpc.ServicerContext
    ) -> HealthResponse:
        del request, context
        try:
            self._models.get_model()
        except ProviderError as error:
            return HealthResponse(healthy=False, message=f"Error: {error.message}")
        return HealthResponse(healthy=True, message="Server is healthy")

    def ListModels(  # noqa: N802
        self, request: ListModelsRequest, context: grpc.ServicerContext
    ) -> ListModelsResponse:
        del request, context
        return ListModelsResponse(
            models=[
                ModelInfo(name=m.name, dimension=m.dimension, max_length=m.max_length)
                for m in self._models.list_servable()
            ]
        )

    def _embed(
        self, name: str, texts: list[str], context: grpc.ServicerContext
    ) -> EmbedResponse:
        config = self._models.get_config(name)
        purpose = _purpose(context)
        if len(texts) > MOST_TEXTS:
            raise EmbeddingInvalidArgument(
                f"{len(texts)} texts are too many for one call ({MOST_TEXTS}). Send "
                "them in several."
            )
        model = self._models.get_model(name)
        _check_length(texts, model, config)
        rows: list[Embedding] = []
        for vectors in _portions(model, texts, purpose):
            rows += (Embedding(values=vector.tolist()) for vector in vectors)
            if not context.is_active():
                raise _GaveUp
        return EmbedResponse(
            embeddings=rows, model_name=config.name, dimension=config.dimension
        )


@contextmanager
def _failing_in_words(call: _Call) -> Iterator[None]:
    """Note in a call why it failed."""
    try:
        yield
    except ProviderError as error:
        call.fail(STATUS.get(type(error), grpc.StatusCode.INTERNAL), error.message)
    except _GaveUp:
        call.fail(grpc.StatusCode.CANCELLED, "The caller gave up waiting.")
    except MemoryError:
        said = "The server ran out of memory. Send fewer or shorter texts."
        call.fail(grpc.StatusCode.RESOURCE_EXHAUSTED, said)
    except Exception as error:
        log.exception("embedding failed", model=call.model)
        call.fail(grpc.StatusCode.INTERNAL, f"The model failed: {error}")


def _purpose(context: grpc.ServicerContext) -> str:
    """Return what the texts are: documents unless the caller says otherwise."""
    said = dict(context.invocation_metadata()).get(PURPOSE_KEY, _PURPOSES[0])
    if said not in _PURPOSES:
        raise EmbeddingInvalidArgument(
            f"The metadata {PURPOSE_KEY} is “{said!s}”. Use document or query."
        )
    return str(said)


def _check_length(texts: Iterable[str], model: Embedder, config: ModelConfig) -> None:
    """Raise where a text is longer than configured: it is not cut in silence."""
    surely_short = config.max_length // _TOKENS_PER_CHARACTER
    for position, text in enumerate(texts):
        if len(text) < surely_short:
            continue
        tokens = model.count_tokens(text)
        if tokens > config.max_length:
            raise EmbeddingInvalidArgument(
                f"Text {position} has {tokens} tokens, too many for “{config.name}” "
                f"({config.max_length}). Send less of it."
            )


def _portions(model: Embedder, texts: list[str], purpose: str) -> Iterator[Matrix]:
    """Yield the vectors, some texts at a time."""
    for start in range(0, len(texts), _PORTION):
        portion = texts[start : start + _PORTION]
        if purpose == "query":
            yield np.stack([model.embed_query(text) for text in portion])
        else:
            yield model.embed_documents(portion)
