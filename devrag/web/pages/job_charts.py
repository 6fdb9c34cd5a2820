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


@dataclass(frozen=True, slots=True)
class KindRow:
    """Jobs of a kind over a period. average: in words."""

    name: str
    jobs: int
    failed: int
    average: str


def draw_jobs(ended: Sequence[EndedJobs], days: Sequence[date]) -> Chart:
    """Draw how many jobs ended on each day, and how many of them failed."""
    well: dict[date, int] = defaultdict(int)
    failed: dict[date, int] = defaultdict(int)
    for each in ended:
        (failed if each.has_failed else well)[each.day] += each.jobs
    return draw_bars(
        *("dr-jobs", gettext("Jobs"), gettext("per day")),
        days,
        (
            Series(gettext("Completed"), tuple(well[day] for day in days)),
            Series(gettext("Failed"), tuple(failed[day] for day in days), "bad"),
        ),
    )


def draw_durations(found: ProductInsights, days: Sequence[date]) -> Iterable[Chart]:
    """Draw how long the index and the wiki were worked on each day, what ran."""
    titles = (
        ("index", gettext("Time spent indexing")),
        ("wiki", gettext("Time spent writing the wiki")),
    )
    for kind, title in titles:
        seconds: dict[date, float] = defaultdict(float)
        for each in found.activity:
            if each.kind == kind:
                seconds[each.day] += each.seconds
        if seconds:
            yield draw_bars(
                *(f"dr-{kind}-time", title, gettext("minutes per day")),
                days,
                (Series(title, tuple(seconds[day] / 60 for day in days)),),
                write=lambda minutes: describe_seconds(minutes * 60),
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
