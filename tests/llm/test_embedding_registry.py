from __future__ import annotations

from pathlib import Path

import pytest

from devrag.llm.embedding_registry import EMBEDDERS, EmbedderConfig, build_embedder
from devrag.llm.errors import EmbeddingModelNotFound

MODEL = "multilingual-e5-small-code"


def test_the_local_model_is_built_by_name(tmp_path: Path) -> None:
    embedder = build_embedder("local", MODEL, setup=EmbedderConfig(tmp_path))
    assert (embedder.provider, embedder.model) == ("local", MODEL)
    assert (embedder.dimensions, embedder.max_tokens) == (384, 512)


def test_building_an_embedder_touches_nothing_yet(tmp_path: Path) -> None:
    build_embedder("local", MODEL, setup=EmbedderConfig(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_provider_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingModelNotFound) as caught:
        build_embedder("nobody", MODEL, setup=EmbedderConfig(tmp_path))
    assert all(name in caught.value.message for name in EMBEDDERS)


def test_an_unknown_model_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingModelNotFound, match=MODEL):
        build_embedder("local", "large", setup=EmbedderConfig(tmp_path))


def test_a_model_that_cannot_be_kept_is_unhealthy(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    health = build_embedder("local", MODEL, setup=EmbedderConfig(blocked)).health()
    assert not health.is_healthy
    assert health.message.startswith("Error: ")
