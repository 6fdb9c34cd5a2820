"""Keep built graphs in the models folder: built once, whole or not at all.

<models_dir>/<model>-int8/{model.onnx, manifest.json}. The manifest names the recipe,
the weights it was built from and the graph's hash; whatever does not agree is built
again. Deleting the folder is always safe.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from devrag.llm.errors import EmbeddingUnavailable
from devrag.llm.local.weights import Weights

# Raised whenever graph.py builds something else from the same weights.
RECIPE = 1
_SUFFIX = "-int8"
_MODEL = "model.onnx"
_MANIFEST = "manifest.json"
_STAGING = ".building-"
_LOCK = ".lock"

Progress = Callable[[float, str], None]  # done 0..1, what happens now


def ensure_model(
    weights: Weights, models_dir: Path, progress: Progress | None = None
) -> Path:
    """Return the path of the graph, building it when it is missing or not current.

    Safe when several processes ask at once: one builds, the others wait for it.
    """
    report = progress or _silent
    target = models_dir / f"{weights.name}{_SUFFIX}"
    source = weights.sha256()
    try:
        if not _is_current(target, source):
            models_dir.mkdir(parents=True, exist_ok=True)
            with _lock(models_dir / _LOCK):
                if not _is_current(target, source):
                    _build(weights, source, target, report)
    except OSError as error:
        raise EmbeddingUnavailable(
            f"Cannot store the embedding model in {models_dir}: {error.strerror}. "
            "Make the folder writable, free some space, or set another DEVRAG_HOME.",
            permanent=True,
        ) from error
    report(1.0, "embedding model ready")
    return target / _MODEL


def delete_models(models_dir: Path) -> int:
    """Remove built models; return their bytes. They are built again when needed.

    Processes that have one loaded keep on using it.
    """
    folders = list(models_dir.glob(f"*{_SUFFIX}"))
    if not folders:
        return 0
    with _lock(models_dir / _LOCK):
        size = sum(path.stat().st_size for each in folders for path in each.iterdir())
        for folder in folders:
            shutil.rmtree(folder)
    return size


def _is_current(target: Path, source: str) -> bool:
    try:
        manifest = json.loads((target / _MANIFEST).read_text("utf-8"))
        model = _sha256(target / _MODEL)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    return bool(manifest == _manifest(source, model))


def _build(weights: Weights, source: str, target: Path, report: Progress) -> None:
    # onnx is heavy and needed only here.
    from devrag.llm.local.graph import build_graph  # noqa: PLC0415

    for leftover in target.parent.glob(f"{_STAGING}*.tmp"):
        shutil.rmtree(leftover)
    report(0.0, "building the embedding model")
    staging = Path(tempfile.mkdtemp(prefix=_STAGING, suffix=".tmp", dir=target.parent))
    try:
        fresh = staging / "new"
        fresh.mkdir()
        (fresh / _MODEL).write_bytes(build_graph(weights))
        report(0.8, "storing the embedding model")
        manifest = _manifest(source, _sha256(fresh / _MODEL))
        (fresh / _MANIFEST).write_text(json.dumps(manifest, indent=2), "utf-8")
        if target.exists():
            target.rename(staging / "old")
        fresh.rename(target)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _manifest(source: str, model: str) -> dict[str, str | int]:
    return {"recipe": RECIPE, "weights_sha256": source, "model_sha256": model}


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold an advisory lock; it ends with the process, however that ends."""
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _silent(done: float, what: str) -> None:
    """Report to nobody."""
