"""A period of days, by days or by weeks, as charts show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from django.utils.formats import date_format
from django.utils.translation import get_language, gettext

from devrag.web.charts import Times

_LONGEST_BY_DAY = 31


@dataclass(frozen=True)
class Period:
    """Days up to the last, in steps of a day, or of a week where they are many.

    Weeks end with the last day; days before the first whole week are left out.
    """

    last: date
    days: int

    @property
    def step(self) -> int:
        return 1 if self.days <= _LONGEST_BY_DAY else 7

    @cached_property
    def ends(self) -> tuple[date, ...]:
        """The last day of each step."""
        count = max(1, self.days // self.step)
        return tuple(
            self.last - timedelta(days=self.step * number)
            for number in reversed(range(count))
        )

    @property
    def times(self) -> Times:
        """Return how charts call the steps."""
        return Times(
            heading=gettext("Day") if self.step == 1 else gettext("Week"),
            short=tuple(short_day(end) for end in self.ends),
            focus=tuple(self._name(end, long=self.step == 1) for end in self.ends),
            long=tuple(self._name(end, long=True) for end in self.ends),
        )

    def _name(self, end: date, *, long: bool) -> str:
        name = long_day(end) if long else short_day(end)
        if self.step == 1:
            return name
        return f"{short_day(end - timedelta(days=self.step - 1))} – {name}"

    @property
    def unit(self) -> str:
        """Return what a bar is for."""
        return gettext("per day") if self.step == 1 else gettext("per week")

    def add_up(self, values: Mapping[date, float]) -> tuple[float, ...]:
        """Return the sum of each step."""
        return tuple(
            sum(values.get(end - timedelta(days=back), 0) for back in range(self.step))
            for end in self.ends
        )

    def since(self, first: date) -> Period:
        """Return the part of the period from a day on."""
        return Period(self.last, min(self.days, (self.last - first).days + 1))


def short_day(day: date) -> str:
    """Write a day below an axis: `Nov 27`, `11月27日`."""
    return date_format(day, "n月j日" if get_language() == "ja" else "M j")


def long_day(day: date) -> str:
    """Write a day as text: `Nov 27, 2026`, `2026年11月27日`."""
    return date_format(day, "Y年n月j日" if get_language() == "ja" else "M j, Y")
