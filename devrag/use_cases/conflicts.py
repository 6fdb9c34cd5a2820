"""Find where a product's documents contradict its code, or are older: one job.

Only files that no run has read yet are read; code that was is only searched again for
names that are new. Where a model is set, it compares what the detectors cannot.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from devrag.core.errors import PermissionDenied
from devrag.core.texts import gettext
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Job
from devrag.jobs.services import enqueue_job
from devrag.jobs.workflow import BatchPlan, Phase, Result, Workflow
from devrag.llm.errors import ChatError
from devrag.products.models import Product
from devrag.spending.budget import CapReached
from devrag.spending.language_model import check_model_name, open_model
from devrag.spending.models import CONFLICTS_PURPOSE
from devrag.use_cases import outdated
from devrag.use_cases.file_batches import batches_of_files
from devrag.wiki.api import (
    ask_request,
    choose_comparisons,
    compare_statements,
    compared_files,
    finish_search,
    keep_same,
    keep_verdicts,
    may_compare,
    note_wanted_names,
    passages_to_compare,
    read_documents,
    search_code,
    unread_files,
)
from devrag.wiki.models import DocumentConflict

_PASSAGES = 40


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


def plan_model(job: Job) -> Iterator[BatchPlan]:
    """Plan the passages that a model compares with code; none without a model."""
    product = Product.objects.get(pk=job.params["productID"])
    ids = passages_to_compare(product.pk) if may_compare(product) else []
    for first in range(0, len(ids), _PASSAGES):
        part = ids[first : first + _PASSAGES]
        yield BatchPlan({"passageIDs": part}, units=len(part))


def run_model(run: BatchRun) -> Result:
    """Let the model compare a batch of passages; what it answered is kept at once.

    A cap that is reached and a model that does not answer end the asking, not the job.
    """
    product = Product.objects.get(pk=run.job.params["productID"])
    if run.job.batches.filter(result__has_key="modelStopped").exists():
        return {}
    passage_ids = run.payload["passageIDs"]
    found = choose_comparisons(product, passage_ids)
    with run.fenced():
        keep_same(product.pk, passage_ids, found)
    asked = 0
    try:
        chat = open_model(
            product_id=product.pk,
            run=run.job.pk,
            purpose=CONFLICTS_PURPOSE,
            model=check_model_name(),
        )
        for request in found.requests:
            with run.kept():
                verdicts = ask_request(chat, request)
            asked += 1
            if verdicts is not None:
                with run.fenced():
                    keep_verdicts(product.pk, request, verdicts)
    except (CapReached, ChatError, PermissionDenied) as error:
        text = gettext("Stopped comparing documents with code: %(error)s")
        run.log(text % {"error": error.message}, level="warning")
        return {"asked": asked, "modelStopped": 1}
    return {"asked": asked}


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
        for key in ("statements", "asked", "found", "resolved", "outdated")
    }


WORKFLOW = Workflow(
    phases=(
        Phase("documents", "wiki", plan_documents, run_documents, unit="files"),
        Phase("code", "wiki", plan_code, run_code, unit="files"),
        Phase("model", "wiki", plan_model, run_model, is_atomic=False, unit="passages"),
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
        "isByModel": row.is_by_model,
        "reason": row.reason,
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
