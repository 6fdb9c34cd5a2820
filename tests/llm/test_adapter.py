"""What training changed in the weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from devrag.llm.errors import EmbeddingUnavailable
from devrag.llm.local.adapter import CODE_ADAPTER, NO_ADAPTER, Adapter, read_adapter
from devrag.llm.local.embedder import LocalEmbedder
from devrag.llm.local.weights import Weights, find_weights, open_weights
from tests.tiers import mostly_slow_rows
from training.adapter import write_adapter

# A question, what answers it, and what is of the same file.
ASKED = [
    (
        "where is a connection given back after an error",
        "pool.py def release(self, conn):\n    self._idle.append(conn)\n",
        "pool.py def __repr__(self):\n    return f'<Pool of {len(self._idle)}>'\n",
    ),
    (
        "how is a name in snake case turned into camel case",
        (
            "words.py def humps(text):\n    head, *rest = text.split('_')\n"
            "    return head + ''.join(map(str.title, rest))\n"
        ),
        (
            "words.py def shorten(text, most):\n"
            "    return text if len(text) <= most else text[:most] + '…'\n"
        ),
    ),
    (
        "壊れたJSONを読んだときのエラー",
        (
            "reader.py def load(text):\n    try:\n        return json.loads(text)\n"
            "    except ValueError as error:\n        raise Damaged(text) from error\n"
        ),
        "reader.py def dump(value):\n    return json.dumps(value, indent=2)\n",
    ),
]


def test_every_change_belongs_to_a_tensor(weights: Weights) -> None:
    adapter = read_adapter(CODE_ADAPTER, "-code")
    layers = weights.shape.layers
    matrices = {name for name in adapter.arrays if name.endswith(".in")}
    assert len(matrices) == 6 * layers
    vectors = [name for name in adapter.arrays if name[-2:] in {".w", ".b"}]
    assert set(vectors) <= set(weights.tensors)
    for name in vectors:
        assert adapter.arrays[name].shape == weights.vector(name).shape


def test_weights_are_changed_as_they_are_read(weights: Weights) -> None:
    code = open_weights(find_weights(), read_adapter(CODE_ADAPTER, "-code"))
    size = weights.shape.hidden
    before, after = (each.matrix("l3.q.w", size) for each in (weights, code))
    change = np.linalg.norm(after - before) / np.linalg.norm(before)
    assert 0 < change < 0.5
    assert code.name == f"{weights.name}-code"
    assert code.sha256() != weights.sha256()
    assert np.array_equal(
        code.blocks("emb.word", size)[:9], weights.blocks("emb.word", size)[:9]
    )


@pytest.mark.parametrize(("question", "answer", "other"), mostly_slow_rows(ASKED))
def test_the_trained_model_sets_the_answer_further_apart(
    base: LocalEmbedder, embedder: LocalEmbedder, question: str, answer: str, other: str
) -> None:
    def lead(model: LocalEmbedder) -> float:
        right, wrong = model.embed_documents([answer, other]) @ model.embed_query(
            question
        )
        return float(right - wrong)

    assert lead(embedder) > max(0, lead(base))


def test_what_training_wrote_is_read(tmp_path: Path) -> None:
    chance = np.random.default_rng(0)
    inwards, outwards = chance.normal(size=(4, 16)), chance.normal(size=(8, 4))
    write_adapter(
        {"l2.q.w": (outwards.astype(np.float32), inwards.astype(np.float32))},
        {"l2.q.b": np.ones(8, np.float32), "emb.ln.w": np.full(16, 2, np.float32)},
        tmp_path / "adapter.npz",
    )
    adapter = read_adapter(tmp_path / "adapter.npz", "-x")
    stored = np.ones((8, 16), np.float32)
    change = adapter.adapt_matrix("l2.q.w", stored) - stored
    assert np.allclose(change, outwards @ inwards, atol=0.05)
    assert adapter.adapt_vector("l2.q.b", np.zeros(8, np.float32)).tolist() == [1] * 8
    assert adapter.adapt_vector("emb.ln.w", stored[0])[0] == 2


def test_what_is_not_changed_stays() -> None:
    stored = np.ones((2, 2), np.float32)
    assert NO_ADAPTER.adapt_matrix("l0.q.w", stored) is stored
    assert Adapter().adapt_vector("l0.q.b", stored[0]).tolist() == [1, 1]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no archive at all"])
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.npz").write_bytes(content)
    with pytest.raises(EmbeddingUnavailable, match=r"broken\.npz") as caught:
        read_adapter(tmp_path / "broken.npz", "-code")
    assert caught.value.permanent
