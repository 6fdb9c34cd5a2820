"""What a chart is made of, and what a template shows of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.safestring import SafeString

Write = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Times:
    """What lies along a chart: days, or weeks. heading: of their column in the table.

    short: below the picture; focus: in the line above it, beside the values; long: in
    the table and for who hears it.
    """

    heading: str
    short: tuple[str, ...]
    focus: tuple[str, ...]
    long: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.long)


@dataclass(frozen=True, slots=True)
class Series:
    """Values by time under one label; None where nothing is known.

    look: `main`, `bad` or `other`: each has a colour and a pattern of its own.
    """

    label: str
    values: tuple[float | None, ...]
    look: str = "main"


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """A line of a chart's key: a swatch with its pattern."""

    label: str
    swatch: SafeString


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart. axis: labels of the values; plot: the rest of the picture.

    headers, body: the same values as a table. unit: what the values are.
    """

    id: str
    title: str
    unit: str
    axis: SafeString
    plot: SafeString
    key: tuple[KeyEntry, ...]
    headers: tuple[str, ...]
    body: SafeString
