"""A line over time, for what goes on from one day to the next."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from devrag.web.charts import frame
from devrag.web.charts.scale import (
    HEIGHT,
    TOP,
    height_of,
    nice_top,
    write_axis,
    write_number,
)
from devrag.web.charts.types import Chart, Series, Times, Write

_WIDE = 1000  # of the stretched picture of the line


def draw_line(
    chart_id: str,
    title: str,
    unit: str,
    times: Times,
    series: Series,
    *,
    most: float | None = None,
    is_whole: bool = True,
    write: Write = write_number,
    write_label: Write = write_axis,
) -> Chart:
    """Draw a line with the area below it. most: the top of the axis if known."""
    highest = max((value or 0 for value in series.values), default=0)
    top, step = (most, most / 4) if most else nice_top(highest, is_whole=is_whole)
    slot = 100 / max(1, len(times))
    edges = [(place * slot, slot) for place in range(len(times))]
    tops = [height_of(value or 0, top) for value in series.values]
    plot = frame.draw_plot(
        f"{chart_id}-title",
        frame.draw_grid(top, step),
        _draw_curve(series, edges, top),
        frame.draw_times(times, [begin + width / 2 for begin, width in edges]),
        frame.draw_marks(times, (series,), edges, write, tops),
    )
    axis = frame.draw_axis(top, step, write_label)
    return frame.finish(chart_id, title, unit, axis, plot, times, (series,), write)


def _draw_curve(
    series: Series, edges: Sequence[tuple[float, float]], top: float
) -> SafeString:
    points = [
        ((begin + width / 2) * _WIDE / 100, height_of(value, top) - TOP)
        for (begin, width), value in zip(edges, series.values, strict=True)
        if value is not None
    ]
    if len(points) == 1:  # one time is a short line, not a point nobody sees
        (x, y), half = points[0], edges[0][1] * _WIDE / 200
        points = [(x - half, y), (x + half, y)]
    if not points:
        return SafeString()
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    area = f"{points[0][0]:.1f},{HEIGHT} {line} {points[-1][0]:.1f},{HEIGHT}"
    return format_html(
        '<svg x="0" y="{}" width="100%" height="{}" viewBox="0 0 {} {}" '
        'preserveAspectRatio="none" overflow="visible">'
        '<polygon class="chart-area" points="{}"/>'
        '<polyline class="chart-line" points="{}"/></svg>',
        *(TOP, HEIGHT, _WIDE, HEIGHT, area, line),
    )
