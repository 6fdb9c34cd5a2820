"""Insights for programs: as REST tells them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from devrag.insights.costs import MonthCost
from devrag.insights.models import WikiMeasure
from devrag.insights.product import ProductInsights
from devrag.jobs.api import EndedJobs


def describe_insights(found: ProductInsights) -> dict[str, Any]:
    """Return the insights of a product; null is what the caller may not see."""
    return {
        "since": found.since,
        "sizes": [
            {
                "day": size.day,
                "files": size.files,
                "lines": size.lines,
                "chunks": size.chunks,
            }
            for size in found.sizes
        ],
        "languages": [
            {"language": each.name, "files": each.files, "lines": each.lines}
            for each in found.languages
        ],
        "jobs": list(describe_jobs(found.activity)),
        "wiki": [_describe_measure(measure) for measure in found.wiki],
        "questions": [
            {
                "day": each.day,
                "asked": each.asked,
                "unanswered": each.unanswered,
                "searched": each.searched,
                "withoutResults": each.empty,
            }
            for each in found.questions
        ],
        "openConflicts": found.open.conflicts,
        "outdatedDocuments": found.open.outdated,
        "openReports": found.open.reports,
        "gaps": None if found.gaps is None else _describe_gaps(found),
        "cost": None if found.cost is None else _describe_cost(found.cost),
    }


def describe_jobs(ended: Iterable[EndedJobs]) -> Iterable[dict[str, Any]]:
    """Yield the jobs that ended, by day, kind and how."""
    for each in ended:
        yield {
            "day": each.day,
            "kind": each.kind,
            "status": each.state,
            "errorCode": each.error_code,
            "jobs": each.jobs,
            "seconds": round(each.seconds, 3),
        }


def _describe_measure(measure: WikiMeasure) -> dict[str, Any]:
    return {
        "day": measure.day,
        "version": measure.version,
        "pages": measure.pages,
        "citations": measure.citations,
        "staleCitations": measure.stale,
        "files": [
            {"role": role, "cited": cited, "files": files}
            for role, (cited, files) in sorted(measure.files.items())
        ],
        "definitions": measure.definitions,
        "citedDefinitions": measure.cited_definitions,
    }


def _describe_gaps(found: ProductInsights) -> Sequence[dict[str, Any]]:
    return [
        {
            "text": gap.text,
            "asked": gap.asked,
            "searched": gap.searched,
            "lastAt": gap.last,
        }
        for gap in found.gaps or ()
    ]


def _describe_cost(cost: MonthCost) -> dict[str, Any]:
    return {
        "since": cost.since,
        "calls": cost.calls,
        "cost": float(cost.cost),
        "uses": [
            {
                "purpose": use.purpose,
                "model": use.model,
                "calls": use.calls,
                "inputTokens": use.input_tokens,
                "outputTokens": use.output_tokens,
                "cost": float(use.cost),
                "callsWithoutPrice": use.unpriced,
            }
            for use in cost.uses
        ],
    }
