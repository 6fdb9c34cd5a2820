"""The insights of a product as its page shows them: figures, charts, tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_noop

from devrag.core.principal import Principal
from devrag.insights.api import (
    PERIODS,
    MonthCost,
    ProductInsights,
    get_product_insights,
)
from devrag.products.models import Product
from devrag.web.charts import Chart, Series, draw_bars, draw_line, draw_share
from devrag.web.charts.scale import write_number
from devrag.web.pages.job_charts import (
    KindRow,
    draw_durations,
    draw_jobs,
    list_kinds,
)
from devrag.web.pages.languages import name_language
from devrag.web.pages.periods import Period

_LANGUAGES = 8
_ROLES = {
    "code": gettext_noop("Code files"),
    "test": gettext_noop("Test files"),
    "doc": gettext_noop("Documents"),
    "config": gettext_noop("Configuration files"),
    "data": gettext_noop("Data files"),
    "wiki": gettext_noop("Wiki pages of the source"),
}
_USES = {
    "page": gettext_noop("Generating the wiki"),
    "check": gettext_noop("Checking the wiki"),
    "ask": gettext_noop("Answering questions"),
    "search": gettext_noop("Rewriting searches"),
    "conflicts": gettext_noop("Comparing documents and code"),
    "embedding": gettext_noop("Embedding"),
    "rerank": gettext_noop("Reranking"),
}


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A row of a table with a bar. cells: what follows the bar."""

    label: str
    bar: SafeString
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the wiki cites. percent: of its citations that are up to date."""

    rows: tuple[ShareRow, ...]
    citations: int
    current: int
    percent: int
    pages: int
    version: int
    chart: Chart | None


@dataclass(frozen=True, slots=True)
class InsightsPage:
    """found: the figures. asked, searched: sums of the period."""

    found: ProductInsights
    days: int
    periods: tuple[int, ...]
    sizes: tuple[Chart, ...]
    languages: tuple[ShareRow, ...]
    activity: tuple[Chart, ...]
    kinds: tuple[KindRow, ...]
    coverage: Coverage | None
    questions: tuple[Chart, ...]
    uses: tuple[ShareRow, ...]
    cost: str

    @property
    def has_jobs(self) -> bool:
        return bool(self.kinds)


def get_insights_page(
    principal: Principal, product: Product, chosen: str
) -> InsightsPage:
    """Return the page for one of the periods; another word counts as none given."""
    known = {str(days): days for days in PERIODS}
    days = known.get(chosen, PERIODS[0])
    found = get_product_insights(principal, product, days)
    period = Period(found.until, days)
    return InsightsPage(
        found=found,
        days=days,
        periods=PERIODS,
        sizes=_draw_sizes(found, period) if found.sizes else (),
        languages=_list_languages(found),
        activity=(draw_jobs(found.activity, period), *draw_durations(found, period)),
        kinds=list_kinds(found.activity),
        coverage=_coverage(found, period),
        questions=_draw_questions(found, period),
        uses=tuple(_list_uses(found.cost)) if found.cost else (),
        cost=write_dollars(found.cost.cost) if found.cost else "",
    )


def _draw_sizes(found: ProductInsights, period: Period) -> tuple[Chart, ...]:
    by_day = {size.day: size for size in found.sizes}
    shown = period.since(found.sizes[0].day)
    sizes = [by_day[end] for end in shown.ends]
    kinds = (
        ("lines", gettext("Lines"), [size.lines for size in sizes]),
        ("files", gettext("Files"), [size.files for size in sizes]),
        ("chunks", gettext("Chunks"), [size.chunks for size in sizes]),
    )
    return tuple(
        draw_line(f"dr-{key}", label, "", shown.times, Series(label, tuple(values)))
        for key, label, values in kinds
    )


def _list_languages(found: ProductInsights) -> tuple[ShareRow, ...]:
    known = [each for each in found.languages if each.name]
    total = sum(each.lines for each in known) or 1
    return tuple(
        ShareRow(
            name_language(each.name),
            draw_share(100 * each.lines / total),
            (
                f"{100 * each.lines / total:.1f}%",
                write_number(each.lines),
                write_number(each.files),
            ),
        )
        for each in known[:_LANGUAGES]
    )


def _coverage(found: ProductInsights, period: Period) -> Coverage | None:
    if not found.wiki:
        return None
    now = found.wiki[-1]
    files = ((gettext(_ROLES[role]), *now.files.get(role, (0, 0))) for role in _ROLES)
    rows = (
        *files,
        (
            gettext("Classes, functions and methods"),
            now.cited_definitions,
            now.definitions,
        ),
    )
    current = now.citations - now.stale
    return Coverage(
        rows=tuple(
            ShareRow(
                label,
                draw_share(100 * cited / total),
                (
                    f"{100 * cited / total:.0f}%",
                    gettext("%(part)s of %(all)s")
                    % {"part": write_number(cited), "all": write_number(total)},
                ),
            )
            for label, cited, total in rows
            if total
        ),
        citations=now.citations,
        current=current,
        percent=_percent(current, now.citations),
        pages=now.pages,
        version=now.version,
        chart=_draw_freshness(found, period),
    )


def _percent(part: int, whole: int) -> int:
    """Return a share that is 100 only where nothing is missing."""
    return 100 * part // whole if whole else 100


def _draw_freshness(found: ProductInsights, period: Period) -> Chart | None:
    """Draw the share from the first measure on; None while there is one alone."""
    shown = period.since(max(found.since, found.wiki[0].day))
    if len(shown.ends) < 2:
        return None
    title = gettext("Citations up to date")
    values = tuple(_share_on(found, end) for end in shown.ends)
    return draw_line(
        *("dr-freshness", title, "%", shown.times),
        Series(title, values),
        most=100,
        write=lambda value: f"{value:.0f}%",
    )


def _share_on(found: ProductInsights, day: date) -> float:
    measure = [each for each in found.wiki if each.day <= day][-1]
    return float(_percent(measure.citations - measure.stale, measure.citations))


def _draw_questions(found: ProductInsights, period: Period) -> tuple[Chart, ...]:
    days = {each.day: each for each in found.questions}
    charts = (
        (
            *("dr-asked", gettext("Questions"), gettext("Answered")),
            period.add_up({day: each.asked for day, each in days.items()}),
            period.add_up({day: each.unanswered for day, each in days.items()}),
        ),
        (
            *("dr-searched", gettext("Searches"), gettext("With results")),
            period.add_up({day: each.searched for day, each in days.items()}),
            period.add_up({day: each.empty for day, each in days.items()}),
        ),
    )
    nothing = gettext("Not found")
    return tuple(
        draw_bars(
            *(key, title, period.unit, period.times),
            (
                Series(label, tuple(a - n for a, n in zip(all_, none, strict=True))),
                Series(nothing, none, "bad"),
            ),
        )
        for key, title, label, all_, none in charts
        if any(all_)
    )


def _list_uses(cost: MonthCost) -> tuple[ShareRow, ...]:
    most = max((use.cost for use in cost.uses), default=Decimal(0))
    calls = max((use.calls for use in cost.uses), default=1)
    return tuple(
        ShareRow(
            f"{gettext(_USES.get(use.purpose, use.purpose))} · {use.model}",
            draw_share(
                float(100 * use.cost / most) if most else 100 * use.calls / calls
            ),
            (
                write_number(use.calls),
                write_number(use.input_tokens + use.output_tokens),
                write_dollars(use.cost) if use.unpriced < use.calls else "–",
            ),
        )
        for use in cost.uses
    )


def write_dollars(cost: Decimal) -> str:
    """Write dollars with cents, and a small sum with what it has."""
    if 0 < cost < Decimal("0.01"):
        return "< $0.01"
    return f"${cost:,.2f}"
