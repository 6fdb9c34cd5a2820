"""The encoder in torch: what a bundle holds, with changes of its tensors.

A state is the tensors by the names of the weights file (`l0.q.w`, `l0.q.b`, `emb.ln.w`
…); a change is what is added to some of them. Needs torch and numpy alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor

LAYERS, HEADS, EPSILON = 12, 12, 1e-12
PARTS = ("q", "k", "v", "ao", "fi", "fo")
_TOKENS_AT_ONCE = 1 << 17
State = Mapping[str, Tensor]


class Sequences(NamedTuple):
    """Token ids one after the other, and where each sequence begins and ends."""

    ids: NDArray[np.int32]
    bounds: NDArray[np.int64]

    def __getitem__(self, index: int) -> NDArray[np.int32]:  # type: ignore[override]
        return self.ids[self.bounds[index] : self.bounds[index + 1]]

    @property
    def count(self) -> int:
        return len(self.bounds) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.bounds)


class Base(NamedTuple):
    """The model as it is stored. words: (words, size); places: (positions, size)."""

    words: Tensor
    places: Tensor
    state: State


def read_base(path: Path, device: str) -> Base:
    """Read the weights of a bundle, see bundle.py."""
    stored = np.load(path)
    state = {
        name: _to(_dequantise(stored[name]), device)
        for name in stored.files
        if name.endswith(".w") and stored[name].dtype == np.uint8
    }
    words = state.pop("emb.word.w").half()
    vectors = {
        name: _to(stored[name], device)
        for name in stored.files
        if stored[name].dtype == np.float32
    }
    return Base(words, vectors.pop("places"), {**state, **vectors})


def _dequantise(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Turn (rows, blocks, 18) bytes into (rows, blocks · 32) float32."""
    scales = np.ascontiguousarray(blocks[..., :2]).view("<f2").astype(np.float32)
    packed = blocks[..., 2:]
    levels = np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32)
    return ((levels - 8) * scales).reshape(len(blocks), -1)


def _to(array: NDArray[np.float32], device: str) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(array)).to(device)


def read_change(path: Path, base: Base) -> dict[str, Tensor]:
    """Return what an adapter of the product adds to the tensors."""
    device = str(base.places.device)
    stored = {k: _to(v.astype(np.float32), device) for k, v in np.load(path).items()}
    change = {}
    for name, tensor in base.state.items():
        if f"{name}.in" in stored:
            scaled = stored[f"{name}.out"] * stored[f"{name}.scale"]
            change[name] = scaled @ stored[f"{name}.in"]
        elif name in stored:
            change[name] = stored[name] - tensor
    return change


def changed(
    base: Base, parts: Sequence[tuple[float, State]], kind: torch.dtype
) -> dict[str, Tensor]:
    """Return the state with changes added, each times its share."""
    state = {}
    for name, tensor in base.state.items():
        added = [share * part[name] for share, part in parts if name in part]
        state[name] = sum(added, tensor).to(kind)
    return state


def encode(base: Base, state: State, ids: Tensor, mask: Tensor | None) -> Tensor:
    """Return (texts, size) L2-normed. ids: (texts, tokens); mask: None if all count."""
    kind = state["l0.q.w"].dtype
    rows = base.words[ids].float() + base.places[: ids.shape[1]]
    rows = _norm(rows.to(kind), state, "emb.ln")
    seen = None if mask is None else mask[:, None, None, :]
    for index in range(LAYERS):
        rows = _layer(rows, seen, state, f"l{index}")
    if mask is None:
        return F.normalize(rows.float().mean(1), dim=-1)
    shown = mask[..., None].float()
    return F.normalize((rows.float() * shown).sum(1) / shown.sum(1), dim=-1)


def _layer(rows: Tensor, mask: Tensor | None, state: State, name: str) -> Tensor:
    count, length, size = rows.shape
    query, key, value = (
        _dense(rows, state, f"{name}.{part}")
        .view(count, length, HEADS, -1)
        .transpose(1, 2)
        for part in "qkv"
    )
    attended = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    attended = attended.transpose(1, 2).reshape(count, length, size)
    rows = _norm(rows + _dense(attended, state, f"{name}.ao"), state, f"{name}.aln")
    inner = F.gelu(_dense(rows, state, f"{name}.fi"))
    return _norm(rows + _dense(inner, state, f"{name}.fo"), state, f"{name}.oln")


def _dense(rows: Tensor, state: State, name: str) -> Tensor:
    return F.linear(rows, state[f"{name}.w"], state[f"{name}.b"])


def _norm(rows: Tensor, state: State, name: str) -> Tensor:
    scale, shift = state[f"{name}.w"], state[f"{name}.b"]
    return F.layer_norm(rows, scale.shape, scale, shift, EPSILON)


@torch.inference_mode()
def encode_all(
    base: Base, state: State, texts: Sequences, frame: tuple[list[int], int]
) -> Tensor:
    """Return the vectors of all texts, (texts, size) float16. frame: around each."""
    device = base.places.device
    start, end = frame
    lengths = texts.lengths
    vectors = torch.empty(texts.count, base.places.shape[1], dtype=torch.float16)
    vectors = vectors.to(device)
    for rows in _equally_long(lengths):
        length = int(lengths[rows[0]])
        places = texts.bounds[rows][:, None] + np.arange(length)
        ids = np.empty((len(rows), length + len(start) + 1), np.int64)
        ids[:, : len(start)], ids[:, -1] = start, end
        ids[:, len(start) : -1] = texts.ids[places]
        found = encode(base, state, torch.from_numpy(ids).to(device), None)
        vectors[torch.from_numpy(rows).to(device)] = found.half()
    return vectors


def _equally_long(lengths: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    order = np.argsort(lengths, kind="stable")
    cuts = np.flatnonzero(np.diff(lengths[order])) + 1
    for group in np.split(order, cuts):
        most = max(1, _TOKENS_AT_ONCE // max(1, int(lengths[group[0]])))
        for at in range(0, len(group), most):
            yield group[at : at + most]


def low_rank(
    change: State, rank: int
) -> tuple[dict[str, tuple[Tensor, Tensor]], dict[str, Tensor]]:
    """Return (out, in) of this rank that are nearest to each matrix, and vectors."""
    matrices: dict[str, tuple[Tensor, Tensor]] = {}
    vectors: dict[str, Tensor] = {}
    for name, tensor in change.items():
        if tensor.dim() == 2:
            left, sizes, right = torch.svd_lowrank(tensor, q=2 * rank, niter=6)
            root = sizes[:rank].sqrt()
            matrices[name] = left[:, :rank] * root, (right[:, :rank] * root).T
        else:
            vectors[name] = tensor
    return matrices, vectors
