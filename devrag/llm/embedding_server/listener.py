"""A port with the embedding service, gRPC's health service and reflection."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from devrag.core.errors import ServiceError
from devrag.llm.embedding_server.config import ServerConfig
from devrag.llm.embedding_server.models import ModelCache
from devrag.llm.embedding_server.service import EmbeddingService
from devrag.llm.proto.embedding_pb2 import DESCRIPTOR
from devrag.llm.proto.embedding_pb2_grpc import add_EmbeddingServiceServicer_to_server

SERVICE = DESCRIPTOR.services_by_name["EmbeddingService"].full_name
# As long as a client waits for an answer.
GRACE_SECONDS = 30.0
# Else a second server would share the port in silence.
_OPTIONS = (("grpc.so_reuseport", 0),)
_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


class Listener:
    """Serve models on a port, which is bound at once; ServiceError when it is taken."""

    def __init__(self, config: ServerConfig, models: ModelCache) -> None:
        self._models = models
        self._pool = ThreadPoolExecutor(config.max_workers, "grpc")
        self._health = health.HealthServicer()
        self._server = grpc.server(self._pool, options=_OPTIONS)
        service = EmbeddingService(models)
        add_EmbeddingServiceServicer_to_server(service, self._server)  # type: ignore[no-untyped-call]
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        host = f"[{config.host}]" if ":" in config.host else config.host
        self.address = f"{host}:{self._bind(f'{host}:{config.port}')}"

    def _bind(self, address: str) -> int:
        try:
            return self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise ServiceError(
                f"The embedding server cannot listen on {address}: it is taken, or no "
                "address of this machine. Give another --port or --host."
            ) from error

    def start(self) -> None:
        """Answer from now on, then load what shall be loaded before the first call."""
        self._models.on_load = self._tell_health
        default = self._models.get_config()
        self._set_health(is_serving=not default.preload)
        self._server.start()
        self._models.preload()

    def stop(self, grace_seconds: float = GRACE_SECONDS) -> None:
        """Take no further call; return when those at work are answered."""
        self._health.enter_graceful_shutdown()
        self._server.stop(grace_seconds).wait()
        self._pool.shutdown()

    def _tell_health(self, model: str, is_loaded: bool) -> None:
        if model == self._models.default_model:
            self._set_health(is_serving=is_loaded)

    def _set_health(self, *, is_serving: bool) -> None:
        for name in ("", SERVICE):
            self._health.set(name, _SERVING if is_serving else _NOT_SERVING)
