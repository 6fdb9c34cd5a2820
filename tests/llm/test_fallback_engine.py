from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from devrag.llm.local.embedder import LocalEmbedder

TEXTS = ["def add(a, b):\n    return a + b", "索引を更新する。", "word " * 520]
# A module that is None in sys.modules fails to import, like one that is not there.
WITHOUT = """
import sys
sys.modules[sys.argv[1]] = None
import numpy as np
from pathlib import Path
from devrag.llm.local.embedder import LocalEmbedder
embedder = LocalEmbedder(models_dir=Path(sys.argv[2]), threads=2)
np.save(Path(sys.argv[2]) / "vectors.npy", embedder.embed_documents(sys.argv[3:]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["onnxruntime", "onnx"])
def test_without_onnx_numpy_answers(
    embedder: LocalEmbedder, tmp_path: Path, missing: str
) -> None:
    command = [sys.executable, "-c", WITHOUT, missing, str(tmp_path), *TEXTS]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=True
    )
    vectors = np.load(tmp_path / "vectors.npy")
    cosines = (vectors * embedder.embed_documents(TEXTS)).sum(axis=1)
    assert cosines.min() >= 0.99
    assert "numpy does" in done.stdout + done.stderr
