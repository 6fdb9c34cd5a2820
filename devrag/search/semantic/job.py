"""The embedding job's phases: reuse by text hash, then embed what is missing.

A batch of the second phase holds no texts: it takes the next most useful ones when it
runs, so that what changed meanwhile goes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db import connection

from devrag.core import metrics
from devrag.core.metrics.definitions import EMBEDDED_TEXTS, EMBEDDING_SECONDS
from devrag.core.timings import timed_items
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Batch, Job
from devrag.jobs.workflow import BatchPlan, Result
from devrag.llm.embedder import EmbeddedBatch
from devrag.llm.errors import EmbeddingResourceExhausted
from devrag.search.models import EmbeddingSpec, PendingText, VectorCoverage
from devrag.search.semantic.external_calls import check_may_send, note_call, sent_text
from devrag.search.semantic.live_vectors import (
    count_vectors,
    lock_source,
    mark_portion,
)
from devrag.search.semantic.missing_vectors import (
    IS_KNOWN,
    WITHOUT_VECTOR,
    complete_until,
    current_ref,
    is_complete,
    lacking_texts,
)
from devrag.search.semantic.order import plan_order, take_texts
from devrag.search.semantic.pauses import hold, spend
from devrag.search.semantic.request import spec_of
from devrag.search.semantic.specs import dollars_of, embedder_of
from devrag.search.semantic.store import copy_range, copy_texts, store_vectors
from devrag.sources.models import Chunk, RefFile

BATCH_TEXTS = 64
_COPIED_AT_ONCE = 2000
# A rebuild or a switch replaces much of a manifest: counting all is as cheap then.
_RECOUNT_SHARE = 5

_REUSABLE = f"""
SELECT min(chunk_id), max(chunk_id), count(*)
FROM (
    SELECT chunk_id, (row_number() OVER (ORDER BY chunk_id) - 1) / %(size)s AS part
    FROM ({WITHOUT_VECTOR}) AS missing WHERE {IS_KNOWN}
) AS reusable
GROUP BY part ORDER BY part
"""


def plan_mark(job: Job) -> Iterable[BatchPlan]:
    """Plan to turn the flags of a big move, which no activation waited for."""
    unmarked = VectorCoverage.objects.filter(
        source=job.params["sourceID"], is_marked=False
    )
    return (BatchPlan(),) if unmarked.exists() else ()


def run_mark(run: BatchRun) -> Result:
    """Turn the flags portion by portion, each in a transaction of its own."""
    last: int | None = 0
    while last is not None:
        with run.fenced():
            last = mark_portion(run.job.params["sourceID"], last)
        run.progress(0)
    return {}


def plan_reuse(job: Job) -> Iterator[BatchPlan]:
    """Plan the copying of known vectors; the first batch says what the job is about."""
    spec, source_id = spec_of(job), job.params["sourceID"]
    lock_source(source_id, is_alone=True)
    ref = current_ref(source_id)
    after = _trusted_until(spec, source_id)
    keys = {"source": source_id, "spec": spec.pk, "after": after}
    scope = {
        "after": after,
        "refID": ref.pk if ref else None,
        "sequence": ref.sequence if ref else 0,
    }
    with connection.cursor() as cursor:
        cursor.execute(_REUSABLE, keys | {"size": _COPIED_AT_ONCE})
        ranges = cursor.fetchall() or [(0, 0, 1)]
    for first, last, count in ranges:
        yield BatchPlan({**scope, "first": first, "last": last}, units=count)


def _trusted_until(spec: EmbeddingSpec, source_id: int) -> int:
    """Return from where to look for missing vectors, counting again after big moves."""
    ref, after = current_ref(source_id), complete_until(spec, source_id)
    manifest = RefFile.objects.filter(ref=ref, until=None)
    moved = manifest.filter(since__gt=after).count()
    if after and moved * _RECOUNT_SHARE < manifest.count():
        return after
    count_vectors(spec=spec, source_id=source_id)
    return 0


def run_reuse(run: BatchRun) -> Result:
    """Give live chunks whose text is known its vector: no embedding call."""
    what = run.payload
    spec = spec_of(run.job)
    span = {key: what[key] for key in ("first", "last", "after")}
    return {"reused": copy_range(spec, run.job.params["sourceID"], **span)}


def _scope(job: Job) -> Mapping[str, Any]:
    """Return what the job is about: ref, and from which activation to which."""
    scope: dict[str, Any] = job.batches.filter(phase=1).earliest("ordinal").payload
    return scope


def plan_embed(job: Job) -> Iterator[BatchPlan]:
    """Line up the texts without vector; as many batches as they need."""
    scope = _scope(job)
    spec = spec_of(job)
    count = plan_order(spec, job.params["sourceID"], after=scope["after"])
    for start in range(0, count, BATCH_TEXTS):
        yield BatchPlan(units=min(BATCH_TEXTS, count - start))


def run_embed(run: BatchRun) -> Result:
    """Embed the next texts; each call's vectors are searchable as soon as it ends."""
    spec, source_id = spec_of(run.job), run.job.params["sourceID"]
    counts = Counter(run.batch.result)  # of an attempt that was cut off
    with run.fenced():
        ids = take_texts(spec, source_id, batch_id=run.batch.pk, count=BATCH_TEXTS)
        chunks = {each.embedded_hash: each for each in Chunk.objects.filter(pk__in=ids)}
        counts.update(reused=copy_texts(spec, source_id, list(chunks)))
        # Asked after the copy: a vector to copy may be deleted at any moment.
        lacking = lacking_texts(spec, source_id, list(chunks))
        fresh = [chunks[text_hash] for text_hash in lacking]
        _tick_off(run, set(ids) - {chunk.pk for chunk in fresh}, counts)
    if fresh:
        _embed(run, spec, fresh, counts)
    return dict(counts)


def _embed(
    run: BatchRun, spec: EmbeddingSpec, chunks: list[Chunk], counts: Counter[str]
) -> None:
    """Store the vectors of each call as it ends, so that none is paid for twice."""
    check_may_send(spec, run.job)
    embedder = embedder_of(spec)
    texts = [sent_text(spec, embedder, chunk) for chunk in chunks]
    spend(spec.provider, texts=len(texts), requests=embedder.count_calls(texts))
    try:
        for part, milliseconds in timed_items(embedder.embed_parts(texts)):
            counts.update(calls=1, callMilliseconds=round(milliseconds))
            metrics.count(EMBEDDING_SECONDS, spec.name, by=milliseconds / 1000)
            metrics.count(EMBEDDED_TEXTS, spec.name, by=len(part.vectors))
            done = chunks[part.first : part.first + len(part.vectors)]
            _store(run, spec, done, part, counts)
    except EmbeddingResourceExhausted as error:
        if not error.permanent:
            hold(spec.provider, seconds=error.retry_after_seconds)
        raise


def _store(
    run: BatchRun,
    spec: EmbeddingSpec,
    chunks: list[Chunk],
    part: EmbeddedBatch,
    counts: Counter[str],
) -> None:
    by_hash = {c.embedded_hash: v for c, v in zip(chunks, part.vectors, strict=True)}
    with run.fenced():
        stored = store_vectors(spec, run.job.params["sourceID"], by_hash)
        spread = max(0, stored - len(chunks))
        counts.update(embedded=len(chunks), spread=spread, tokens=part.tokens)
        note_call(run.job, spec, part.tokens)
        _tick_off(run, {chunk.pk for chunk in chunks}, counts)


def _tick_off(run: BatchRun, chunk_ids: set[int], counts: Mapping[str, int]) -> None:
    """Forget texts that are done, and keep the count if this attempt ends here."""
    PendingText.objects.filter(batch=run.batch.pk, chunk__in=chunk_ids).delete()
    Batch.objects.filter(pk=run.batch.pk).update(result=dict(counts))


def finish_embed(job: Job) -> Result:
    """Report texts embedded and calls saved; note up to where nothing is missing."""
    scope, source_id = _scope(job), job.params["sourceID"]
    counts: Counter[str] = Counter(embedded=0, reused=0, spread=0, tokens=0)
    for result in job.batches.values_list("result", flat=True).iterator():
        counts.update(result)
    spec = spec_of(job)
    coverage = VectorCoverage.objects.filter(spec=spec, source=source_id)
    # Looked up, never concluded: what an activation put ahead pushed others out, and a
    # text may be embedded or deleted by another job at any moment.
    if is_complete(
        spec,
        source_id,
        ref_id=scope["refID"],
        after=scope["after"],
        until=scope["sequence"],
    ):
        coverage.update(ref=scope["refID"], sequence=scope["sequence"])
    chunks = coverage.values_list("chunks", flat=True).first() or 0
    return {
        **counts,
        "chunks": chunks,
        **_saving(chunks, counts["embedded"]),
        "model": spec.name,
        "dollars": dollars_of(spec, counts["tokens"]),
    }


def _saving(chunks: int, embedded: int) -> dict[str, float]:
    """Return how many texts needed no call, against embedding everything."""
    saved = max(0, chunks - embedded)
    percent = round(100 * saved / chunks, 1) if chunks else 100.0
    return {"saved": saved, "savedPercent": percent}
