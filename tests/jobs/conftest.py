"""Fixtures of the engine's tests: the small workflow, a product."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.products.models import Product
from tests.jobs import sample


@pytest.fixture
def samples(settings: Any) -> None:
    settings.JOB_WORKFLOWS = "tests.jobs.sample.WORKFLOWS"
    sample.done.clear()
    sample.discarded.clear()


@pytest.fixture
def product(db: None) -> Product:
    return Product.objects.create(name="shop")
