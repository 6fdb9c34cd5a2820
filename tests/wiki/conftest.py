"""What several tests of the wiki stand on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devrag.products.models import Product
from tests.conftest import Repository
from tests.wiki.gitshop import GitShop


@pytest.fixture
def git_shop(db: None, repository: Repository) -> GitShop:
    return GitShop(repository)


@pytest.fixture
def product(settings: Any, tmp_path: Path, db: None) -> Product:
    settings.WIKI_OUTPUT_DIR = tmp_path / "wikis"
    return Product.objects.create(name="shop", title="Shop")
