"""Label the files of a source: the job, and what asks for it.

Rules label new file versions while they are indexed. The job does what is left: files
of an older vocabulary or release, and by meaning once all vectors are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Job
from devrag.jobs.services import enqueue_job
from devrag.jobs.workflow import BatchPlan, Phase, Result, Workflow
from devrag.labels.api import (
    FLOORS,
    KINDS,
    assign_by_rules,
    assign_by_vectors,
    describe_label,
    ensure_vocabulary,
    files_to_compare,
    files_to_label,
    follow_files,
    near_labels,
    vectors_mark,
)
from devrag.labels.types import Assigned
from devrag.products.models import Product
from devrag.search.api import (
    announce_activation,
    has_all_vectors,
    mean_vectors,
    query_vector,
    search_spec,
)
from devrag.search.models import EmbeddingSpec
from devrag.sources.models import File, Source
from devrag.use_cases.file_batches import batches_of_files
from devrag.wiki.api import label_shown_pages


def request_labels(source: Source, *, requested_by: str = "") -> Job | None:
    """Ask for the labels that files of a source lack; None when none does."""
    follow_files(source.pk)
    spec = _spec_to_compare(source)
    is_lacking = files_to_label(source).exists() or (
        spec is not None and _to_compare(source, spec).exists()
    )
    if not is_lacking:
        return None
    return enqueue_job(
        kind="label",
        lane=f"label:{source.pk}",
        product=source.product,
        source_name=source.name,
        requested_by=requested_by,
        params={"sourceID": source.pk},
    )


def request_product_labels(product: Product, *, requested_by: str = "") -> None:
    """Ask for the labels of all sources, after the vocabulary changed."""
    for source in Source.objects.filter(product=product).select_related("product"):
        request_labels(source, requested_by=requested_by)


def refresh_pages(product: Product) -> None:
    """Label the pages of a product's wikis anew, by what their files have now."""
    label_shown_pages(product.pk)
    announce_activation()


def _spec_to_compare(source: Source) -> EmbeddingSpec | None:
    """Return the spec whose vectors tell labels, None while there are not all."""
    spec = search_spec(source.product)
    if spec is None or spec.model not in FLOORS:
        return None
    return spec if has_all_vectors(spec, source.pk) else None


def _to_compare(source: Source, spec: EmbeddingSpec) -> QuerySet[File]:
    return files_to_compare(source.pk, vectors_mark(source.product_id, spec.pk))


def _source_of(job: Job) -> Source:
    return Source.objects.select_related("product").get(pk=job.params["sourceID"])


def plan_rules(job: Job) -> Iterator[BatchPlan]:
    """Plan the files without labels by the present rules and vocabulary."""
    yield from batches_of_files(files_to_label(_source_of(job)))


def run_rules(run: BatchRun) -> Result:
    """Label a batch of files by rules."""
    changed = assign_by_rules(_source_of(run.job), run.payload["fileIDs"])
    return {"changed": changed}


def plan_vectors(job: Job) -> Iterator[BatchPlan]:
    """Plan the files to compare with labels, once all vectors are there."""
    source = _source_of(job)
    spec = _spec_to_compare(source)
    if spec is not None:
        yield from batches_of_files(_to_compare(source, spec))


def run_vectors(run: BatchRun) -> Result:
    """Label a batch of files by what their vectors are near to."""
    source = _source_of(run.job)
    spec = _spec_to_compare(source)
    if spec is None:
        return {"changed": 0}
    # Before the words are read: a change meanwhile makes the mark old.
    mark = vectors_mark(source.product_id, spec.pk)
    labels = ensure_vocabulary(source.product_id)
    told = [(each.pk, text) for each in labels if (text := describe_label(each))]
    found: dict[int, dict[int, Assigned]] = {pk: {} for pk in run.payload["fileIDs"]}
    means = mean_vectors(spec, list(found))
    if told and means:
        files = np.stack(list(means.values()))
        words = _embedded(spec, [text for _, text in told])
        background = _embedded(spec, [kind.description for kind in KINDS.values()])
        near = near_labels(files, words, background, FLOORS[spec.model])
        for file_id, given in zip(means, near, strict=True):
            found[file_id] = {
                told[row][0]: Assigned("embedding", round(lead, 4))
                for row, lead in given
            }
    return {"changed": assign_by_vectors(source.pk, found, mark)}


def _embedded(spec: EmbeddingSpec, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return a row for each text; the process keeps those it asked for."""
    return np.stack([query_vector(spec, text) for text in texts])


def finish_labels(job: Job) -> Result:
    """Report, label wiki pages by their files, and let the word index follow."""
    results = list(job.batches.values_list("result", "units"))
    changed = sum(result.get("changed", 0) for result, _ in results)
    if changed and job.product is not None:
        refresh_pages(job.product)
    return {"labelledFiles": sum(units for _, units in results), "changed": changed}


WORKFLOW = Workflow(
    phases=(
        Phase("rules", "parse", plan_rules, run_rules, unit="files"),
        Phase("meaning", "parse", plan_vectors, run_vectors, unit="files"),
    ),
    finish=finish_labels,
)
