"""The product that `make demo` adds: devrag's own repository on this machine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import devrag
from devrag.products.models import Product
from devrag.sources.models import Source

_REPOSITORY = Path(devrag.__file__).resolve().parents[1]


def is_demo(product: Product) -> bool:
    """Return whether a product is the demo and nothing was added to it. Queries: 1."""
    return holds_demo_only(Source.objects.filter(product=product))


def holds_demo_only(sources: Iterable[Source]) -> bool:
    """Return whether the sources of a product are devrag's repository and no other."""
    return [source.location for source in sources] == [str(_REPOSITORY)]
