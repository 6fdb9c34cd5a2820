"""What benchmarks measure, as small as it can be: repositories and an installation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.exported import write_repository, write_rubric, write_wiki
from tests.benchmarks.judge import answer
from tests.conftest import SHOP, Repository
from tests.e2e.instance import Instance
from tests.llm.chat_server import ChatServer, chat_server


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository as `benchmarks/corpus.py` builds them: its code is below src/."""
    made = Repository(tmp_path_factory.mktemp("benchmarks") / "corpus")
    files = {f"src/{path}": content for path, content in SHOP.items()}
    source = Path(json.__file__).parent
    files |= {f"src/json/{path.name}": path.read_text() for path in source.glob("*.py")}
    made.commit(files)
    return made.path


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    return write_rubric(tmp_path / "rubric.json")


@pytest.fixture
def cited_repository(tmp_path: Path) -> Repository:
    return write_repository(tmp_path / "repository")


@pytest.fixture
def exported_wiki(tmp_path: Path, cited_repository: Repository) -> Path:
    return write_wiki(tmp_path / "wikis" / "shop", cited_repository)


@pytest.fixture
def judge() -> Iterator[ChatServer]:
    with chat_server() as server:
        server.write = answer
        yield server


@pytest.fixture(scope="session")
def instance() -> Iterator[Instance]:
    """A running server with the product `shop` and its wiki."""
    made = Instance()
    made.env["API_RATE_PER_MINUTE"] = "0"
    try:
        made.start()
        shop = Repository(made.sources / "shop")
        shop.commit(dict(SHOP))
        made.ask("index", str(shop.path), "--product", "shop", "--wiki")
        yield made
    finally:
        made.end()
