"""The local Embedder: loads on first use, cuts texts, spreads them over threads."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import structlog

from devrag.core.errors import ProviderError
from devrag.llm.embedder import EmbeddedBatch, Health, Matrix, Vector
from devrag.llm.errors import EmbeddingInvalidArgument, EmbeddingModelNotFound
from devrag.llm.local.adapter import CODE_ADAPTER, NO_ADAPTER, read_adapter
from devrag.llm.local.device import Device
from devrag.llm.local.store import Progress, ensure_model
from devrag.llm.local.tokens import Tokens
from devrag.llm.local.weights import Weights, find_weights, open_weights
from devrag.llm.local.windows import Engine, TextRole, cut_document, cut_query

_BASE = "multilingual-e5-small"
_CODE = "-code"
# Trained further to find code and documentation (decision 32).
MODEL = f"{_BASE}{_CODE}"
_MODELS = (MODEL, _BASE)
DIMENSIONS = 384
_MAX_TOKENS = 512
_MOST_THREADS = 4

log = structlog.get_logger("devrag.embedding")


@dataclass(frozen=True, slots=True)
class _Loaded:
    tokens: Tokens
    engine: Engine
    overhead: dict[TextRole, int]  # tokens that prefix and specials take in a window

    def capacity(self, kind: TextRole) -> int:
        return _MAX_TOKENS - self.overhead[kind]


class LocalEmbedder:
    """multilingual-e5-small in this process, as it is or trained further for code.

    Documents over 512 tokens become the mean of up to 4 windows; queries are cut.
    progress: called while the model is built on its first use on a machine.
    """

    provider: str = "local"
    model: str
    dimensions: int = DIMENSIONS
    max_tokens: int = _MAX_TOKENS

    def __init__(
        self,
        model: str = MODEL,
        *,
        models_dir: Path,
        threads: int | None = None,
        progress: Progress | None = None,
        device: Device = "cpu",
    ) -> None:
        if model not in _MODELS:
            raise EmbeddingModelNotFound(
                f"The provider “local” has no model “{model}”. It has:"
                f" {', '.join(_MODELS)}."
            )
        self.model = model
        self._models_dir = models_dir
        self._threads = threads or min(_MOST_THREADS, os.cpu_count() or 1)
        self._progress = progress
        self._device = device
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    def load(self) -> None:
        """Load the model now, building it first where needed."""
        self._load()

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return one row a text, in the order given."""
        if isinstance(texts, str):
            raise EmbeddingInvalidArgument(
                "embed_documents takes a list of texts, not one text."
            )
        started = time.perf_counter()
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        # Longest first, so that no thread is left with a long text at the end.
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]), reverse=True)
        loaded = self._load()
        with ThreadPoolExecutor(self._threads, "embed") as pool:
            results = pool.map(lambda i: _embed_document(loaded, texts[i]), order)
            for index, vector in zip(order, results, strict=True):
                vectors[index] = vector
        seconds = round(time.perf_counter() - started, 3)
        log.debug("embedded", model=self.model, texts=len(texts), seconds=seconds)
        return vectors

    def embed_parts(self, texts: Sequence[str]) -> Iterator[EmbeddedBatch]:
        """Yield all vectors at once: no call can fail alone here."""
        yield EmbeddedBatch(0, self.embed_documents(texts))

    def embed_query(self, text: str) -> Vector:
        """Return the vector to compare with those of documents."""
        loaded = self._load()
        ids = loaded.tokens.encode(text)
        return loaded.engine.embed(cut_query(ids, loaded.capacity(TextRole.QUERY)))

    def count_tokens(self, text: str) -> int:
        """Return how many tokens the text fills as a document, all included."""
        loaded = self._load()
        return len(loaded.tokens.encode(text)) + loaded.overhead[TextRole.PASSAGE]

    def count_calls(self, texts: Sequence[str]) -> int:
        """Return 1: nothing is sent."""
        return min(1, len(texts))

    def fit(self, text: str) -> str:
        """Return the text: a long one is read in windows."""
        return text

    def health(self) -> Health:
        """Return whether the model answers."""
        try:
            self.embed_query("health")
        except ProviderError as error:
            return Health(False, f"Error: {error.message}")
        return Health(True, "Server is healthy")

    def _load(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                weights = self._open_weights()
                tokens = Tokens(weights.vocabulary)
                overhead = {
                    k: len(tokens.wrap(tokens.encode(k.prefix))) for k in TextRole
                }
                self._loaded = _Loaded(tokens, self._engine(weights, tokens), overhead)
            return self._loaded

    def _open_weights(self) -> Weights:
        is_code = self.model == MODEL
        adapter = read_adapter(CODE_ADAPTER, _CODE) if is_code else NO_ADAPTER
        return open_weights(find_weights(), adapter)

    def _engine(self, weights: Weights, tokens: Tokens) -> Engine:
        try:
            # Installed with us, but not loadable everywhere (old C library, odd CPU).
            from devrag.llm.local.runtime import FAILURES, OnnxEngine  # noqa: PLC0415
        except ImportError as error:
            return self._fall_back(weights, tokens, error)
        try:
            graph = ensure_model(weights, self._models_dir, self._progress)
            return OnnxEngine(graph, weights, tokens, self._device)
        except (ImportError, *FAILURES) as error:
            return self._fall_back(weights, tokens, error)

    def _fall_back(self, weights: Weights, tokens: Tokens, error: Exception) -> Engine:
        log.warning(
            "onnxruntime cannot run the embedding model; numpy does, which is several"
            " times slower",
            model=self.model,
            error=str(error),
        )
        # Its matrices are needed only here.
        from devrag.llm.local.fallback_engine import NumpyEngine  # noqa: PLC0415

        return NumpyEngine(weights, tokens)


def _embed_document(loaded: _Loaded, text: str) -> Vector:
    ids = loaded.tokens.encode(text)
    windows = cut_document(ids, loaded.capacity(TextRole.PASSAGE))
    vectors = [loaded.engine.embed(window) for window in windows]
    if len(vectors) == 1:
        return vectors[0]
    total: Vector = np.sum(vectors, axis=0, dtype=np.float32)
    return np.asarray(total / np.linalg.norm(total), np.float32)
