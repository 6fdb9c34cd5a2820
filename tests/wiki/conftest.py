"""What several tests of the wiki stand on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devrag.products.models import Product
from tests.conftest import Repository, Stand
from tests.llm.chat_server import ChatServer, chat_server, use_server
from tests.standing import Standing
from tests.wiki.gitshop import GitShop
from tests.wiki.rows import index_source
from tests.wiki.runs import write_versions
from tests.wiki.shop import SHOP


@pytest.fixture(scope="module")
def standing_git_shop(stand: Stand) -> Standing[GitShop]:
    return stand(lambda folder: GitShop(Repository(folder / "shop")))


@pytest.fixture
def git_shop(
    standing_git_shop: Standing[GitShop], db: None, tmp_path: Path
) -> Iterator[GitShop]:
    """The shop, indexed and with a wiki."""
    git_shop = standing_git_shop.furnish(tmp_path / "home")
    with git_shop.repository.taking_back():
        yield git_shop


@pytest.fixture(scope="module")
def standing_wiki(stand: Stand) -> Standing[None]:
    return stand(lambda _: write_versions(SHOP))


@pytest.fixture
def written(standing_wiki: Standing[None], db: None, tmp_path: Path) -> Product:
    """The shop as rows of the index, with a wiki."""
    standing_wiki.furnish(tmp_path / "home")
    return Product.objects.get()


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
