"""Where values and times are on a chart, and which of them have labels. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from django.utils.formats import number_format
from django.utils.translation import get_language

# Pixels: the line with the value in focus, the plot, the labels of times below.
TOP, HEIGHT, BOTTOM = 26, 132, 24
AXIS_WIDTH = 46
_STEPS = (1, 2, 2.5, 5, 10)


def nice_top(highest: float, *, is_whole: bool = True) -> tuple[float, float]:
    """Return the top of an axis and the step between its labels, round numbers.

    >>> nice_top(87)
    (100.0, 25.0)
    >>> nice_top(3)
    (3.0, 1.0)
    >>> nice_top(0)
    (1.0, 1.0)
    """
    if highest <= 0:
        return 1.0, 1.0
    rough = highest / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * each for each in _STEPS if power * each >= rough)
    if is_whole:
        step = float(max(1, math.ceil(step)))
    return step * math.ceil(highest / step), step


def ticks(top: float, step: float) -> list[float]:
    """Return the values with a label, from 0 up to the top.

    >>> ticks(100, 25)
    [0, 25, 50, 75, 100]
    """
    return [step * number for number in range(round(top / step) + 1)]


def height_of(value: float, top: float) -> float:
    """Return the pixels from the top of the picture down to a value."""
    return round(TOP + HEIGHT * (1 - value / top), 1)


def labelled(count: int, most: int = 3) -> list[int]:
    """Return which of some times have a label: the first, the middle, the last.

    >>> labelled(30)
    [0, 14, 29]
    >>> labelled(2)
    [0, 1]
    """
    if count <= most:
        return list(range(count))
    return [round(number * (count - 1) / (most - 1)) for number in range(most)]


def write_number(value: float) -> str:
    """Write a number with separators, with a decimal only below 10."""
    is_whole = value == int(value) or abs(value) >= 10
    return number_format(
        value, decimal_pos=0 if is_whole else 1, use_l10n=True, force_grouping=True
    )


def write_axis(value: float) -> str:
    """Write a number beside an axis, short: 1,500 as `1.5k`, in Japanese `1,500`."""
    units: Sequence[tuple[float, str]] = ((1e6, "M"), (1e3, "k"))
    if get_language() == "ja":
        units = ((1e8, "億"), (1e4, "万"))
    for limit, suffix in units:
        if value >= limit:
            return f"{value / limit:.3g}{suffix}"
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"
