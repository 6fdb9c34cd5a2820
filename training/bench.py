"""Evaluate changes of the model and write what came out."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training.adapter import write_adapter
from training.encoder import Base, State, changed, low_rank, read_change
from training.evaluate import Sets

RANK = 32
# Vectors are written in so many.
_FILES = 3


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of a model, and its vectors of all texts of the sets."""

    name: str
    figures: Mapping[str, float]
    texts: Tensor


@dataclass(frozen=True, slots=True)
class Bench:
    """Where models are compared; figures go to a file as they come."""

    base: Base
    sets: Sets
    output: Path

    def measure(self, name: str, parts: Sequence[tuple[float, State]]) -> Measured:
        """Evaluate the model with changes."""
        began = time.monotonic()
        kind = torch.float16 if self.base.places.is_cuda else torch.float32
        state = changed(self.base, parts, kind)
        questions, texts = self.sets.vectors(self.base, state)
        figures = self.sets.figures(questions, texts)
        took = round(time.monotonic() - began, 1)
        line = json.dumps({"model": name, "s": took, **figures})
        with (self.output / "figures.jsonl").open("a") as file:
            file.write(line + "\n")
        print(line, flush=True)
        return Measured(name, figures, texts)


def save_change(
    change: State, base: Base, path: Path, rank: int = RANK
) -> dict[str, Tensor]:
    """Write a change as an adapter of the product; return what is read again."""
    matrices, vectors = low_rank(change, rank)
    write_adapter(
        {
            n: (out.cpu().numpy(), ins.cpu().numpy())
            for n, (out, ins) in matrices.items()
        },
        {n: (base.state[n] + added).cpu().numpy() for n, added in vectors.items()},
        path,
    )
    return read_change(path, base)


def mean_of(changes: Sequence[State]) -> dict[str, Tensor]:
    """Return the mean of changes."""
    return {
        name: torch.stack([each[name] for each in changes]).mean(0)
        for name in changes[0]
    }


def save_vectors(vectors: Tensor, folder: Path) -> None:
    """Write vectors as int8 with a scale each, in several files."""
    rows = vectors.float().cpu().numpy()
    scale = np.abs(rows).max(axis=1, keepdims=True) / 127
    levels = np.rint(rows / scale).astype(np.int8)
    for number, rows_of_part in enumerate(np.array_split(np.arange(len(rows)), _FILES)):
        np.savez(
            folder / f"vectors{number}.npz",
            levels=levels[rows_of_part],
            scale=scale[rows_of_part].astype(np.float32),
        )
