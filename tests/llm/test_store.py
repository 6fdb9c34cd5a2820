from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from devrag.llm.errors import EmbeddingUnavailable
from devrag.llm.local.embedder import LocalEmbedder
from devrag.llm.local.store import ensure_model
from devrag.llm.local.weights import Weights
from tests.tiers import mostly_slow

FOLDER = "multilingual-e5-small-int8"
BUILD = """
import sys
from pathlib import Path
from devrag.llm.local.store import ensure_model
from devrag.llm.local.weights import find_weights, open_weights
seen = []
ensure_model(open_weights(find_weights()), Path(sys.argv[1]), lambda *a: seen.append(a))
print(len(seen) > 1)
"""


@pytest.fixture
def own_models(base: LocalEmbedder, models_dir: Path, tmp_path: Path) -> Path:
    """A copy of the built model that a test may damage."""
    base.load()
    shutil.copytree(models_dir / FOLDER, tmp_path / FOLDER)
    return tmp_path


def visible(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir() if p.name != ".lock")


@pytest.mark.slow
def test_two_processes_build_one_model(tmp_path: Path) -> None:
    command = [sys.executable, "-c", BUILD, str(tmp_path)]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    outputs = [process.communicate(timeout=60)[0].strip() for process in running]
    assert sorted(outputs) == ["False", "True"]
    assert visible(tmp_path) == [FOLDER]


def test_a_current_model_is_left_alone(weights: Weights, own_models: Path) -> None:
    before = (own_models / FOLDER / "model.onnx").stat()
    path = ensure_model(weights, own_models)
    assert os.path.samestat(before, path.stat())


@pytest.mark.parametrize("name", ["model.onnx", "manifest.json"])
@pytest.mark.parametrize("content", mostly_slow([None, b"", b"\xff{"]))
def test_a_damaged_model_is_rebuilt(
    weights: Weights, own_models: Path, name: str, content: bytes | None
) -> None:
    good = (own_models / FOLDER / "model.onnx").read_bytes()
    damaged = own_models / FOLDER / name
    damaged.unlink()
    if content is not None:
        damaged.write_bytes(content)
    assert ensure_model(weights, own_models).read_bytes() == good
    assert visible(own_models) == [FOLDER]


def test_what_a_killed_build_left_is_removed(weights: Weights, tmp_path: Path) -> None:
    leftover = tmp_path / ".building-killed.tmp" / "new"
    leftover.mkdir(parents=True)
    ensure_model(weights, tmp_path)
    assert visible(tmp_path) == [FOLDER]


def test_progress_ends_at_one(weights: Weights, tmp_path: Path) -> None:
    seen: list[float] = []
    ensure_model(weights, tmp_path, lambda done, _: seen.append(done))
    assert seen[0] == 0
    assert seen == sorted(seen)
    assert seen[-1] == 1


def test_a_folder_that_cannot_be_written_is_named(
    weights: Weights, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(EmbeddingUnavailable, match=str(blocked)) as caught:
        ensure_model(weights, blocked)
    assert caught.value.permanent
