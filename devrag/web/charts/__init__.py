"""Charts drawn on the server: SVG that people read, focus and print, and its table."""

from __future__ import annotations

from devrag.web.charts.bars import draw_bars
from devrag.web.charts.lines import draw_line
from devrag.web.charts.share import draw_share
from devrag.web.charts.types import Chart, Series, Times

__all__ = ["Chart", "Series", "Times", "draw_bars", "draw_line", "draw_share"]
