"""What charts over time share: axis, grid, labels, values in focus, the table."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from devrag.web.charts.scale import (
    AXIS_WIDTH,
    BOTTOM,
    HEIGHT,
    TOP,
    height_of,
    labelled,
    ticks,
)
from devrag.web.charts.types import Chart, KeyEntry, Series, Times, Write

FULL = TOP + HEIGHT + BOTTOM
_NOTHING = "–"


def draw_axis(top: float, step: float, write: Write) -> SafeString:
    """Draw the labels of the values, right-aligned beside the plot."""
    return format_html(
        '<svg class="chart-axis" width="{}" height="{}" aria-hidden="true">{}</svg>',
        AXIS_WIDTH,
        FULL,
        format_html_join(
            "",
            '<text x="{}" y="{}" text-anchor="end">{}</text>',
            (
                (AXIS_WIDTH - 8, height_of(value, top) + 4, write(value))
                for value in ticks(top, step)
            ),
        ),
    )


def draw_plot(title_id: str, *parts: SafeString) -> SafeString:
    """Put the parts of a plot into one picture, as wide as they need."""
    return format_html(
        '<svg class="chart-plot" height="{}" role="group" aria-labelledby="{}">'
        "{}</svg>",
        FULL,
        title_id,
        mark_safe("".join(parts)),  # noqa: S308 - each part is escaped
    )


def draw_grid(top: float, step: float) -> SafeString:
    """Draw a line for each labelled value; that of 0 is the base."""
    return format_html_join(
        "",
        '<line class="chart-{}" x1="0" x2="100%" y1="{}" y2="{}"/>',
        (
            ("grid" if value else "base", height_of(value, top), height_of(value, top))
            for value in ticks(top, step)
        ),
    )


def draw_times(times: Times, centers: Sequence[float]) -> SafeString:
    """Label some times below the plot. centers: of each, in percent."""
    places = labelled(len(times))

    def anchor(place: int) -> str:
        if centers[place] < 8:
            return "start"
        return "end" if centers[place] > 92 else "middle"

    return format_html_join(
        "",
        '<text class="chart-day" x="{}%" y="{}" text-anchor="{}">{}</text>',
        (
            (f"{centers[place]:.2f}", FULL - 6, anchor(place), times.short[place])
            for place in places
        ),
    )


def draw_marks(
    times: Times,
    series: Sequence[Series],
    edges: Sequence[tuple[float, float]],
    write: Write,
    tops: Sequence[float],
) -> SafeString:
    """Draw what shows the values of a time when it is pointed at or in focus.

    edges: begin and width of each, in percent. tops: the highest point of each, in
    pixels. The last is in focus first; arrow keys lead on.
    """
    return format_html_join(
        "",
        '<g class="chart-mark" tabindex="{}" role="img" aria-label="{}">'
        '<rect class="chart-hit" x="{}%" y="{}" width="{}%" height="{}"/>'
        '<circle class="chart-dot" cx="{}%" cy="{}" r="4"/>'
        '<text class="chart-tip" x="{}" y="14">{}</text></g>',
        (
            (
                0 if place == len(times) - 1 else -1,
                f"{times.long[place]} · {(said := _values_of(place, series, write))}",
                f"{begin:.3f}",
                TOP,
                f"{width:.3f}",
                HEIGHT,
                f"{begin + width / 2:.3f}",
                tops[place],
                8 - AXIS_WIDTH,  # long on a phone: from the left edge of the picture
                f"{times.focus[place]} · {said}",
            )
            for place, (begin, width) in enumerate(edges)
        ),
    )


def _values_of(place: int, series: Sequence[Series], write: Write) -> str:
    values = (
        f"{each.label} {_cell(each.values[place], write)}"
        if len(series) > 1
        else _cell(each.values[place], write)
        for each in series
    )
    return " · ".join(values)


def draw_swatch(look: str, chart_id: str) -> SafeString:
    """Draw a piece of a series' pattern, for the key."""
    return format_html(
        '<svg class="chart-swatch" width="12" height="12" aria-hidden="true">'
        '<rect width="12" height="12" rx="2" {}/></svg>',
        fill_of(look, chart_id),
    )


def fill_of(look: str, chart_id: str) -> SafeString:
    """Return the attributes that fill a shape: a colour, with a pattern if bad."""
    if look == "bad":
        return format_html('class="chart-bad" fill="url(#{}-hatch)"', chart_id)
    return format_html('class="chart-{}"', look)


def draw_hatch(chart_id: str) -> SafeString:
    """Define the pattern of what went wrong: stripes, for who sees no colour."""
    return format_html(
        '<defs><pattern id="{}-hatch" width="6" height="6" '
        'patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect class="chart-bad-ground" width="6" height="6"/>'
        '<rect class="chart-bad-stripe" width="2.5" height="6"/></pattern></defs>',
        chart_id,
    )


def finish(
    chart_id: str,
    title: str,
    unit: str,
    axis: SafeString,
    plot: SafeString,
    times: Times,
    series: Sequence[Series],
    write: Write,
) -> Chart:
    """Join a picture with its key and its table, newest first."""
    key = tuple(KeyEntry(s.label, draw_swatch(s.look, chart_id)) for s in series)
    return Chart(
        id=chart_id,
        title=title,
        unit=unit,
        axis=axis,
        plot=plot,
        key=key if len(series) > 1 else (),
        headers=(times.heading, *(each.label for each in series)),
        body=_draw_rows(times, series, write),
    )


def _draw_rows(times: Times, series: Sequence[Series], write: Write) -> SafeString:
    row = '<tr><th scope="row">{}</th>' + "<td>{}</td>" * len(series) + "</tr>"
    return format_html_join(
        "",
        row,
        (
            (times.long[place], *(_cell(each.values[place], write) for each in series))
            for place in reversed(range(len(times)))
        ),
    )


def _cell(value: float | None, write: Write) -> str:
    return _NOTHING if value is None else write(value)
