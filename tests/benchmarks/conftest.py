"""What benchmarks measure, as small as it can be: repositories and an installation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import SHOP, Repository
from tests.e2e.instance import Instance


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
