"""The delete job: rows in portions, then what is left of source and product, then disk.

Each batch of rows is one short transaction. A job that was killed goes on with the
batches that are not done; every step may run again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from django.conf import settings
from django.db import connection

from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Job
from devrag.jobs.workflow import BatchPlan, Phase, Result, Workflow
from devrag.products.models import Product
from devrag.search.api import delete_file_versions
from devrag.sources.models import File, Source
from devrag.spending.models import ModelCall
from devrag.use_cases.deletion.leftover_files import (
    delete_orphan_mirrors,
    delete_orphan_uploads,
)
from devrag.wiki.api import delete_export
from devrag.wiki.models import Version

_PORTION_FILES = 300
_PORTION_BYTES = 2_000_000
_PORTION_ROWS = 10_000


def deleted_sources(job: Job) -> list[Source]:
    """Return the sources that a delete job still has to remove."""
    params = job.params
    rows = Source.everything.filter(is_deleting=True).order_by("pk")
    if "sourceID" in params:
        return list(rows.filter(pk=params["sourceID"]))
    return list(rows.filter(product_id=params["productID"]))


def plan_rows(job: Job) -> Iterable[BatchPlan]:
    """Plan portions over the file versions of all sources that go."""
    return chain.from_iterable(map(_portions, deleted_sources(job)))


def _portions(source: Source) -> Iterator[BatchPlan]:
    part: list[int] = []
    size = 0
    files = File.objects.filter(source=source).order_by("pk")
    for pk, file_size in files.values_list("pk", "size").iterator():
        part.append(pk)
        size += file_size
        if size >= _PORTION_BYTES or len(part) >= _PORTION_FILES:
            yield BatchPlan({"fileIDs": part}, units=len(part))
            part, size = [], 0
    if part:
        yield BatchPlan({"fileIDs": part}, units=len(part))


def run_rows(run: BatchRun) -> Result:
    """Remove one portion of file versions."""
    return delete_file_versions(run.payload["fileIDs"])


def plan_rest(job: Job) -> Iterable[BatchPlan]:
    """Plan the one batch that ends with the source's or product's own row."""
    # A host that never indexed a source has no files of it, and maybe no worker.
    indexed = [s for s in deleted_sources(job) if s.snapshots.exists()]
    return (BatchPlan({"hosts": sorted({source.host for source in indexed})}),)


def run_rest(run: BatchRun) -> Result:
    """Remove what is left; the row itself goes last, when nothing refers to it."""
    for source in deleted_sources(run.job):
        _remove_source(run, source)
    if "productID" in run.job.params:
        _remove_product(run, run.job.params["productID"])
    return {}


def _remove_source(run: BatchRun, source: Source) -> None:
    _in_portions(run, _SKIPS, source.pk)
    _in_portions(run, _PENDING_TEXTS, source.pk)
    while True:
        with run.fenced():
            # A cancelled job may have stored files since; from here on none can.
            Source.everything.select_for_update().get(pk=source.pk)
            late = File.objects.filter(source=source).order_by("pk")
            ids = list(late.values_list("pk", flat=True)[:_PORTION_FILES])
            if not ids:
                source.delete()
                return
            delete_file_versions(ids)
        run.progress(0)


def _remove_product(run: BatchRun, product_id: int) -> None:
    versions = Version.objects.filter(wiki__product_id=product_id)
    for version in versions.order_by("pk"):
        with run.fenced():
            version.delete()
        run.progress(0)
    _in_portions(run, _MODEL_CALLS, product_id)
    with run.fenced():
        Job.objects.filter(product_id=product_id).delete()
        Product.everything.filter(pk=product_id).delete()


_SKIPS = """
DELETE FROM sources_skip WHERE id IN (
    SELECT k.id FROM sources_skip k JOIN git_refs r ON r.id = k.ref_id
    WHERE r.source_id = %s LIMIT %s
)
"""
_PENDING_TEXTS = """
DELETE FROM search_pendingtext WHERE id IN (
    SELECT id FROM search_pendingtext WHERE source_id = %s LIMIT %s
)
"""
_MODEL_CALLS = f"""
DELETE FROM {ModelCall._meta.db_table} WHERE id IN (
    SELECT id FROM {ModelCall._meta.db_table} WHERE product_id = %s LIMIT %s
)
"""


def _in_portions(run: BatchRun, statement: str, key: int) -> None:
    while True:
        with run.fenced(), connection.cursor() as cursor:
            cursor.execute(statement, [key, _PORTION_ROWS])
            if not cursor.rowcount:
                return
        run.progress(0)


def plan_disk(job: Job) -> Iterable[BatchPlan]:
    """Plan the removal of files, on each host that may hold some."""
    rest = job.batches.get(phase=1)
    hosts = rest.payload["hosts"] or [""]
    return [BatchPlan(queue=f"plan.{host}" if host else "plan") for host in hosts]


def run_disk(run: BatchRun) -> Result:
    """Remove mirrors, uploads and exported wikis that belong to nobody any more."""
    name = run.job.params["name"]
    is_product = "productID" in run.job.params
    return {
        "mirrorBytes": sum(delete_orphan_mirrors()),
        "uploadBytes": sum(delete_orphan_uploads()),
        "exports": int(is_product and delete_export(settings.WIKI_OUTPUT_DIR, name)),
    }


def finish_delete(job: Job) -> Result:
    """Report what went; the ended jobs of what is gone go with it."""
    counted = ("files", "chunks", "vectors", "mirrorBytes", "uploadBytes", "exports")
    report = dict.fromkeys(counted, 0)
    for result in job.batches.values_list("result", flat=True):
        for key in report:
            report[key] += result.get(key, 0)
    params = job.params
    key = "sourceID" if "sourceID" in params else "productID"
    gone = Job.objects.filter(**{f"params__{key}": params[key]})
    gone.exclude(pk=job.pk).delete()
    return report


WORKFLOW = Workflow(
    phases=(
        Phase("rows", "parse", plan_rows, run_rows),
        Phase("rest", "parse", plan_rest, run_rest, is_atomic=False),
        Phase("disk", "plan", plan_disk, run_disk, is_atomic=False),
    ),
    finish=finish_delete,
)
