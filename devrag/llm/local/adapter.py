"""What training changed in the weights: matrices by a low rank, vectors altogether.

`code_adapter.npz`, beside this file, belongs to multilingual-e5-small-code. Of a matrix
`l0.q.w` it holds `l0.q.w.in` (rank, columns) and `l0.q.w.out` (rows, rank), both int8,
with a scale for each of the ranks (`….scale`, float32): what is added is out · in. Of a
vector it holds the new one (float16). How it was trained: decision 32.
source: Hu et al. 2021, "LoRA: Low-Rank Adaptation of Large Language Models".
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from devrag.llm.errors import EmbeddingUnavailable

CODE_ADAPTER = Path(__file__).with_name("code_adapter.npz")


@dataclass(frozen=True, slots=True)
class Adapter:
    """Changes of tensors by their names.

    suffix: of the model's name. digest: SHA-256 of the file, b'' of none.
    """

    suffix: str = ""
    arrays: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    digest: bytes = b""

    def adapt_vector(
        self, name: str, stored: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the vector of this name, the stored one where training kept it."""
        return self.arrays.get(name, stored)

    def adapt_matrix(
        self, name: str, stored: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the matrix of this name, (rows, columns), with what training added."""
        if f"{name}.in" not in self.arrays:
            return stored
        scale = self.arrays[f"{name}.scale"]
        change = (self.arrays[f"{name}.out"] * scale) @ self.arrays[f"{name}.in"]
        return np.asarray(stored + change, np.float32)


NO_ADAPTER = Adapter()


def read_adapter(path: Path, suffix: str) -> Adapter:
    """Read an adapter. Raises EmbeddingUnavailable where the file is damaged."""
    try:
        data = path.read_bytes()
        with np.load(io.BytesIO(data)) as file:
            arrays = {name: file[name].astype(np.float32) for name in file.files}
        return Adapter(suffix, arrays, hashlib.sha256(data).digest())
    except (OSError, EOFError, ValueError, BadZipFile) as error:
        raise EmbeddingUnavailable(
            f"The embedding model's file {path} cannot be read ({error}). Install"
            " devrag again.",
            permanent=True,
        ) from error
