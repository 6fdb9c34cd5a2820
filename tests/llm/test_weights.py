from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from devrag.llm.errors import EmbeddingUnavailable
from devrag.llm.local.weights import Weights, dequantise, find_weights, open_weights


def test_shape_is_that_of_the_small_model(weights: Weights) -> None:
    shape = weights.shape
    assert (shape.hidden, shape.layers, shape.heads) == (384, 12, 12)
    assert (shape.inner, shape.positions) == (1536, 512)


def test_a_block_is_a_scale_and_32_levels() -> None:
    block = np.zeros((1, 1, 18), np.uint8)
    block[0, 0, :2] = np.array([0.5], "<f2").view(np.uint8)
    block[0, 0, 2:] = 0x97  # low half 7, high half 9
    assert dequantise(block).tolist() == [[-0.5] * 16 + [0.5] * 16]


@pytest.mark.parametrize("size", [0, 3, 40, 5_000, 5_000_000, 60_000_000])
def test_a_file_cut_short_is_reported(tmp_path: Path, size: int) -> None:
    path = tmp_path / "weights.bin"
    with find_weights().open("rb") as whole:
        path.write_bytes(whole.read(size))
    with pytest.raises(EmbeddingUnavailable, match="Reinstall") as caught:
        open_weights(path)
    assert caught.value.permanent


def test_another_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(b"PK\x03\x04" * 100)
    with pytest.raises(EmbeddingUnavailable, match=r"weights\.bin.*E5S1"):
        open_weights(path)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingUnavailable, match="cannot be read"):
        open_weights(tmp_path / "none.bin")
