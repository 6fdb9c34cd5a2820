"""A check of the doctor: what disagrees, and what mends it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Check:
    """find: what disagrees, each readable as text. mend: puts those right.

    remedy: what mending does, as the doctor says it beforehand. Mending twice is
    harmless.
    """

    name: str
    remedy: str
    find: Callable[[], Sequence[Any]]
    mend: Callable[[Sequence[Any]], object]
