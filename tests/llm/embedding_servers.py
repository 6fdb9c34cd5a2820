"""Embedding servers on loopback: devrag's own, and one that answers by a script."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc

from devrag.llm.embedder import Embedder
from devrag.llm.embedding_registry import EmbedderConfig, build_embedder
from devrag.llm.embedding_server.config import ServerConfig
from devrag.llm.embedding_server.listener import Listener
from devrag.llm.embedding_server.models import ModelCache
from devrag.llm.proto import PURPOSE_KEY
from devrag.llm.proto.embedding_pb2 import (
    Embedding,
    EmbedRequest,
    EmbedResponse,
    HealthRequest,
    HealthResponse,
)
from devrag.llm.proto.embedding_pb2_grpc import (
    EmbeddingServiceServicer,
    EmbeddingServiceStub,
    add_EmbeddingServiceServicer_to_server,
)
from devrag.llm.remote.endpoint import Endpoint, RequestLimits
from tests.model_server import vector_of

SIZE = 8


@contextmanager
def serving_models(
    build: Callable[[str], Any], config: ServerConfig | None = None, **values: Any
) -> Iterator[str]:
    """Run devrag's server with the given values; return its address."""
    config = config or ServerConfig(**{"port": 0} | values)
    listener = Listener(config, ModelCache(config, build))
    listener.start()
    try:
        yield listener.address
    finally:
        listener.stop(0)


@contextmanager
def talking_to(address: str) -> Iterator[EmbeddingServiceStub]:
    with grpc.insecure_channel(address) as channel:
        yield EmbeddingServiceStub(channel)


class ScriptedService(EmbeddingServiceServicer):
    """Embed by words; `script` says which of the next calls fail, None is none.

    A call of the script that is `late` is answered when `release` is set.
    """

    def __init__(self) -> None:
        self.script: list[grpc.StatusCode | str | None] = []
        self.seen: list[list[str]] = []
        self.purposes: list[str] = []
        self.release = threading.Event()
        self.size = SIZE
        self.problem = ""
        self._lock = threading.Lock()

    def EmbedBatch(  # noqa: N802 - the name in the proto
        self, request: EmbedRequest, context: grpc.ServicerContext
    ) -> EmbedResponse:
        with self._lock:
            self.seen.append(list(request.texts))
            metadata = dict(context.invocation_metadata())
            self.purposes.append(str(metadata[PURPOSE_KEY]))
            step = self.script.pop(0) if self.script else None
        if step == "late":
            self.release.wait(20)
        elif isinstance(step, grpc.StatusCode):
            context.abort(step, "by the script.")
        rows = [Embedding(values=vector_of(t, self.size)) for t in request.texts]
        return EmbedResponse(embeddings=rows, model_name=request.model_name)

    def Health(  # noqa: N802
        self, request: HealthRequest, context: grpc.ServicerContext
    ) -> HealthResponse:
        return HealthResponse(healthy=not self.problem, message=self.problem)


@contextmanager
def scripted(port: int = 0) -> Iterator[tuple[ScriptedService, str]]:
    """Run a server by script; return it with its address."""
    service = ScriptedService()
    with ThreadPoolExecutor(8) as pool:
        server = grpc.server(pool, options=(("grpc.so_reuseport", 0),))
        add_EmbeddingServiceServicer_to_server(service, server)
        found = server.add_insecure_port(f"127.0.0.1:{port}")
        server.start()
        try:
            yield service, f"127.0.0.1:{found}"
        finally:
            service.release.set()
            server.stop(0).wait()


def client_of(
    address: str, model: str = "small", dimensions: int = SIZE, **limits: Any
) -> Embedder:
    """Return the client that devrag itself uses."""
    values = {"timeout_seconds": 20.0, "query_timeout_seconds": 5.0} | limits
    endpoint = Endpoint(address, url_setting="THE_ADDRESS")
    setup = EmbedderConfig(
        Path("unused"), endpoints={"grpc": endpoint}, limits=RequestLimits(**values)
    )
    return build_embedder("grpc", model, dimensions=dimensions, setup=setup)
