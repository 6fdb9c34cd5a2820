"""Put together what training needs: weights of the words that occur, pairs, questions.

    python -m training.bundle --pairs pairs.npz --sets sets.pkl --output FOLDER

The machine that trains then needs torch and numpy alone. sets.pkl: the questions to
evaluate by, as token ids of this vocabulary; see evaluate.Sets.
"""

from __future__ import annotations

import argparse
import lzma
import pickle
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent))

from devrag.llm.local.tokens import Tokens
from devrag.llm.local.weights import Weights, find_weights, open_weights
from devrag.llm.local.windows import TextRole

Ids = NDArray[np.uint32]


def main() -> None:
    """Write weights.npz, pairs.pkl.xz and sets.pkl.xz."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    weights = open_weights(find_weights())
    pairs = dict(np.load(options.pairs).items())
    sets: dict[str, Any] = pickle.loads(options.sets.read_bytes())
    frames = frames_of(Tokens(weights.vocabulary))
    used = np.unique(
        np.concatenate(
            [
                pairs["questions"],
                pairs["texts"],
                sets["texts"][0],
                sets["questions"][0],
                np.array([each for start, end in frames for each in (*start, end)]),
            ]
        )
    ).astype(np.uint32)
    for name in ("questions", "texts"):
        pairs[name] = _numbered(pairs[name], used)
        sets[name] = _numbered(sets[name][0], used), sets[name][1]
    known = [
        (_numbered(np.array(start), used).tolist(), int(np.searchsorted(used, end)))
        for start, end in frames
    ]
    sets["frames"] = pairs["frames"] = known
    np.savez(options.output / "weights.npz", **_arrays(weights, used))
    for name, value in (("pairs", pairs), ("sets", sets)):
        with lzma.open(options.output / f"{name}.pkl.xz", "wb", preset=1) as file:
            pickle.dump(value, file)


def frames_of(tokens: Tokens) -> list[tuple[list[int], int]]:
    """Return what is before and after a question, and before and after a text."""
    frames = []
    for role in (TextRole.QUERY, TextRole.PASSAGE):
        *start, end = tokens.wrap(tokens.encode(role.prefix))
        frames.append((start, end))
    return frames


def _numbered(ids: Ids, used: Ids) -> NDArray[np.generic]:
    """Return the ids as places among those that are used."""
    places = np.searchsorted(used, ids)
    return places.astype(np.uint16 if len(used) < 1 << 16 else np.uint32)


def _arrays(weights: Weights, used: Ids) -> dict[str, NDArray[np.generic]]:
    """Return 4-bit blocks of matrices and float32 vectors; words that are used."""
    shape = weights.shape
    arrays: dict[str, NDArray[np.generic]] = {
        "emb.word.w": weights.blocks("emb.word", shape.hidden)[used],
        "places": weights.vector("emb.pos").reshape(-1, shape.hidden)
        + weights.vector("emb.type")[: shape.hidden],
    }
    for name in _names(shape.layers):
        if name.rpartition(".")[0].endswith("ln") or name.endswith(".b"):
            arrays[name] = np.array(weights.vector(name))
        else:
            columns = shape.inner if ".fo." in name else shape.hidden
            arrays[name] = np.array(weights.blocks(name, columns))
    return arrays


def _names(layers: int) -> Iterable[str]:
    yield from ("emb.ln.w", "emb.ln.b")
    for layer in range(layers):
        for part in ("q", "k", "v", "ao", "aln", "fi", "fo", "oln"):
            yield from (f"l{layer}.{part}.w", f"l{layer}.{part}.b")


if __name__ == "__main__":
    main()
