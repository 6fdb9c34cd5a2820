"""What several tests of the wiki stand on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devrag.products.models import Product
from tests.conftest import Repository
from tests.llm.chat_server import ChatServer, chat_server, use_server
from tests.wiki.gitshop import GitShop
from tests.wiki.rows import index_source
from tests.wiki.shop import SHOP


@pytest.fixture
def git_shop(db: None, repository: Repository) -> GitShop:
    return GitShop(repository)


@pytest.fixture
def product(settings: Any, tmp_path: Path, db: None) -> Product:
    settings.WIKI_OUTPUT_DIR = tmp_path / "wikis"
    return Product.objects.create(name="shop", title="Shop")


@pytest.fixture
def server(settings: Any) -> Iterator[ChatServer]:
    """A language model behind HTTP, which the settings name."""
    with chat_server() as server:
        use_server(server, settings)
        yield server


@pytest.fixture
def shelf(product: Product) -> Product:
    """The small shop as rows of the index, in no keyword index."""
    index_source(product, "shop", SHOP, "a" * 40)
    return product
