"""An Embedder behind gRPC: an embedding server, devrag's own or another.

A lost connection is tried again three times within a call's deadline, by gRPC itself; a
question is asked once. Answers are not: see `batched`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence

import grpc

from devrag.core.text import one_line
from devrag.llm.embedder import EmbeddedBatch
from devrag.llm.errors import EmbeddingUnavailable
from devrag.llm.proto import PURPOSE_KEY
from devrag.llm.proto.embedding_pb2 import EmbedRequest, HealthRequest
from devrag.llm.proto.embedding_pb2_grpc import EmbeddingServiceStub
from devrag.llm.remote.batched import BatchedEmbedder
from devrag.llm.remote.embedding_adapters import Purpose, RawEmbeddings
from devrag.llm.remote.endpoint import Endpoint, RequestLimits
from devrag.llm.remote.grpc_failures import of_call

_MOST_BYTES = 64 * 1024 * 1024
_RETRIES = {
    "methodConfig": [
        {
            "name": [{"service": "embedding.EmbeddingService"}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.5s",
                "maxBackoff": "4s",
                "backoffMultiplier": 2,
                # What a server that is about to stop has not begun, it cancels.
                "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"],
            },
        }
    ]
}
_OPTIONS = (
    ("grpc.max_receive_message_length", _MOST_BYTES),
    # The server is ours: what leads to the internet leads nowhere.
    ("grpc.enable_http_proxy", 0),
    # Else a server that was away for long is found again only after two minutes.
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 1000),
)
_OPTIONS_OF: dict[Purpose, tuple[tuple[str, str | int], ...]] = {
    "document": (*_OPTIONS, ("grpc.service_config", json.dumps(_RETRIES))),
    "query": (*_OPTIONS, ("grpc.enable_retries", 0)),
}


class GrpcEmbedder(BatchedEmbedder):
    """A model of an embedding server, over one connection a purpose."""

    def __init__(
        self, model: str, *, dimensions: int, endpoint: Endpoint, limits: RequestLimits
    ) -> None:
        super().__init__(
            "grpc",
            model,
            title="The embedding server",
            dimensions=dimensions,
            endpoint=endpoint,
            limits=limits,
        )
        self._lock = threading.Lock()
        self._stubs: dict[Purpose, EmbeddingServiceStub] = {}
        self._is_known_healthy = False

    def embed_parts(self, texts: Sequence[str]) -> Iterator[EmbeddedBatch]:
        """Yield the vectors call by call; the first failure comes last."""
        if texts and not self._is_known_healthy:
            self._check_health()
        yield from super().embed_parts(texts)

    def _check_health(self) -> None:
        """Ask once whether the server can work, before texts go out."""
        seconds = self._limits.timeout_seconds
        try:
            answer = self._stub("document").Health(HealthRequest(), timeout=seconds)
        except grpc.RpcError as error:
            raise of_call(self._asked, error, seconds) from None
        if not answer.healthy:
            raise EmbeddingUnavailable(
                f"{self._asked.who} is not healthy ({one_line(answer.message)}). Fix "
                f"it there, or check {self._endpoint.url_setting}."
            )
        self._is_known_healthy = True

    def _ask(
        self, texts: Sequence[str], purpose: Purpose, seconds: float
    ) -> RawEmbeddings:
        request = EmbedRequest(texts=texts, model_name=self.model)
        metadata = ((PURPOSE_KEY, purpose),)
        try:
            answer = self._stub(purpose).EmbedBatch(
                request, timeout=seconds, metadata=metadata
            )
        except grpc.RpcError as error:
            raise of_call(self._asked, error, seconds) from None
        return RawEmbeddings([row.values for row in answer.embeddings])

    def _stub(self, purpose: Purpose) -> EmbeddingServiceStub:
        """Return what calls with the patience of a purpose; it connects when used."""
        with self._lock:
            if purpose not in self._stubs:
                channel = grpc.insecure_channel(
                    self._endpoint.base_url, _OPTIONS_OF[purpose]
                )
                self._stubs[purpose] = EmbeddingServiceStub(channel)  # type: ignore[no-untyped-call]
            return self._stubs[purpose]
