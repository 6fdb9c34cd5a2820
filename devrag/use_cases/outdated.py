"""Find documents whose code changed since they were written, as steps of a job."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from devrag.core.principal import PUBLISHER
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Job
from devrag.jobs.workflow import BatchPlan, Result
from devrag.sources.api import read_history
from devrag.sources.models import Source
from devrag.use_cases.file_batches import batches_of_files
from devrag.wiki.api import dated_documents, find_outdated, forget_documents
from devrag.wiki.models import OutdatedDocument


def plan_history(job: Job) -> Iterator[BatchPlan]:
    """Plan a batch for each git source that every member may see."""
    sources = Source.objects.within_limits(PUBLISHER).filter(
        product=job.params["productID"], source_type=Source.Type.GIT
    )
    for pk, name in sources.values_list("pk", "name"):
        yield BatchPlan({"sourceID": pk}, note=name)


def run_history(run: BatchRun) -> Result:
    """Read the commits of a source that were not read yet."""
    source = Source.objects.filter(pk=run.payload["sourceID"]).first()
    if source is None:
        return {}
    repos_dir = Path(settings.GIT_CLONE_DIR)
    return {"changes": read_history(source, repos_dir=repos_dir)}


def plan_documents(job: Job) -> Iterator[BatchPlan]:
    """Plan the documents in batches, and forget those that are gone."""
    product_id = job.params["productID"]
    forget_documents(product_id)
    yield from batches_of_files(dated_documents(product_id))


def run_documents(run: BatchRun) -> Result:
    """Compare the dates of a batch of documents with those of their code."""
    product_id = run.job.params["productID"]
    return {"outdated": find_outdated(product_id, run.payload["fileIDs"])}


def describe_outdated(row: OutdatedDocument) -> dict[str, Any]:
    """Return a document that may be outdated for programs, with what changed."""
    return {
        "documentID": row.pk,
        "state": row.state,
        "sourceName": row.source.name,
        "path": row.path,
        "title": row.title,
        "writtenAt": row.written_at,
        "isOlder": row.is_older,
        "changedAt": row.changed_at,
        "lines": row.lines,
        "code": [
            {
                "sourceName": each.source.name,
                "path": each.path,
                "symbol": each.symbol,
                "line": each.line,
                "lines": each.lines,
                "changes": each.changes,
                "commit": each.commit,
                "changedAt": each.changed_at,
            }
            for each in row.citations.all()
        ],
        "foundAt": row.found_at,
        "checkedBy": row.checked_by,
        "checkedAt": row.checked_at,
    }
