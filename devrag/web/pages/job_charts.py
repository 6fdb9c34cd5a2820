"""Ended jobs as charts and a table: how many, how they ended, how long they took."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext

from devrag.insights.api import ProductInsights
from devrag.jobs.api import EndedJobs, describe_seconds
from devrag.web.charts import Chart, Series, draw_bars
from devrag.web.pages.jobs import name_kind
from devrag.web.pages.periods import Period


@dataclass(frozen=True, slots=True)
class KindRow:
    """Jobs of a kind over a period. average: in words."""

    name: str
    jobs: int
    failed: int
    average: str


def draw_jobs(ended: Sequence[EndedJobs], period: Period) -> Chart:
    """Draw how many jobs ended, and how many of them failed."""
    well: dict[date, int] = defaultdict(int)
    failed: dict[date, int] = defaultdict(int)
    for each in ended:
        (failed if each.has_failed else well)[each.day] += each.jobs
    return draw_bars(
        *("dr-jobs", gettext("Jobs"), period.unit, period.times),
        (
            Series(gettext("Completed"), period.add_up(well)),
            Series(gettext("Failed"), period.add_up(failed), "bad"),
        ),
    )


def draw_durations(found: ProductInsights, period: Period) -> Iterable[Chart]:
    """Draw how long the index and the wiki were worked on, what ran."""
    unit = gettext("minutes") + " " + period.unit
    titles = (
        ("index", gettext("Time spent indexing")),
        ("wiki", gettext("Time spent generating the wiki")),
    )
    for kind, title in titles:
        minutes: dict[date, float] = defaultdict(float)
        for each in found.activity:
            if each.kind == kind:
                minutes[each.day] += each.seconds / 60
        if minutes:
            yield draw_bars(
                *(f"dr-{kind}-time", title, unit, period.times),
                (Series(title, period.add_up(minutes)),),
                write=lambda each: describe_seconds(each * 60),
            )


def list_kinds(ended: Iterable[EndedJobs]) -> tuple[KindRow, ...]:
    """Return the kinds of jobs that ended, the most frequent first."""
    jobs: dict[str, int] = defaultdict(int)
    failed: dict[str, int] = defaultdict(int)
    seconds: dict[str, float] = defaultdict(float)
    for each in ended:
        jobs[each.kind] += each.jobs
        failed[each.kind] += each.jobs if each.has_failed else 0
        seconds[each.kind] += each.seconds
    ordered = sorted(jobs, key=lambda kind: (-jobs[kind], kind))
    return tuple(
        KindRow(
            name_kind(kind),
            jobs[kind],
            failed[kind],
            describe_seconds(seconds[kind] / jobs[kind]),
        )
        for kind in ordered
    )
