"""Cases that only the whole suite runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_slow(cases: Iterable[Any], *, quick: int = 1) -> list[Any]:
    """Return cases of one argument; `make test` runs the first few of them."""
    return mostly_slow_rows(((case,) for case in cases), quick=quick)


def mostly_slow_rows(rows: Iterable[Iterable[Any]], *, quick: int = 1) -> list[Any]:
    """Return cases of several arguments; `make test` runs the first few of them."""
    return [
        pytest.param(*row, marks=() if number < quick else pytest.mark.slow)
        for number, row in enumerate(rows)
    ]
