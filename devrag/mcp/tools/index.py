"""add_folder, reindex and get_job: what is indexed, up to date, and how far it is."""

from __future__ import annotations

from typing import Annotated, NotRequired
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.core.locations import looks_like_path
from devrag.core.principal import Principal
from devrag.core.text import shorten
from devrag.jobs.api import describe_progress
from devrag.jobs.models import Job, JobState
from devrag.jobs.selectors import get_visible_job
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import find_collection
from devrag.mcp.indexing import (
    describe_open,
    start_indexing,
    trace_job,
    wait_for_jobs,
)
from devrag.products.models import Product
from devrag.sources.models import Source
from devrag.use_cases.api import add_repository

_REPORTED = ("added", "modified", "removed", "unchanged", "chunks", "commit", "pages")


class Reindexed(TypedDict):
    """Files that changed. notes: what still runs or failed, with its job's id."""

    added: int
    updated: int
    deleted: int
    notes: NotRequired[list[str]]


class JobOut(TypedDict):
    """A job. percent: of its work. report: counts once it has ended.

    seconds_left: of all its phases, only of wikis and only while known.
    """

    job_id: str
    kind: str
    status: str
    percent: int
    source: NotRequired[str]
    product: NotRequired[str]
    phase: NotRequired[str]
    seconds_left: NotRequired[int]
    error: NotRequired[str]
    report: NotRequired[dict[str, object]]


class FolderAdded(TypedDict):
    """The source of a folder, and the job that indexes it."""

    source: str
    product: str
    job_id: str
    next: NotRequired[str]


def add_folder(
    ctx: Ctx,
    path: Annotated[
        str,
        Field(
            min_length=1,
            max_length=2_000,
            description="Absolute path on the server, below its SOURCE_ROOTS.",
        ),
    ],
    product: Annotated[
        str,
        Field(
            min_length=1,
            max_length=64,
            description="Product it belongs to; created if needed.",
        ),
    ],
    name: Annotated[
        str, Field(max_length=100, description="Source name; '' for the folder's name.")
    ] = "",
) -> FolderAdded:
    """Add a folder on the server to a product, index it and watch it for changes.

    An existing folder is indexed again. An administrator decides which folders can be
    added.
    """
    principal = caller(ctx, "index")
    if not looks_like_path(path):
        raise InvalidInput(
            f"'{shorten(path, 80)}' is not a folder: use an absolute path. "
            "Repositories and other sources must be added by users."
        )
    job = add_repository(
        principal=principal,
        location=path,
        product_name=product,
        source_name=name or None,
        is_wiki_wanted=False,
    )
    return FolderAdded(
        source=job.source_name,
        product=product,
        job_id=str(job.pk),
        next="get_job shows when it is searchable.",
    )


def reindex(
    ctx: Ctx,
    source: Annotated[
        str, Field(description="A source, or all sources of a product; '' for all.")
    ] = "",
    full: Annotated[bool, Field(description="Read all files again.")] = False,
    wait_seconds: Annotated[int, Field(ge=0, le=600)] = 60,
) -> Reindexed:
    """Update the index to the newest versions of the sources; only reads changes.

    Returns the number of added, updated and deleted files. If it takes longer than
    wait_seconds, it continues in the background: use get_job to follow it.
    """
    principal = caller(ctx, "index")
    jobs = start_indexing(principal, _sources(principal, source), is_full=full)
    done = wait_for_jobs(jobs, wait_seconds)
    for job in done:
        trace_job(job)
    reports = [job.report for job in done if job.state == JobState.COMPLETED]
    counts = Reindexed(
        added=sum(report.get("added", 0) for report in reports),
        updated=sum(report.get("modified", 0) for report in reports),
        deleted=sum(report.get("removed", 0) for report in reports),
    )
    if notes := [note for job in done if (note := describe_open(job))]:
        counts["notes"] = notes
    return counts


def _sources(principal: Principal, name: str) -> list[Source]:
    """Return the sources that are meant; without a name those one may index."""
    scope = find_collection(principal, name)
    rows = Source.objects.filter(pk__in=scope.source_ids).select_related("product")
    if name:
        return list(rows)
    maintained = rows.filter(product__in=Product.objects.maintained_by(principal))
    if rows and not maintained:
        raise PermissionDenied(f"{principal.name} is not allowed to index any source.")
    return list(maintained)


def get_job(
    ctx: Ctx,
    job_id: Annotated[UUID, Field(description="As returned by reindex and notes.")],
) -> JobOut:
    """Return the progress of an index or wiki job. Wait some seconds between calls."""
    job = get_visible_job(job_id, caller(ctx, "read"))
    progress = describe_progress(job)
    found = JobOut(
        job_id=str(job.pk), kind=job.kind, status=job.state, percent=progress.percent
    )
    if job.source_name:
        found["source"] = job.source_name
    if job.product:
        found["product"] = job.product.name
    if progress.current:
        found["phase"] = progress.current.name
    if progress.seconds_left is not None:
        found["seconds_left"] = round(progress.seconds_left)
    if job.error:
        found["error"] = job.error
    if report := _report(job):
        found["report"] = report
    return found


def _report(job: Job) -> dict[str, object]:
    return {key: job.report[key] for key in _REPORTED if key in job.report}
