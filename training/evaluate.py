"""How well vectors alone find what answers: of the sets and of what is kept aside."""

from __future__ import annotations

import lzma
import math
import pickle
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from training.encoder import Base, Sequences, State, encode_all


class Sets:
    """Questions with what answers them, written by bundle.py.

    sources: name → text and file of each chunk. questions: set, source, group, whether
    targets are files or chunks, and the targets.
    """

    def __init__(self, path: Path) -> None:
        with lzma.open(path) as file:
            stored: Mapping[str, Any] = pickle.load(file)
        self.texts = _sequences(stored["texts"])
        self.questions = _sequences(stored["questions"])
        self.frames = stored["frames"]
        self._rows: Sequence[Mapping[str, Any]] = stored["rows"]
        self._sources: Mapping[str, Any] = stored["sources"]

    def vectors(self, base: Base, state: State) -> tuple[Tensor, Tensor]:
        """Return the vectors of questions and of texts."""
        query, passage = self.frames
        questions = encode_all(base, state, self.questions, query)
        return questions, encode_all(base, state, self.texts, passage)

    def figures(self, questions: Tensor, texts: Tensor) -> dict[str, float]:
        """Return the figures of each set."""
        found: dict[str, list[float]] = defaultdict(list)
        for name, source in self._sources.items():
            asked = [n for n, row in enumerate(self._rows) if row["source"] == name]
            if asked:
                self._ask(source, asked, questions[asked], texts, found)
        return {name: round(float(np.mean(of)), 4) for name, of in found.items()}

    def _ask(
        self,
        source: Mapping[str, Any],
        asked: Sequence[int],
        questions: Tensor,
        texts: Tensor,
        found: dict[str, list[float]],
    ) -> None:
        device = texts.device
        chunks = torch.from_numpy(source["texts"].astype(np.int64)).to(device)
        files = torch.from_numpy(source["files"].astype(np.int64)).to(device)
        near = questions.float() @ texts[chunks].float().T
        by_file = torch.full((len(asked), source["file_count"]), -1.0, device=device)
        by_file.scatter_reduce_(1, files.expand(len(asked), -1), near, "amax")
        for number, one, of_files in zip(asked, near, by_file, strict=True):
            row = self._rows[number]
            values = of_files if row["is_file"] else one
            ranks = [_rank(values, target) for target in row["targets"]]
            for figure, value in _worth(row["set"], ranks).items():
                found[figure].append(value)
                if row["set"] == "swe-qa" and figure.endswith("12"):
                    found[f"{figure} {row['group']}"].append(value)


def _sequences(stored: tuple[Any, Any]) -> Sequences:
    ids, lengths = stored
    bounds = np.cumsum([0, *lengths.astype(np.int64)])
    return Sequences(ids.astype(np.int32), bounds)


def _rank(values: Tensor, target: Sequence[int]) -> int:
    if not len(target):
        return 1 << 30
    best = values[torch.as_tensor(np.asarray(target), device=values.device)].max()
    return int((values > best).sum()) + 1


def _worth(name: str, ranks: Sequence[int]) -> dict[str, float]:
    first = min(ranks)
    if name == "functions":
        return {
            "functions first 3": float(first <= 3),
            "functions mrr": 1 / first if first <= 10 else 0.0,
        }
    if name in {"notes", "aside"}:
        return {f"{name} mrr": 1 / first if first <= 10 else 0.0}
    if name in {"swe-qa", "aside-change"}:
        return {
            f"{name} files 10": sum(rank <= 10 for rank in ranks) / len(ranks),
            f"{name} files 12": sum(rank <= 12 for rank in ranks) / len(ranks),
        }
    gain = sum(1 / math.log2(1 + rank) for rank in ranks if rank <= 10)
    best = sum(1 / math.log2(2 + n) for n in range(min(10, len(ranks))))
    figures = {f"{name} ndcg": gain / best}
    if name == "tuning":
        figures["tuning mrr"] = 1 / first if first <= 10 else 0.0
    return figures
