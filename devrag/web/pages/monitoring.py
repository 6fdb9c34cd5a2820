"""How the instance does, as administrators see it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext, gettext_noop

from devrag.core.principal import Principal
from devrag.insights.api import InstanceInsights, get_instance_insights
from devrag.jobs.api import EndedJobs
from devrag.operations.status import list_versions
from devrag.web.charts import Chart, Series, Times, draw_bars, draw_line, draw_share
from devrag.web.charts.scale import write_number
from devrag.web.pages.insights import ShareRow
from devrag.web.pages.job_charts import KindRow, draw_jobs, list_kinds
from devrag.web.pages.jobs import name_kind
from devrag.web.pages.periods import Period, long_day, short_day

_MEGABYTE, _GIGABYTE = 2**20, 2**30
_PARTS = {
    "database/vectors": gettext_noop("Database: vectors"),
    "database/chunks": gettext_noop("Database: chunks"),
    "database/files": gettext_noop("Database: files and versions"),
    "database/definitions": gettext_noop("Database: definitions and uses"),
    "database/search": gettext_noop("Database: search"),
    "database/questions": gettext_noop("Database: questions and searches"),
    "database/wikis": gettext_noop("Database: wikis"),
    "database/jobs": gettext_noop("Database: jobs"),
    "database/other": gettext_noop("Database: everything else"),
    "mirrors": gettext_noop("Source mirrors"),
    "words": gettext_noop("Keyword index"),
    "wikis": gettext_noop("Exported wikis"),
    "models": gettext_noop("Local models"),
    "uploads": gettext_noop("Uploads"),
    "logs": gettext_noop("Logs"),
}
ERRORS = {
    "chat_unavailable": gettext_noop("Language model not reachable"),
    "chat_resource_exhausted": gettext_noop("Language model over its limit"),
    "chat_refused": gettext_noop("Language model refused"),
    "configuration": gettext_noop("Configuration"),
    "conflict": gettext_noop("Conflicting change"),
    "error": gettext_noop("Unexpected error"),
    "embedding_resource_exhausted": gettext_noop("Embedding model over its limit"),
    "embedding_unavailable": gettext_noop("Embedding model not reachable"),
    "invalid_input": gettext_noop("Invalid input"),
    "not_found": gettext_noop("Not found"),
    "permission_denied": gettext_noop("Permission denied"),
    "provider": gettext_noop("Model provider"),
    "service": gettext_noop("Service not reachable"),
    "source": gettext_noop("Source not reachable or refused"),
}


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """Failed jobs of a kind with one code. last: the day of the newest."""

    name: str
    code: str
    kind: str
    jobs: int
    last: str


@dataclass(frozen=True, slots=True)
class MonitoringPage:
    """speeds: what was done in a second while it ran, in words, by what."""

    found: InstanceInsights
    jobs: Chart
    speeds: tuple[tuple[str, str], ...]
    throughput: tuple[Chart, ...]
    kinds: tuple[KindRow, ...]
    errors: tuple[ErrorRow, ...]
    parts: tuple[ShareRow, ...]
    storage: Chart | None
    used_percent: int
    versions: tuple[tuple[str, str], ...]


def get_monitoring_page(principal: Principal) -> MonitoringPage:
    """Return the page for an administrator. Queries: 10."""
    found = get_instance_insights(principal)
    period = Period(found.until, (found.until - found.since).days + 1)
    return MonitoringPage(
        found=found,
        jobs=draw_jobs(found.activity, period),
        speeds=tuple(_speeds(found.activity)),
        throughput=tuple(_draw_throughput(found.activity, period)),
        kinds=list_kinds(found.activity),
        errors=_list_errors(found.activity),
        parts=_list_parts(found),
        storage=_draw_storage(found),
        used_percent=round(
            100 * (1 - found.storage.free / max(1, found.storage.total))
        ),
        versions=tuple(list_versions()),
    )


def _speeds(ended: Sequence[EndedJobs]) -> Iterable[tuple[str, str]]:
    names = (
        ("index", gettext("Files parsed per second")),
        ("embed", gettext("Chunks embedded per second")),
    )
    for kind, name in names:
        units = sum(each.units for each in ended if each.kind == kind)
        seconds = sum(each.work_seconds for each in ended if each.kind == kind)
        if units and seconds:
            yield name, write_number(round(units / seconds, 1))


def _draw_throughput(ended: Sequence[EndedJobs], period: Period) -> Iterable[Chart]:
    titles = (("index", gettext("Files parsed")), ("embed", gettext("Chunks embedded")))
    for kind, title in titles:
        units: dict[date, int] = defaultdict(int)
        for each in ended:
            if each.kind == kind:
                units[each.day] += each.units
        if any(units.values()):
            series = (Series(title, period.add_up(units)),)
            yield draw_bars(f"dr-{kind}", title, period.unit, period.times, series)


def _list_errors(ended: Sequence[EndedJobs]) -> tuple[ErrorRow, ...]:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    last: dict[tuple[str, str], date] = {}
    for each in ended:  # by day
        if each.has_failed:
            counts[each.error_code, each.kind] += each.jobs
            last[each.error_code, each.kind] = each.day
    return tuple(
        ErrorRow(
            gettext(ERRORS.get(code, code)),
            code,
            name_kind(kind),
            counts[code, kind],
            long_day(last[code, kind]),
        )
        for code, kind in sorted(counts, key=lambda key: (-counts[key], key))
    )


def _list_parts(found: InstanceInsights) -> tuple[ShareRow, ...]:
    total = found.storage.bytes or 1
    hosts = {part.host for part in found.storage.parts if part.host}
    return tuple(
        ShareRow(
            gettext(_PARTS.get(part.part, part.part))
            + (f" ({part.host})" if part.host and len(hosts) > 1 else ""),
            draw_share(100 * part.bytes / total),
            (f"{100 * part.bytes / total:.0f}%", filesizeformat(part.bytes)),
        )
        for part in found.storage.parts
    )


def _draw_storage(found: InstanceInsights) -> Chart | None:
    days = found.storage.days
    if len(days) < 2:
        return None
    title = gettext("Storage")
    names = tuple(long_day(each.day) for each in days)
    short = tuple(short_day(each.day) for each in days)
    times = Times(gettext("Day"), short=short, focus=names, long=names)
    is_big = max(each.bytes for each in days) >= _GIGABYTE
    unit = _GIGABYTE if is_big else _MEGABYTE
    values = tuple(each.bytes / unit for each in days)
    return draw_line(
        *("dr-storage", title, "GB" if is_big else "MB", times),
        Series(title, values),
        is_whole=False,
        write=lambda size: filesizeformat(size * unit),
    )
