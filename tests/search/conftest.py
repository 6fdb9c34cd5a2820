"""An indexed shop, a remote embedding model on loopback, nothing remembered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devrag.search.semantic import retriever as ask
from devrag.search.semantic.specs import make_embedder
from tests.conftest import Repository, Stand
from tests.model_server import KEY, ModelServer, model_server
from tests.search.shop import index_shop
from tests.standing import Standing

SMALL, LARGE = "openai/small", "openai/large"


@pytest.fixture
def models(settings: Any) -> Iterator[ModelServer]:
    """Serve the models `small` and `large`, of 8 and 12 dimensions, as `openai`."""
    with model_server(small=8, large=12) as server:
        settings.EMBEDDING_BASE_URL = server.url
        settings.EMBEDDING_API_KEY = KEY
        forget_models()
        yield server
    forget_models()


def forget_models() -> None:
    """Let the next call read the settings again."""
    make_embedder.cache_clear()
    ask.forget_answers()


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    """What a module's shop has besides."""
    return {}


@pytest.fixture(scope="module")
def has_vectors() -> bool:
    """Return whether a module's shop can be searched by meaning, too."""
    return False


@pytest.fixture(scope="module")
def standing_shop(
    stand: Stand, more_files: dict[str, str | bytes | None], has_vectors: bool
) -> Standing[Repository]:
    return stand(lambda folder: index_shop(folder, more_files, has_vectors=has_vectors))


@pytest.fixture
def indexed(
    standing_shop: Standing[Repository], db: None, tmp_path: Path
) -> Iterator[Repository]:
    """The shop as it stands; it may be changed."""
    with standing_shop.furnish(tmp_path / "home").taking_back() as shop:
        yield shop
