"""The encoder in plain numpy: slower, for machines where onnxruntime does not load."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from devrag.llm.embedder import Vector
from devrag.llm.local.tokens import Tokens
from devrag.llm.local.weights import Weights, dequantise
from devrag.llm.local.windows import TokenWindow

Matrix = NDArray[np.float32]
# Abramowitz and Stegun 1964, formula 7.1.26: an error of less than 1.5e-7.
_ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
_ERF_AT = 0.3275911


class NumpyEngine:
    """The same forward pass as the graph's, in float32; any number of threads."""

    def __init__(self, weights: Weights, tokens: Tokens) -> None:
        self._weights = weights
        self._shape = weights.shape
        self._tokens = tokens
        size = self._shape.hidden
        self._words = weights.blocks("emb.word", size)
        positions = weights.vector("emb.pos").reshape(-1, size)
        self._places = positions + weights.vector("emb.type")[:size]
        self._matrices = {
            f"l{layer}.{part}": weights.matrix(f"l{layer}.{part}.w", columns).T
            for layer in range(self._shape.layers)
            for part, columns in self._columns().items()
        }

    def embed(self, window: TokenWindow) -> Vector:
        prefix = self._tokens.encode(window.kind.prefix)
        ids = np.asarray(self._tokens.wrap([*prefix, *window.ids]))
        rows = dequantise(self._words[ids]) + self._places[: len(ids)]
        hidden = self._norm(rows, "emb.ln")
        for layer in range(self._shape.layers):
            hidden = self._layer(hidden, f"l{layer}")
        pooled = hidden.mean(axis=0)
        vector: Vector = (pooled / np.linalg.norm(pooled)).astype(np.float32)
        return vector

    def _columns(self) -> dict[str, int]:
        hidden = dict.fromkeys(("q", "k", "v", "ao", "fi"), self._shape.hidden)
        return {**hidden, "fo": self._shape.inner}

    def _layer(self, hidden: Matrix, name: str) -> Matrix:
        attended = self._dense(self._attend(hidden, name), f"{name}.ao")
        hidden = self._norm(hidden + attended, f"{name}.aln")
        inner = _gelu(self._dense(hidden, f"{name}.fi"))
        return self._norm(hidden + self._dense(inner, f"{name}.fo"), f"{name}.oln")

    def _attend(self, hidden: Matrix, name: str) -> Matrix:
        query, key, value = (
            self._dense(hidden, f"{name}.{part}")
            .reshape(len(hidden), self._shape.heads, -1)
            .transpose(1, 0, 2)
            for part in "qkv"
        )
        scores = query @ key.transpose(0, 2, 1) / sqrt(query.shape[-1])
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        attended: Matrix = (shares @ value).transpose(1, 0, 2).reshape(hidden.shape)
        return attended

    def _dense(self, rows: Matrix, name: str) -> Matrix:
        return rows @ self._matrices[name] + self._weights.vector(f"{name}.b")

    def _norm(self, rows: Matrix, name: str) -> Matrix:
        centred = rows - rows.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self._epsilon)
        scale, shift = (self._weights.vector(f"{name}.{part}") for part in "wb")
        normed: Matrix = centred / deviation * scale + shift
        return normed

    @property
    def _epsilon(self) -> float:
        return self._shape.epsilon


def _gelu(values: Matrix) -> Matrix:
    return np.asarray(values * (1 + _erf(values / sqrt(2))) / 2, np.float32)


def _erf(values: Matrix) -> Matrix:
    at = 1 / (1 + _ERF_AT * np.abs(values))
    series = np.polyval((*_ERF, 0.0), at) * np.exp(-(values**2))
    return np.asarray(np.sign(values) * (1 - series), np.float32)
