"""Train multilingual-e5-small further on pairs of questions and texts.

    python -m training.train pairs.npz code_adapter.npz [--steps 300]

Needs torch and a GPU; more steps than 300 make it worse (decision 32). Word rows stay
as they are; matrices change by a low rank, biases and norms a little. A question shall
be nearer to its text than to the other texts of its batch, which holds a few
repositories with many pairs each, so that it is told from texts of its own repository.
source: van den Oord et al. 2018 (InfoNCE), Hu et al. 2021 (LoRA).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).parent.parent))

from devrag.llm.local.tokens import Tokens
from devrag.llm.local.weights import Weights, dequantise, find_weights, open_weights
from devrag.llm.local.windows import TextRole
from training.adapter import write_adapter
from training.pairs import KINDS

_RANK, _TEMPERATURE = 32, 0.01
_RATE, _RATE_OF_VECTORS, _WARM_UP, _LAST_RATE = 3e-4, 3e-5, 60, 0.05
_GROUPS, _PAIRS_OF_GROUP = 6, 96
# How often a pair is drawn, by kind: written questions are most like those of users.
_SHARES = {"comment": 1.0, "section": 0.5, "translation": 0.5, "written": 2.5}
# How much it counts that a text finds its question, too.
_BACKWARD = 0.3
_LONGEST = 224
_COMPUTED = torch.bfloat16


class Sequences(NamedTuple):
    """Token ids one after the other, and where each sequence begins and ends."""

    ids: NDArray[np.int64]
    bounds: NDArray[np.int64]

    def __getitem__(self, index: int) -> NDArray[np.int64]:  # type: ignore[override]
        return self.ids[self.bounds[index] : self.bounds[index + 1]]


class Dense(nn.Module):
    """A matrix that changes by a low rank, and its bias."""

    def __init__(self, weights: Weights, name: str, columns: int) -> None:
        super().__init__()
        matrix = torch.from_numpy(weights.matrix(f"{name}.w", columns))
        self.register_buffer("matrix", matrix)
        self.bias = nn.Parameter(torch.tensor(weights.vector(f"{name}.b")))
        self.inwards = nn.Parameter(torch.randn(_RANK, columns) / math.sqrt(columns))
        self.outwards = nn.Parameter(torch.zeros(len(matrix), _RANK))

    def forward(self, rows: Tensor) -> Tensor:
        matrix = self.matrix + self.outwards @ self.inwards
        return F.linear(rows, matrix.to(_COMPUTED), self.bias.to(_COMPUTED))


class Norm(nn.Module):
    """Layer normalisation."""

    def __init__(self, weights: Weights, name: str) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(weights.vector(f"{name}.w")))
        self.bias = nn.Parameter(torch.tensor(weights.vector(f"{name}.b")))
        self._epsilon = weights.shape.epsilon

    def forward(self, rows: Tensor) -> Tensor:
        scale, shift = self.weight.to(_COMPUTED), self.bias.to(_COMPUTED)
        return F.layer_norm(rows, scale.shape, scale, shift, self._epsilon)


class Layer(nn.Module):
    """Attention and a feed-forward part, each normalised after it is added."""

    def __init__(self, weights: Weights, index: int) -> None:
        super().__init__()
        name, shape = f"l{index}", weights.shape
        self._heads = shape.heads
        for part in ("q", "k", "v", "ao", "fi"):
            setattr(self, part, Dense(weights, f"{name}.{part}", shape.hidden))
        self.fo = Dense(weights, f"{name}.fo", shape.inner)
        self.aln, self.oln = Norm(weights, f"{name}.aln"), Norm(weights, f"{name}.oln")

    def forward(self, rows: Tensor, mask: Tensor) -> Tensor:
        count, length, size = rows.shape
        query, key, value = (
            dense(rows).view(count, length, self._heads, -1).transpose(1, 2)
            for dense in (self.q, self.k, self.v)
        )
        attended = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        attended = attended.transpose(1, 2).reshape(count, length, size)
        rows = self.aln(rows + self.ao(attended))
        return self.oln(rows + self.fo(F.gelu(self.fi(rows))))


class Encoder(nn.Module):
    """The model. Its parameters are named as the tensors of the weights file are."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        size = weights.shape.hidden
        words = dequantise(weights.blocks("emb.word", size)).astype(np.float16)
        places = weights.vector("emb.pos").reshape(-1, size)
        places = places + weights.vector("emb.type")[:size]
        self.register_buffer("words", torch.from_numpy(words))
        self.register_buffer("places", torch.from_numpy(places))
        self.emb_ln = Norm(weights, "emb.ln")
        self.l = nn.ModuleList(Layer(weights, i) for i in range(weights.shape.layers))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return (texts, size) L2-normed. ids, mask: (texts, tokens)."""
        rows = self.words[ids].float() + self.places[: ids.shape[1]]
        rows = self.emb_ln(rows.to(_COMPUTED))
        for layer in self.l:
            rows = layer(rows, mask[:, None, None, :])
        shown = mask[..., None].float()
        return F.normalize((rows.float() * shown).sum(1) / shown.sum(1), dim=-1)


class Batches:
    """Draws batches of pairs: a few groups, many pairs of each."""

    def __init__(self, file: Path, tokens: Tokens, device: str) -> None:
        stored = np.load(file)
        self._device = device
        self._sides = [
            (_sequences(stored, "questions"), _frame(tokens, TextRole.QUERY)),
            (_sequences(stored, "texts"), _frame(tokens, TextRole.PASSAGE)),
        ]
        self._weights = np.array([_SHARES[KINDS[kind]] for kind in stored["kind"]])
        rows = range(int(stored["group"].max()) + 1)
        self._members = [np.flatnonzero(stored["group"] == group) for group in rows]
        sums = np.array([self._weights[each].sum() for each in self._members]) ** 0.7
        self._chances = sums / sums.sum()
        self._random = np.random.default_rng(0)

    def __iter__(self) -> Iterator[tuple[list[tuple[Tensor, Tensor]], Tensor]]:
        """Yield ids and masks of questions and texts, and which texts are equal."""
        while True:
            chosen = self._choose()
            texts = self._sides[1][0]
            keys = [texts[index].tobytes() for index in chosen]
            equal = torch.tensor([[one == other for other in keys] for one in keys])
            yield (
                [
                    self._pad(sequences, frame, chosen)
                    for sequences, frame in self._sides
                ],
                equal.fill_diagonal_(fill_value=False).to(self._device),
            )

    def _choose(self) -> list[int]:
        groups = self._random.choice(
            len(self._members), _GROUPS, replace=False, p=self._chances
        )
        chosen: list[int] = []
        for group in groups:
            members = self._members[group]
            chances = self._weights[members] / self._weights[members].sum()
            count = min(_PAIRS_OF_GROUP, len(members))
            chosen += self._random.choice(members, count, replace=False, p=chances)
        return chosen

    def _pad(
        self, sequences: Sequences, frame: tuple[list[int], int], chosen: Sequence[int]
    ) -> tuple[Tensor, Tensor]:
        start, end = frame
        rows = [[*start, *sequences[i].tolist(), end][:_LONGEST] for i in chosen]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        lengths = torch.tensor([len(row) for row in rows])
        mask = torch.arange(longest)[None, :] < lengths[:, None]
        return ids.to(self._device), mask.to(self._device)


def _sequences(stored: NDArray[np.generic], name: str) -> Sequences:
    bounds = np.cumsum([0, *stored[f"{name}_lengths"].astype(np.int64)])
    return Sequences(stored[name].astype(np.int64), bounds)


def _frame(tokens: Tokens, role: TextRole) -> tuple[list[int], int]:
    *start, end = tokens.wrap(tokens.encode(role.prefix))
    return start, end


def loss_of(questions: Tensor, texts: Tensor, equal: Tensor) -> Tensor:
    """Return how badly questions find their texts. equal: (n, n), to be ignored."""
    scores = (questions @ texts.T / _TEMPERATURE).masked_fill(equal, -1e4)
    right = torch.arange(len(scores), device=scores.device)
    forward = F.cross_entropy(scores, right)
    return forward + _BACKWARD * F.cross_entropy(scores.T, right)


def train(net: Encoder, batches: Batches, steps: int) -> None:
    """Change the net, saying the loss every 50 steps."""
    named = list(net.named_parameters())
    ranks = [p for name, p in named if name.endswith("wards")]
    vectors = [p for name, p in named if not name.endswith("wards")]
    optimiser = torch.optim.AdamW(
        [
            {"params": ranks, "lr": _RATE, "weight_decay": 0.01},
            {"params": vectors, "lr": _RATE_OF_VECTORS, "weight_decay": 0.0},
        ],
        betas=(0.9, 0.98),
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: _share_of_rate(step, steps)
    )
    for step, (sides, equal) in zip(range(steps), batches, strict=False):
        questions, texts = (net(ids, mask) for ids, mask in sides)
        loss = loss_of(questions, texts, equal)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if step % 50 == 0:
            print(json.dumps({"step": step, "loss": round(loss.item(), 3)}), flush=True)


def _share_of_rate(step: int, steps: int) -> float:
    cosine = (1 + math.cos(math.pi * step / steps)) / 2
    return min(1.0, (step + 1) / _WARM_UP) * (_LAST_RATE + (1 - _LAST_RATE) * cosine)


def main() -> None:
    """Train, and write what changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    torch.manual_seed(0)
    weights = open_weights(find_weights())
    net = Encoder(weights).to(options.device)
    batches = Batches(options.pairs, Tokens(weights.vocabulary), options.device)
    train(net, batches, options.steps)
    arrays = {name: p.detach().cpu().numpy() for name, p in net.named_parameters()}
    write_adapter(arrays, options.output)


if __name__ == "__main__":
    main()
