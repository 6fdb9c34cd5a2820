"""Train multilingual-e5-small further on pairs of questions and texts.

    python -m training.train BUNDLE OUTPUT [--runs NAME …] [--before ADAPTER]

BUNDLE is a folder that bundle.py wrote; needs torch, numpy and a GPU. Each of RUNS is
trained and evaluated, then means of their changes. Word rows stay as they are; matrices
change by a low rank, biases and norms a little. A question shall be nearer to its text
than to the other texts of its batch, which holds a few repositories with many pairs
each, so that it is told from texts of its own repository.
source: van den Oord et al. 2018 (InfoNCE), Hu et al. 2021 (LoRA).
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import pickle
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).parent.parent))

from training.bench import Bench, save_change
from training.encoder import (
    Base,
    Sequences,
    encode,
    encode_all,
    read_base,
    read_change,
)
from training.evaluate import Sets

KINDS = (
    *("comment", "section", "translation", "written"),
    *("heading", "naming", "change"),
)
_RANK, _TEMPERATURE = 32, 0.01
_RATE_OF_VECTORS, _WARM_UP, _LAST_RATE = 3e-5, 60, 0.05
# How much it counts that a text finds its question, too.
_BACKWARD = 0.3
# At what temperature similarities of the untrained model are kept.
_KEPT_TEMPERATURE = 0.03
_NEIGHBOURS = 8
_FIRST = {"comment": 1.0, "section": 0.5, "translation": 0.5, "written": 2.5}
_ALL = {**_FIRST, "heading": 0.7, "naming": 0.5, "change": 0.7}


@dataclass(frozen=True, slots=True)
class Run:
    """How a model is trained. shares: how often a pair is drawn, by kind.

    groups, pairs: of a batch; near: the share of pairs that are drawn because their
    texts are near those of others. kept: how much the similarities of the untrained
    model count.
    """

    shares: Mapping[str, float] = field(default_factory=lambda: _ALL)
    groups: int = 6
    pairs: int = 96
    near: float = 0.0
    kept: float = 0.0
    rate: float = 3e-4
    steps: int = 350
    seed: int = 0


RUNS = {
    "first": Run(_FIRST, steps=300),
    "broad": Run(seed=1),
    "near": Run(groups=3, pairs=192, near=0.5, seed=2),
    "kept": Run(kept=0.5, seed=3),
}


class Pairs:
    """The pairs of a bundle, with the vectors that the untrained model gives them."""

    def __init__(self, path: Path, base: Base) -> None:
        with lzma.open(path) as file:
            stored: dict[str, Any] = pickle.load(file)
        self.questions = _sequences(stored, "questions")
        self.texts = _sequences(stored, "texts")
        self.frames = stored["frames"]
        self.kinds: NDArray[np.int8] = stored["kind"]
        self.key, self.asked = stored["key"], stored["asked"]
        rows = range(int(stored["group"].max()) + 1)
        self.members = [np.flatnonzero(stored["group"] == group) for group in rows]
        self.base = base
        sides = zip((self.questions, self.texts), self.frames, strict=True)
        self.before = [
            encode_all(base, _half(base), side, frame) for side, frame in sides
        ]

    def neighbours(self) -> NDArray[np.int64]:
        """Return for each pair others of its group whose texts are near, (pairs, n)."""
        found = np.zeros((len(self.key), _NEIGHBOURS), np.int64)
        for members in self.members:
            texts = self.before[1][torch.from_numpy(members).to(self.before[1].device)]
            keys = torch.from_numpy(self.key[members]).to(texts.device)
            near = (texts @ texts.T).float()
            near[keys[:, None] == keys[None, :]] = -1
            most = min(_NEIGHBOURS, len(members))
            places = near.topk(most, dim=1).indices.cpu().numpy()
            found[members, :most] = members[places]
        return found

    def equal(self, chosen: NDArray[np.int64]) -> Tensor:
        """Return which texts do not count as wrong for which question, (n, n)."""
        equal = self.key[chosen][:, None] == self.key[chosen]
        equal |= self.asked[chosen][:, None] == self.asked[chosen]
        np.fill_diagonal(equal, val=False)
        return torch.from_numpy(equal).to(self.base.places.device)


def _half(base: Base) -> dict[str, Tensor]:
    kind = torch.float16 if base.places.is_cuda else torch.float32
    return {name: tensor.to(kind) for name, tensor in base.state.items()}


def _sequences(stored: Mapping[str, Any], name: str) -> Sequences:
    bounds = np.cumsum([0, *stored[f"{name}_lengths"].astype(np.int64)])
    return Sequences(stored[name].astype(np.int32), bounds)


def draw(pairs: Pairs, run: Run) -> Iterator[NDArray[np.int64]]:
    """Yield the pairs of each batch."""
    random = np.random.default_rng(run.seed)
    shares = np.array([run.shares.get(kind, 0.0) for kind in KINDS])
    weights = shares[pairs.kinds]
    sums = np.array([weights[each].sum() for each in pairs.members]) ** 0.7
    near = pairs.neighbours() if run.near else None
    while True:
        groups = random.choice(
            len(sums), run.groups, replace=False, p=sums / sums.sum()
        )
        chosen = []
        for group in groups:
            members = pairs.members[group]
            members = members[weights[members] > 0]
            chances = weights[members] / weights[members].sum()
            count = min(round(run.pairs * (1 - run.near)), len(members))
            drawn = random.choice(members, count, replace=False, p=chances)
            chosen.append(drawn)
            if near is not None:
                asked = random.choice(drawn, min(run.pairs - count, len(drawn)))
                chosen.append(near[asked, random.integers(0, _NEIGHBOURS, len(asked))])
        yield np.unique(np.concatenate(chosen))


class Change(nn.Module):
    """What is trained: matrices of a low rank, and what is added to vectors."""

    def __init__(self, base: Base) -> None:
        super().__init__()
        self._base = base
        self.ins, self.outs = nn.ParameterDict(), nn.ParameterDict()
        self.vectors = nn.ParameterDict()
        device = base.places.device
        for name, tensor in base.state.items():
            key = name.replace(".", "_")
            if tensor.dim() == 2:
                rows, columns = tensor.shape
                start = torch.randn(_RANK, columns, device=device) / math.sqrt(columns)
                self.ins[key] = nn.Parameter(start)
                self.outs[key] = nn.Parameter(torch.zeros(rows, _RANK, device=device))
            else:
                self.vectors[key] = nn.Parameter(torch.zeros_like(tensor))

    def added(self) -> dict[str, Tensor]:
        """Return what is added to each tensor."""
        added = {}
        for name in self._base.state:
            key = name.replace(".", "_")
            is_matrix = key in self.ins
            added[name] = (
                self.outs[key] @ self.ins[key] if is_matrix else self.vectors[key]
            )
        return added


def embed(
    pairs: Pairs, state: Mapping[str, Tensor], side: int, chosen: NDArray[np.int64]
) -> Tensor:
    """Return the vectors of one side of pairs; long ones and short ones apart."""
    sequences = (pairs.questions, pairs.texts)[side]
    order = np.argsort(sequences.lengths[chosen])
    found = []
    for part in np.array_split(order, 4 if side else 2):
        ids, mask = _padded(sequences, pairs.frames[side], chosen[part])
        device = pairs.base.places.device
        found.append(encode(pairs.base, state, ids.to(device), mask.to(device)))
    back = torch.from_numpy(np.argsort(order)).to(found[0].device)
    return torch.cat(found)[back]


def _padded(
    sequences: Sequences, frame: tuple[list[int], int], chosen: NDArray[np.int64]
) -> tuple[Tensor, Tensor]:
    start, end = frame
    rows = [[*start, *sequences[i].tolist(), end] for i in chosen]
    longest = max(map(len, rows))
    ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    lengths = torch.tensor([len(row) for row in rows])
    return ids, torch.arange(longest)[None, :] < lengths[:, None]


def loss_of(questions: Tensor, texts: Tensor, equal: Tensor) -> Tensor:
    """Return how badly questions find their texts. equal: (n, n), to be ignored."""
    scores = (questions @ texts.T / _TEMPERATURE).masked_fill(equal, -1e4)
    right = torch.arange(len(scores), device=scores.device)
    forward = F.cross_entropy(scores, right)
    return forward + _BACKWARD * F.cross_entropy(scores.T, right)


def kept_loss(
    vectors: Sequence[Tensor], before: Sequence[Tensor], equal: Tensor
) -> Tensor:
    """Return how much the likelihoods of texts are changed (Kullback-Leibler)."""
    now, then = (
        (side[0].float() @ side[1].float().T / _KEPT_TEMPERATURE).log_softmax(1)
        for side in (vectors, before)
    )
    return F.kl_div(now, then, log_target=True, reduction="batchmean")


def train(pairs: Pairs, run: Run) -> dict[str, Tensor]:
    """Return the change that a run comes to, saying the loss every 50 steps."""
    torch.manual_seed(run.seed)
    base = pairs.base
    change = Change(base)
    ranks = [*change.ins.values(), *change.outs.values()]
    vectors = list(change.vectors.values())
    optimiser = torch.optim.AdamW(
        [
            {"params": ranks, "lr": run.rate, "weight_decay": 0.01},
            {"params": vectors, "lr": _RATE_OF_VECTORS, "weight_decay": 0.0},
        ],
        betas=(0.9, 0.98),
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: _share_of_rate(step, run.steps)
    )
    for step, chosen in zip(range(run.steps), draw(pairs, run), strict=False):
        added = change.added()
        state = {k: (v + added[k]).bfloat16() for k, v in base.state.items()}
        sides = [embed(pairs, state, side, chosen) for side in (0, 1)]
        equal = pairs.equal(chosen)
        loss = loss_of(sides[0], sides[1], equal)
        if run.kept:
            rows = torch.from_numpy(chosen).to(equal.device)
            before = [side[rows] for side in pairs.before]
            loss = loss + run.kept * kept_loss(sides, before, equal)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(change.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if step % 50 == 0:
            print(json.dumps({"step": step, "loss": round(loss.item(), 3)}), flush=True)
    return {name: tensor.detach() for name, tensor in change.added().items()}


def _share_of_rate(step: int, steps: int) -> float:
    cosine = (1 + math.cos(math.pi * step / steps)) / 2
    return min(1.0, (step + 1) / _WARM_UP) * (_LAST_RATE + (1 - _LAST_RATE) * cosine)


def main() -> None:
    """Train the runs, evaluate each; write their changes and the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--runs", nargs="+", choices=RUNS, default=list(RUNS))
    parser.add_argument("--before", type=Path, help="an adapter to compare with")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--steps", type=int, help="instead of each run's own")
    parser.add_argument("--seconds", type=float, default=1e9, help="to begin a run in")
    options = parser.parse_args()
    began = time.monotonic()
    base = read_base(options.bundle / "weights.npz", options.device)
    bench = Bench(base, Sets(options.bundle / "sets.pkl.xz"), options.output)
    if options.before:
        before = read_change(options.before, base)
        bench.measure("untrained", [])
        for share in (1.0, 0.5, 0.75, 1.2):
            bench.measure(f"before {share}", [(share, before)])
    pairs = Pairs(options.bundle / "pairs.pkl.xz", base)
    for name in options.runs:
        if time.monotonic() - began > options.seconds:
            break
        run = RUNS[name]
        if options.steps:
            run = replace(run, steps=options.steps)
        saved = save_change(train(pairs, run), base, options.output / f"{name}.npz")
        print(json.dumps({"run": name, "s": round(time.monotonic() - began)}))
        for share in (1.0, 0.7):
            bench.measure(f"{name} {share}", [(share, saved)])


if __name__ == "__main__":
    main()
