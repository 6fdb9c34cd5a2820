"""A product that has nothing indexed: every way to a wiki says so and the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from devrag.core.errors import Conflict
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.sources.models import Snapshot
from devrag.use_cases.wiki import request_wiki
from devrag.wiki.generation.estimate import estimate_wiki
from devrag.wiki.models import Wiki
from tests.wiki.rows import index_source
from tests.wiki.runs import generate
from tests.wiki.shop import SHOP


@pytest.mark.parametrize("has_source", [False, True])
@pytest.mark.parametrize(
    "ask",
    [
        generate,
        estimate_wiki,
        lambda product: request_wiki(principal=SYSTEM, product=product),
    ],
    ids=["run", "estimate", "request"],
)
def test_nothing_indexed_is_told(
    ask: Callable[[Product], Any], has_source: bool, product: Product
) -> None:
    if has_source:
        index_source(product, "shop", SHOP, "a" * 40)
        Snapshot.objects.update(is_indexed=False)
    with pytest.raises(Conflict, match=r"no indexed source.* Index a source first"):
        ask(product)
    assert not Wiki.objects.exists()
