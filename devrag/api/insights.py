"""How a product does over time: sizes, jobs, wiki, questions, cost."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, ClassVar

from django.http import HttpRequest
from ninja import Field, Query, Router

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import caller
from devrag.api.products import find_product
from devrag.api.sample_values import TIME
from devrag.insights.api import describe_insights, get_product_insights

router = Router(tags=["products"], by_alias=True)
_DAY = TIME[:10]


class SizeOut(JsonSchema):
    """All sources together at the end of a day."""

    day: date
    files: int
    lines: int
    chunks: int


class LanguageOut(JsonSchema):
    """Now, most lines first. language: '' where it is unknown."""

    language: str
    files: int
    lines: int


class EndedJobsOut(JsonSchema):
    """Jobs of a kind that ended alike on a day. errorCode: '' for no error."""

    day: date
    kind: str
    status: str
    error_code: str
    jobs: int
    seconds: float = Field(description="Total time from start to end.")


class CitedFilesOut(JsonSchema):
    """role: code, test, doc, config, data or wiki."""

    role: str
    cited: int
    files: int


class WikiMeasureOut(JsonSchema):
    """What the wiki covered on a day; a day without change has no entry."""

    day: date
    version: int
    pages: int
    citations: int
    stale_citations: int
    files: list[CitedFilesOut]
    definitions: int
    cited_definitions: int


class AskedDayOut(JsonSchema):
    """What was asked about and searched in this product alone."""

    day: date
    asked: int
    unanswered: int
    searched: int
    without_results: int


class GapOut(JsonSchema):
    """A question without an answer, as last asked."""

    text: str
    asked: int
    searched: int
    last_at: datetime


class UseOut(JsonSchema):
    """Calls of a model for one purpose. cost: in dollars, of those with a price."""

    purpose: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float
    calls_without_price: int


class MonthCostOut(JsonSchema):
    """What models were asked this calendar month. cost: in dollars."""

    since: date
    calls: int
    cost: float
    uses: list[UseOut]


class InsightsOut(JsonSchema):
    """openReports, gaps, cost: null except for maintainers of the product."""

    since: date
    sizes: list[SizeOut]
    languages: list[LanguageOut]
    jobs: list[EndedJobsOut]
    wiki: list[WikiMeasureOut]
    questions: list[AskedDayOut]
    open_conflicts: int
    outdated_documents: int
    open_reports: int | None
    gaps: list[GapOut] | None
    cost: MonthCostOut | None

    EXAMPLE: ClassVar = {
        "since": _DAY,
        "sizes": [{"day": _DAY, "files": 120, "lines": 14000, "chunks": 900}],
        "languages": [{"language": "python", "files": 90, "lines": 12000}],
        "jobs": [
            {
                "day": _DAY,
                "kind": "index",
                "status": "completed",
                "errorCode": "",
                "jobs": 3,
                "seconds": 41.5,
            }
        ],
        "wiki": [
            {
                "day": _DAY,
                "version": 4,
                "pages": 24,
                "citations": 310,
                "staleCitations": 6,
                "files": [{"role": "code", "cited": 60, "files": 80}],
                "definitions": 700,
                "citedDefinitions": 290,
            }
        ],
        "questions": [
            {
                "day": _DAY,
                "asked": 4,
                "unanswered": 1,
                "searched": 9,
                "withoutResults": 2,
            }
        ],
        "openConflicts": 2,
        "outdatedDocuments": 1,
        "openReports": 1,
        "gaps": [
            {"text": "How is VAT rounded?", "asked": 2, "searched": 1, "lastAt": TIME}
        ],
        "cost": {
            "since": _DAY,
            "calls": 12,
            "cost": 0.4,
            "uses": [
                {
                    "purpose": "ask",
                    "model": "gpt-5.1",
                    "calls": 12,
                    "inputTokens": 52000,
                    "outputTokens": 3100,
                    "cost": 0.4,
                    "callsWithoutPrice": 0,
                }
            ],
        },
    }


class OfInsights(JsonSchema):
    """How many days, today included."""

    days: int = Field(30, ge=1, le=365)


@router.get(
    "/{int:productID}/insights", response={200: InsightsOut, **describe_errors(404)}
)
def get_insights(
    request: HttpRequest, productID: int, of: Annotated[OfInsights, Query(...)]
) -> dict[str, Any]:
    """Return statistics of a product over time, limited to accessible sources."""
    product = find_product(caller(request), productID)
    return describe_insights(get_product_insights(caller(request), product, of.days))
