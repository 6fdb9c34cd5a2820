"""Build the encoder as an ONNX graph with int8 weights.

Input `embedded` (batch, tokens, hidden): word + position + type rows, looked up outside
so that 250,000 word rows stay 4-bit on disk. Output `pooled` (batch, hidden): the mean
over all tokens. There is no attention mask: every text of a batch has the same length,
which lets onnxruntime take its flash attention path.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from devrag.llm.local.weights import Weights

INPUT = "embedded"
OUTPUT = "pooled"
_FUSED = "com.microsoft"
_OPSETS = {"": 20, _FUSED: 1}
_IR_VERSION = 10
# 7 of 8 bits: without VNNI, x86 sums two u8 * s8 products in 16 bits and would
# saturate. It costs 0.0002 of cosine.
_WEIGHT_LEVELS = 64


def build_graph(weights: Weights) -> bytes:
    """Return the serialised model."""
    model: bytes = _Builder(weights).build().SerializeToString()
    return model


class _Builder:
    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._shape = weights.shape
        self._nodes: list[NodeProto] = []
        self._constants: list[TensorProto] = []

    def build(self) -> ModelProto:
        hidden = self._norm(INPUT, "emb.ln")
        for index in range(self._shape.layers):
            hidden = self._layer(hidden, f"l{index}")
        axis = self._constant("pool.axis", np.array([1], np.int64))
        self._node("ReduceMean", [hidden, axis], OUTPUT, keepdims=0)
        size = self._shape.hidden
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [_tensor(INPUT, ["batch", "tokens", size])],
            [_tensor(OUTPUT, ["batch", size])],
            self._constants,
        )
        opsets = [helper.make_opsetid(*item) for item in _OPSETS.items()]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)

    def _layer(self, hidden: str, name: str) -> str:
        attended = self._attention(hidden, name)
        projected = self._dense(attended, f"{name}.ao", self._shape.hidden)
        hidden = self._add_norm(projected, hidden, f"{name}.aln")
        inner = self._dense(hidden, f"{name}.fi", self._shape.hidden)
        active = self._node("Gelu", [inner], f"{name}.gelu")
        outer = self._dense(active, f"{name}.fo", self._shape.inner)
        return self._add_norm(outer, hidden, f"{name}.oln")

    def _attention(self, hidden: str, name: str) -> str:
        """Quantise the input once for the three projections."""
        quantised = [f"{name}.{part}" for part in ("level", "scale", "zero")]
        self._nodes.append(
            helper.make_node("DynamicQuantizeLinear", [hidden], quantised)
        )
        level, scale, zero = quantised
        projections = []
        for part in "qkv":
            key = f"{name}.{part}"
            weight, weight_scale, bias = self._int8(key, self._shape.hidden)
            inputs = [level, weight, scale, weight_scale, zero, "", bias]
            projections.append(self._node("MatMulIntegerToFloat", inputs, key, _FUSED))
        return self._node(
            "MultiHeadAttention",
            projections,
            f"{name}.attention",
            _FUSED,
            num_heads=self._shape.heads,
        )

    def _dense(self, source: str, name: str, columns: int) -> str:
        weight, scale, bias = self._int8(name, columns)
        inputs = [source, weight, scale, "", bias]
        return self._node("DynamicQuantizeMatMul", inputs, name, _FUSED)

    def _add_norm(self, source: str, residual: str, name: str) -> str:
        total = self._node("Add", [source, residual], f"{name}.sum")
        return self._norm(total, name)

    def _norm(self, source: str, name: str) -> str:
        inputs = [source, self._vector(f"{name}.w"), self._vector(f"{name}.b")]
        epsilon = self._shape.epsilon
        return self._node("LayerNormalization", inputs, name, epsilon=epsilon)

    def _int8(self, name: str, columns: int) -> tuple[str, str, str]:
        """Store a matrix transposed, with one scale an output; return names."""
        matrix = self._weights.matrix(f"{name}.w", columns).T
        scale = np.abs(matrix).max(axis=0) / _WEIGHT_LEVELS
        levels = np.rint(matrix / np.where(scale > 0, scale, 1)).astype(np.int8)
        return (
            self._constant(f"{name}.w", levels),
            self._constant(f"{name}.s", scale.astype(np.float32)),
            self._vector(f"{name}.b"),
        )

    def _vector(self, name: str) -> str:
        return self._constant(name, self._weights.vector(name))

    def _constant(self, name: str, values: NDArray[np.generic]) -> str:
        self._constants.append(
            numpy_helper.from_array(np.ascontiguousarray(values), name)
        )
        return name

    def _node(
        self,
        operator: str,
        inputs: Sequence[str],
        output: str,
        domain: str = "",
        **attributes: Any,
    ) -> str:
        node = helper.make_node(operator, inputs, [output], domain=domain, **attributes)
        self._nodes.append(node)
        return output


def _tensor(name: str, shape: Sequence[str | int]) -> TensorProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
