"""The insights of a product as its page shows them: figures, charts, tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_noop

from devrag.core.languages import spell_language
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
    "page": gettext_noop("Writing the wiki"),
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
    principal: Principal, product: Product, period: str
) -> InsightsPage:
    """Return the page for one of the periods; another word counts as none given."""
    known = {str(days): days for days in PERIODS}
    days = known.get(period, PERIODS[0])
    found = get_product_insights(principal, product, days)
    every = [found.since + timedelta(days=number) for number in range(days)]
    return InsightsPage(
        found=found,
        days=days,
        periods=PERIODS,
        sizes=_draw_sizes(found) if found.sizes else (),
        languages=_list_languages(found),
        activity=(draw_jobs(found.activity, every), *draw_durations(found, every)),
        kinds=list_kinds(found.activity),
        coverage=_coverage(found),
        questions=_draw_questions(found),
        uses=_list_uses(found.cost) if found.cost else (),
        cost=write_dollars(found.cost.cost) if found.cost else "",
    )


def _draw_sizes(found: ProductInsights) -> tuple[Chart, ...]:
    days = [size.day for size in found.sizes]
    kinds = (
        ("lines", gettext("Lines"), [size.lines for size in found.sizes]),
        ("files", gettext("Files"), [size.files for size in found.sizes]),
        ("chunks", gettext("Chunks"), [size.chunks for size in found.sizes]),
    )
    unit = gettext("at the end of each day")
    return tuple(
        draw_line(f"dr-{key}", label, unit, days, Series(label, tuple(values)))
        for key, label, values in kinds
    )


def _list_languages(found: ProductInsights) -> tuple[ShareRow, ...]:
    known = [each for each in found.languages if each.name]
    total = sum(each.lines for each in known) or 1
    return tuple(
        ShareRow(
            spell_language(each.name),
            draw_share(100 * each.lines / total),
            (
                f"{100 * each.lines / total:.1f} %",
                write_number(each.lines),
                write_number(each.files),
            ),
        )
        for each in known[:_LANGUAGES]
    )


def _coverage(found: ProductInsights) -> Coverage | None:
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
                    f"{100 * cited / total:.0f} %",
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
        chart=_draw_freshness(found),
    )


def _percent(part: int, whole: int) -> int:
    """Return a share that is 100 only where nothing is missing."""
    return 100 * part // whole if whole else 100


def _draw_freshness(found: ProductInsights) -> Chart | None:
    """Draw the share from the first measure on; None while there is one day alone."""
    first = max(found.since, found.wiki[0].day)
    last = found.questions[-1].day
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    if len(days) < 2:
        return None
    title = gettext("Citations up to date")
    values = tuple(_share_on(found, day) for day in days)
    return draw_line(
        *("dr-freshness", title, gettext("% at the end of each day")),
        days,
        Series(title, values),
        most=100,
        write=lambda value: f"{value:.0f} %",
    )


def _share_on(found: ProductInsights, day: date) -> float:
    measure = [each for each in found.wiki if each.day <= day][-1]
    return float(_percent(measure.citations - measure.stale, measure.citations))


def _draw_questions(found: ProductInsights) -> tuple[Chart, ...]:
    days = [each.day for each in found.questions]
    unit = gettext("per day")
    charts = (
        (
            *("dr-asked", gettext("Questions"), gettext("Answered")),
            [(each.asked, each.unanswered) for each in found.questions],
        ),
        (
            *("dr-searched", gettext("Searches"), gettext("With results")),
            [(each.searched, each.empty) for each in found.questions],
        ),
    )
    nothing = gettext("Not found")
    return tuple(
        draw_bars(
            *(key, title, unit, days),
            (
                Series(found_label, tuple(all_ - none for all_, none in counts)),
                Series(nothing, tuple(none for _, none in counts), "bad"),
            ),
        )
        for key, title, found_label, counts in charts
        if any(all_ for all_, _ in counts)
    )


def _list_uses(cost: MonthCost) -> Sequence[ShareRow]:
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
