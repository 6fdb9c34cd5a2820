"""Run the graph in onnxruntime, one window a call and one thread a call.

Callers run several calls side by side. Against one call with several threads this
needs no padding, no mask and no waiting, keeps a window's activations in the core's
cache, and makes vectors independent of neighbours (activations are quantised per call).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as state

from devrag.core.errors import ProviderError
from devrag.llm.embedder import Vector
from devrag.llm.errors import EmbeddingInternal, EmbeddingResourceExhausted
from devrag.llm.local.device import PROVIDERS, Device
from devrag.llm.local.tokens import Ids, Tokens
from devrag.llm.local.weights import Weights, dequantise
from devrag.llm.local.windows import TextRole, TokenWindow

# onnxruntime's errors have no base of their own.
FAILURES = (
    state.EPFail,
    state.Fail,
    state.InvalidArgument,
    state.InvalidGraph,
    state.InvalidProtobuf,
    state.NoSuchFile,
    state.NotImplemented,
    state.RuntimeException,
)
_ERRORS_ONLY = 3


class OnnxEngine:
    """The int8 graph and the rows it is fed with. FAILURES when it cannot load."""

    def __init__(
        self, model: Path, weights: Weights, tokens: Tokens, device: Device = "cpu"
    ) -> None:
        size = weights.shape.hidden
        self._session = _open_session(model, device)
        self._words = weights.blocks("emb.word", size)
        # Every token is of the first of the model's two types.
        positions = weights.vector("emb.pos").reshape(-1, size)
        self._places = positions + weights.vector("emb.type")[:size]
        self._tokens = tokens
        self._prefixes = {kind: tokens.encode(kind.prefix) for kind in TextRole}

    def embed(self, window: TokenWindow) -> Vector:
        ids = self._tokens.wrap([*self._prefixes[window.kind], *window.ids])
        try:
            (pooled,) = self._session.run(None, {"embedded": self._look_up(ids)})
        except (MemoryError, *FAILURES) as error:
            raise describe_failure(error, len(ids)) from error
        vector: Vector = pooled[0] / np.linalg.norm(pooled[0])
        return vector

    def _look_up(self, ids: Ids) -> NDArray[np.float32]:
        rows = dequantise(self._words[np.asarray(ids)])
        rows += self._places[: len(ids)]
        return rows[np.newaxis]


def describe_failure(error: Exception, tokens: int) -> ProviderError:
    """Return what to say of a call that failed, memory of a card's included."""
    if isinstance(error, MemoryError) or "allocate memory" in str(error):
        return EmbeddingResourceExhausted(
            "The local embedding model ran out of memory. Give it more, or fewer"
            " threads."
        )
    return EmbeddingInternal(
        f"The local embedding model failed on {tokens} tokens: {error}"
    )


def _open_session(model: Path, device: Device) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS_ONLY
    # Above "basic" it would fuse Add + LayerNormalization into an operator that
    # takes five times as long on one thread.
    options.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    )
    return onnxruntime.InferenceSession(
        str(model), options, providers=list(PROVIDERS[device])
    )
