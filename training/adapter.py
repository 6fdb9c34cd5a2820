"""What training changed, in the form that the product reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_LEVELS = 127


def write_adapter(
    matrices: Mapping[str, tuple[Floats, Floats]],
    vectors: Mapping[str, Floats],
    path: Path,
) -> None:
    """Write an adapter as devrag.llm.local.adapter reads it.

    matrices: of each tensor the two of which the product is added, (rows, rank) and
    (rank, columns); written in int8, ranks of equal size on both sides. vectors: new
    values.
    """
    arrays: dict[str, NDArray[np.generic]] = {}
    for name, (out, inwards) in matrices.items():
        arrays |= _low_rank(name, out, inwards)
    for name, values in vectors.items():
        arrays[name] = values.astype(np.float16)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


def _low_rank(
    name: str, outwards: Floats, inwards: Floats
) -> dict[str, NDArray[np.generic]]:
    out_base, out_rest = np.linalg.qr(outwards)
    in_base, in_rest = np.linalg.qr(inwards.T)
    left, sizes, right = np.linalg.svd(out_rest @ in_rest.T)
    out_levels, out_scale = _levels(out_base @ left * np.sqrt(sizes), axis=0)
    in_levels, in_scale = _levels(np.sqrt(sizes)[:, None] * right @ in_base.T, axis=1)
    return {
        f"{name}.in": in_levels,
        f"{name}.out": out_levels,
        f"{name}.scale": (out_scale * in_scale).astype(np.float32),
    }


def _levels(matrix: Floats, *, axis: int) -> tuple[NDArray[np.int8], Floats]:
    """Return int8 levels and the scale of each rank; axis: along which it is one."""
    scale = np.abs(matrix).max(axis=axis) / _LEVELS
    scale = np.where(scale > 0, scale, 1).astype(np.float32)
    return np.rint(matrix / np.expand_dims(scale, axis)).astype(np.int8), scale
