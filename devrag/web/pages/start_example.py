"""The example of the start page: a search result from devrag's own code."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from devrag.core.highlight import highlight_lines
from devrag.sources.schedule import pause_between
from devrag.web.pages.code import Line


@dataclass(frozen=True, slots=True)
class StartExample:
    """Lines of a function, read from the installed file so that they are true."""

    path: PurePosixPath
    lines: tuple[Line, ...]

    @property
    def first(self) -> int:
        return self.lines[0].number

    @property
    def last(self) -> int:
        return self.lines[-1].number


@cache
def get_start_example() -> StartExample:
    """Return the function that the example's wiki sentence cites."""
    source, first = inspect.getsourcelines(pause_between)
    highlighted = highlight_lines("".join(source), "python")
    path = PurePosixPath(*pause_between.__module__.split(".")).with_suffix(".py")
    lines = (Line(number, html) for number, html in enumerate(highlighted, first))
    return StartExample(path, tuple(lines))
