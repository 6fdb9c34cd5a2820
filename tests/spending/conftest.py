"""Fixtures of the tests about spending."""

from __future__ import annotations

import pytest

from devrag.products.models import Product


@pytest.fixture
def product(db: None) -> Product:
    return Product.objects.create(name="shop")
