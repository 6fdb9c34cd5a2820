"""The models of an embedding server: loaded on first use, then kept."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

import structlog

from devrag.core.errors import ProviderError
from devrag.llm.embedder import Embedder
from devrag.llm.embedding_server.config import ModelConfig, ServerConfig
from devrag.llm.errors import EmbeddingModelNotFound, EmbeddingUnavailable

log = structlog.get_logger("devrag.embedding")


class Loadable(Embedder, Protocol):
    """An Embedder that can be made ready before it is asked."""

    def load(self) -> None:
        """Load the model now; ProviderError when that fails."""
        ...


class ModelCache:
    """The configured models by name.

    build: returns a model that is not loaded yet; EmbeddingModelNotFound where it is
    not installed. on_load: is told each model that was loaded or could not be.
    """

    def __init__(self, config: ServerConfig, build: Callable[[str], Loadable]) -> None:
        self.configs = {model.name: model for model in config.models}
        self.default_model = config.default_model
        self.on_load: Callable[[str, bool], None] = lambda _name, _is_loaded: None
        self._build = build
        self._lock = threading.Lock()
        self._loaded: dict[str, Embedder] = {}
        self._failed: set[str] = set()

    def list_servable(self) -> list[ModelConfig]:
        """Return the models that calls can use: installed, and not failing to load."""
        return [
            config
            for config in self.configs.values()
            if config.name not in self._failed and self._is_installed(config)
        ]

    def _is_installed(self, config: ModelConfig) -> bool:
        try:
            self._build(config.name)
        except EmbeddingModelNotFound:
            return False
        return True

    def get_config(self, name: str = "") -> ModelConfig:
        """Return what is configured of a model, of the default one without a name."""
        found = self.configs.get(name or self.default_model)
        if found is None:
            raise EmbeddingModelNotFound(
                f"There is no model “{name}” here. There is: {self._names()}."
            )
        return found

    def _names(self) -> str:
        return ", ".join(each.name for each in self.list_servable()) or "none"

    def get_model(self, name: str = "") -> Embedder:
        """Return a model, loaded; EmbeddingUnavailable when that fails, each time.

        EmbeddingModelNotFound where it is configured and not installed.
        """
        config = self.get_config(name)
        with self._lock:
            if config.name not in self._loaded:
                self._loaded[config.name] = self._load(config)
            return self._loaded[config.name]

    def preload(self) -> None:
        """Load what shall not wait for its first call; log what cannot be used."""
        for config in self.configs.values():
            if not config.preload and self._is_installed(config):
                continue
            try:
                self.get_model(config.name)
            except ProviderError as error:
                log.warning("model not loaded", model=config.name, error=error.message)

    def _load(self, config: ModelConfig) -> Embedder:
        try:
            model = self._build(config.name)
            model.load()
            _check_dimension(model, config)
        except EmbeddingModelNotFound as error:
            self.on_load(config.name, False)
            raise EmbeddingModelNotFound(
                f"The model “{config.name}” is configured but not installed here. "
                f"Installed: {self._names()}. Remove it from `models`."
            ) from error
        except ProviderError as error:
            self._failed.add(config.name)
            self.on_load(config.name, False)
            raise EmbeddingUnavailable(
                f"The model “{config.name}” cannot be loaded: {error.message}"
            ) from error
        log.info("model loaded", model=config.name)
        self._failed.discard(config.name)
        self.on_load(config.name, True)
        return model


def _check_dimension(model: Embedder, config: ModelConfig) -> None:
    if model.dimensions != config.dimension:
        raise EmbeddingUnavailable(
            f"it makes vectors of {model.dimensions} dimensions, not "
            f"{config.dimension}. Correct its `dimension`."
        )
