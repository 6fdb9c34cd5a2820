"""Find where a product's documents contradict its code, or are older: one job.

Only files that no run has read yet are read; code that was is only searched again for
names that are new.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Job
from devrag.jobs.services import enqueue_job
from devrag.jobs.workflow import BatchPlan, Phase, Result, Workflow
from devrag.products.models import Product
from devrag.use_cases import outdated
from devrag.use_cases.file_batches import batches_of_files
from devrag.wiki.api import (
    compare_statements,
    compared_files,
    finish_search,
    note_wanted_names,
    read_documents,
    search_code,
    unread_files,
)
from devrag.wiki.models import DocumentConflict


def request_conflicts(product: Product, *, requested_by: str = "") -> Job:
    """Ask for the conflicts of a product to be found anew."""
    return enqueue_job(
        kind="conflicts",
        lane=f"conflicts:{product.pk}",
        product=product,
        source_name="",
        requested_by=requested_by,
        params={"productID": product.pk},
    )


def plan_documents(job: Job) -> Iterator[BatchPlan]:
    """Plan the files whose statements were not read yet."""
    yield from batches_of_files(unread_files(job.params["productID"]))


def run_documents(run: BatchRun) -> Result:
    """Read the statements of a batch of files."""
    return {"statements": read_documents(run.payload["fileIDs"])}


def plan_code(job: Job) -> Iterator[BatchPlan]:
    """Plan the code to search: all of it where names are new, else what is unread."""
    product_id = job.params["productID"]
    has_new = note_wanted_names(product_id)
    yield from batches_of_files(
        (compared_files if has_new else unread_files)(product_id)
    )


def run_code(run: BatchRun) -> Result:
    """Search a batch of files for names."""
    product_id = run.job.params["productID"]
    return {"names": search_code(product_id, run.payload["fileIDs"])}


def plan_compare(_job: Job) -> Iterator[BatchPlan]:
    """Plan one batch: statements and names are in the database by then."""
    yield BatchPlan({}, units=1)


def run_compare(run: BatchRun) -> Result:
    """Compare statements with code, and keep what disagrees."""
    product_id = run.job.params["productID"]
    finish_search(product_id)
    return dict(compare_statements(product_id))


def finish_conflicts(job: Job) -> Result:
    """Report how many conflicts and outdated documents were found."""
    results = [each or {} for each in job.batches.values_list("result", flat=True)]
    return {
        key: sum(result.get(key, 0) for result in results)
        for key in ("statements", "found", "resolved", "outdated")
    }


WORKFLOW = Workflow(
    phases=(
        Phase("documents", "wiki", plan_documents, run_documents, unit="files"),
        Phase("code", "wiki", plan_code, run_code, unit="files"),
        Phase("compare", "wiki", plan_compare, run_compare),
        Phase("history", "wiki", outdated.plan_history, outdated.run_history),
        Phase(
            *("outdated", "wiki", outdated.plan_documents, outdated.run_documents),
            unit="files",
        ),
    ),
    finish=finish_conflicts,
)


def describe_conflict(row: DocumentConflict) -> dict[str, Any]:
    """Return a conflict for programs, with both sides."""
    return {
        "conflictID": row.pk,
        "kind": row.kind,
        "state": row.state,
        "subject": row.subject,
        "value": row.value,
        "actual": row.actual,
        "document": _side(row, "document"),
        "code": _side(row, "code") if row.code_source else None,
        "owner": row.owner,
        "foundAt": row.found_at,
        "decidedBy": row.decided_by,
    }


def _side(row: DocumentConflict, name: str) -> dict[str, Any]:
    return {
        "sourceName": getattr(row, f"{name}_source").name,
        "path": getattr(row, f"{name}_path"),
        "startLine": getattr(row, f"{name}_start"),
        "endLine": getattr(row, f"{name}_end"),
        "excerpt": getattr(row, f"{name}_excerpt"),
        "contentHash": getattr(row, f"{name}_hash"),
        "commit": getattr(row, f"{name}_commit"),
        "date": getattr(row, f"{name}_date"),
    }
