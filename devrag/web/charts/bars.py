"""Bars over time, one series upon the other."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html_join
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

_LEAST_PIXELS = 2.0  # what is there is seen


def draw_bars(
    chart_id: str,
    title: str,
    unit: str,
    times: Times,
    series: Sequence[Series],
    *,
    write: Write = write_number,
    write_label: Write = write_axis,
) -> Chart:
    """Draw a bar for each time, the series stacked in their order."""
    sums = [
        sum(each.values[place] or 0 for each in series) for place in range(len(times))
    ]
    top, step = nice_top(max(sums, default=0))
    slot = 100 / max(1, len(times))
    edges = [(place * slot, slot) for place in range(len(times))]
    tops = [height_of(each, top) for each in sums]
    plot = frame.draw_plot(
        f"{chart_id}-title",
        frame.draw_hatch(chart_id),
        frame.draw_grid(top, step),
        _draw_stacks(chart_id, series, edges, top),
        frame.draw_times(times, [begin + width / 2 for begin, width in edges]),
        frame.draw_marks(times, series, edges, write, tops),
    )
    axis = frame.draw_axis(top, step, write_label)
    return frame.finish(chart_id, title, unit, axis, plot, times, series, write)


def _draw_stacks(
    chart_id: str,
    series: Sequence[Series],
    edges: Sequence[tuple[float, float]],
    top: float,
) -> SafeString:
    bars = []
    for place, (begin, width) in enumerate(edges):
        bottom = float(TOP + HEIGHT)
        for each in series:
            value = each.values[place] or 0
            if value <= 0:
                continue
            tall = max(_LEAST_PIXELS, HEIGHT * value / top)
            bottom -= tall
            fill = frame.fill_of(each.look, chart_id)
            x, wide = f"{begin + width * 0.14:.3f}", f"{width * 0.72:.3f}"
            bars.append((fill, x, round(bottom, 1), wide, round(tall, 1)))
    return format_html_join(
        "", '<rect {} x="{}%" y="{}" width="{}%" height="{}" rx="1.5"/>', bars
    )
