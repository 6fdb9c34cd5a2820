"""The registry of job kinds; this module knows every package that has one."""

from __future__ import annotations

from typing import Any

from devrag.core.errors import DevragError, InvalidInput
from devrag.core.principal import SYSTEM
from devrag.core.texts import gettext
from devrag.indexing.activate import StaleBase, plan_activate, run_activate
from devrag.indexing.deletion import delete_staged_changes
from devrag.indexing.parse import halve_parse, plan_parse, run_parse
from devrag.indexing.plan import plan_plan, run_plan
from devrag.indexing.report import finish_index
from devrag.insights.api import record_source_size
from devrag.jobs.api import add_event
from devrag.jobs.models import Job, JobState
from devrag.jobs.services import enqueue_job, hand_over_flags
from devrag.jobs.workflow import Phase, Result, Workflow
from devrag.products.models import Product
from devrag.search.api import (
    complete_switch,
    finish_embed,
    lacking_specs,
    lacks_vectors,
    plan_embed,
    plan_graphs,
    plan_mark,
    plan_reuse,
    request_graphs,
    request_vectors,
    run_embed,
    run_graphs,
    run_mark,
    run_reuse,
    seconds_to_wait,
    spec_of,
    wanted_specs,
)
from devrag.sources.models import Source
from devrag.sources.schedule import note_failure, note_success
from devrag.use_cases.conflicts import WORKFLOW as CONFLICTS_WORKFLOW
from devrag.use_cases.conflicts import request_conflicts
from devrag.use_cases.deletion import job as deletion_job
from devrag.use_cases.index import index_lane
from devrag.use_cases.labelling import WORKFLOW as LABEL_WORKFLOW
from devrag.use_cases.labelling import request_labels
from devrag.use_cases.wiki import request_wiki
from devrag.wiki.api import (
    WAITS_FOR_VECTORS,
    WIKI_WORKFLOW,
    held_version,
    seconds_until_vectors,
)


def _finish_index(job: Job) -> Result:
    """Report, then let vectors fill in and the wiki follow, each as its own job."""
    report = dict(finish_index(job))
    if report["isCurrent"]:
        note_success(source_id=job.params["sourceID"])
    product = Product.objects.get(jobs=job)
    source = Source.objects.filter(pk=job.params["sourceID"]).first()
    if source is not None:
        record_source_size(source.pk)
        report |= _ask_for_vectors(job, source, is_all="skipped" not in report)
        request_labels(source, requested_by=job.requested_by)
        if report["isCurrent"] and "skipped" not in report:
            request_conflicts(product, requested_by=job.requested_by)
    if job.params.get("generateWiki"):
        report |= _ask_for_wiki(job, product)
    return report


def _ask_for_wiki(job: Job, product: Product) -> dict[str, Any]:
    """Let the wiki follow, unless somebody rolled it back: then it stays."""
    held = held_version(product)
    if held is not None:
        add_event(
            job,
            gettext(
                "The wiki was rolled back to version %(number)s and is not updated "
                "until someone updates it."
            )
            % {"number": held.number},
        )
        return {"wikiHeldAt": held.number}
    cause = f"indexed {job.source_name}"
    wiki = request_wiki(
        principal=SYSTEM,
        product=product,
        cause=cause,
        is_asked=False,
        asked_by=job.requested_by,
    )
    if seconds_until_vectors(wiki):
        add_event(wiki, gettext(WAITS_FOR_VECTORS))
    return {"wikiJobID": str(wiki.pk)}


def _ask_for_vectors(job: Job, source: Source, *, is_all: bool) -> dict[str, str]:
    """Let vectors follow under each spec; search's own reports back to the index job.

    is_all: something changed; else only what was lost.
    """
    specs = wanted_specs(source.product) if is_all else list(lacking_specs(source))
    jobs = [
        request_vectors(
            source,
            spec,
            requested_by=job.requested_by,
            index_job=None if position else job.pk,
        )
        for position, spec in enumerate(specs)
    ]
    return {"embedJobID": str(jobs[0].pk)} if jobs else {}


def _index_failed(job: Job, error: DevragError) -> None:
    """Take back a first index that cannot be, else slow the schedule down."""
    source = Source.objects.filter(pk=job.params["sourceID"]).first()
    if source is None:
        return
    if isinstance(error, StaleBase):
        _ask_again(job, source)
    elif isinstance(error, InvalidInput) and _is_untouched(source):
        _take_back(source, is_product_new=bool(job.params.get("isProductNew")))
    elif job.lane == index_lane(source):
        note_failure(source_id=source.pk, reason=error.message)


def _ask_again(job: Job, source: Source) -> None:
    """Put a run behind the one that was quicker, where it would have waited.

    Before a source's first run nobody knows its default ref, so that two lanes may lead
    to one ref.
    """
    lane = index_lane(source, job.params.get("ref"))
    again = hand_over_flags(lane=lane, params=job.params) or enqueue_job(
        kind=job.kind,
        lane=lane,
        product=source.product,
        source_name=job.source_name,
        requested_by=job.requested_by,
        params=job.params,
    )
    Job.objects.filter(pk=job.pk).update(
        state=JobState.SKIPPED, superseded_by=again, error="", error_code=""
    )


def _is_untouched(source: Source) -> bool:
    """Return whether nothing would be lost with a source: no index, nothing set up."""
    is_set_up = source.credentials or source.index_every_minutes
    return not (is_set_up or source.snapshots.exists())


def _take_back(source: Source, *, is_product_new: bool) -> None:
    """A first index that fails for what the place holds leaves nothing half-created."""
    product = source.product
    source.delete()
    if is_product_new and not (product.sources.exists() or product.wikis.exists()):
        product.delete()


def _finish_embed(job: Job) -> Result:
    """Report, and tell the index job that asked what its chunks cost."""
    report = dict(finish_embed(job))
    _ask_for_the_rest(job, has_advanced=bool(report["embedded"] + report["reused"]))
    complete_switch()
    request_graphs(job)
    source = Source.objects.filter(pk=job.params["sourceID"]).first()
    if source is not None:
        request_labels(source, requested_by=job.requested_by)
    asked = Job.objects.select_for_update().filter(pk=job.params.get("indexJobID"))
    for index_job in asked:
        index_job.report = {**index_job.report, "embedding": report}
        index_job.save(update_fields=["report"])
    return report


def _report_nothing(_job: Job) -> Result:
    """What was built is in the log."""
    return {}


def _ask_for_the_rest(job: Job, *, has_advanced: bool) -> None:
    """Let another job make what this one left, as long as each makes some."""
    source = Source.objects.filter(pk=job.params["sourceID"]).first()
    is_asked = Job.objects.filter(lane=job.lane, state=JobState.PENDING).exists()
    if source is None or is_asked or not has_advanced:
        return
    spec = spec_of(job)
    if lacks_vectors(spec, source.pk):
        request_vectors(source, spec, requested_by=job.requested_by)


WORKFLOWS = {
    "index": Workflow(
        phases=(
            Phase("plan", "plan", plan_plan, run_plan, is_atomic=False, unit="files"),
            Phase(
                *("parse", "parse", plan_parse, run_parse),
                unit="files",
                halve=halve_parse,
                limit_seconds=170,
            ),
            Phase("activate", "parse", plan_activate, run_activate),
        ),
        finish=_finish_index,
        failed=_index_failed,
        delete_leftovers=delete_staged_changes,
    ),
    "embed": Workflow(
        phases=(
            Phase("mark", "parse", plan_mark, run_mark, is_atomic=False),
            Phase("reuse", "parse", plan_reuse, run_reuse),
            Phase(
                *("embed", "embed", plan_embed, run_embed),
                is_atomic=False,
                unit="chunks",
                wait=seconds_to_wait,
            ),
        ),
        finish=_finish_embed,
    ),
    "graphs": Workflow(
        phases=(
            Phase(
                # Hours at the most: where no commit and no vector waits for it.
                *("graphs", "wiki", plan_graphs, run_graphs),
                is_atomic=False,
                # A millisecond and more for each of millions of vectors.
                limit_seconds=6 * 3600,
            ),
        ),
        finish=_report_nothing,
    ),
    "label": LABEL_WORKFLOW,
    "conflicts": CONFLICTS_WORKFLOW,
    "wiki": WIKI_WORKFLOW,
    "delete": deletion_job.WORKFLOW,
}
