"""What training changed, in the form that the product reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_LEVELS = 127


def write_adapter(parameters: Mapping[str, Floats], path: Path) -> None:
    """Write parameters of train.Encoder as devrag.llm.local.adapter reads them."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for name, values in parameters.items():
        tensor = re.sub(r"^l\.(\d+)\.", r"l\1.", name).replace("emb_ln.", "emb.ln.")
        owner, _, part = tensor.rpartition(".")
        if part == "inwards":
            arrays |= _low_rank(owner, values, parameters[name[:-7] + "outwards"])
        elif part in {"weight", "bias"}:
            arrays[f"{owner}.{part[0]}"] = values.astype(np.float16)
    np.savez_compressed(path, **arrays)


def _low_rank(
    owner: str, inwards: Floats, outwards: Floats
) -> dict[str, NDArray[np.generic]]:
    """Return outwards · inwards in int8, its ranks of equal size on both sides."""
    out_base, out_rest = np.linalg.qr(outwards)
    in_base, in_rest = np.linalg.qr(inwards.T)
    left, sizes, right = np.linalg.svd(out_rest @ in_rest.T)
    out_levels, out_scale = _levels(out_base @ left * np.sqrt(sizes), axis=0)
    in_levels, in_scale = _levels(np.sqrt(sizes)[:, None] * right @ in_base.T, axis=1)
    return {
        f"{owner}.w.in": in_levels,
        f"{owner}.w.out": out_levels,
        f"{owner}.w.scale": (out_scale * in_scale).astype(np.float32),
    }


def _levels(matrix: Floats, *, axis: int) -> tuple[NDArray[np.int8], Floats]:
    """Return int8 levels and the scale of each rank; axis: along which it is one."""
    scale = np.abs(matrix).max(axis=axis) / _LEVELS
    scale = np.where(scale > 0, scale, 1).astype(np.float32)
    return np.rint(matrix / np.expand_dims(scale, axis)).astype(np.int8), scale
