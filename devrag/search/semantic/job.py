"""The embedding job's phases: reuse by text hash, then embed what is missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef

from devrag.jobs.models import Job
from devrag.jobs.run import BatchRun
from devrag.jobs.workflow import BatchPlan, Result
from devrag.search.models import Embedding, EmbeddingSpec
from devrag.search.semantic.recipe import embedded_text
from devrag.search.semantic.specs import embedder_of, ensure_active_spec
from devrag.sources.models import Chunk

_BATCH_CHUNKS = 64

# Live chunks: those whose file is in the current manifest of its source's current ref.
_LIVE_CHUNKS = """
    SELECT c.id AS chunk_id, f.source_id, c.embedded_hash
    FROM git_refs r
    JOIN sources_reffile m ON m.ref_id = r.id AND m.until IS NULL
    JOIN sources_file f ON f.id = m.file_id
    JOIN sources_chunk c ON c.file_id = f.id
    WHERE r.source_id = %(source)s AND r.is_current
"""
_WITHOUT_VECTOR = f"""
    SELECT live.* FROM ({_LIVE_CHUNKS}) AS live
    WHERE NOT EXISTS (
        SELECT 1 FROM search_embedding e
        WHERE e.spec_id = %(spec)s AND e.chunk_id = live.chunk_id
    )
"""
_REUSE = f"""
INSERT INTO search_embedding (spec_id, chunk_id, source_id, text_hash, is_live, vector)
SELECT %(spec)s, live.chunk_id, live.source_id, live.embedded_hash, true, known.vector
FROM ({_WITHOUT_VECTOR}) AS live
JOIN LATERAL (
    SELECT vector FROM search_embedding
    WHERE spec_id = %(spec)s AND text_hash = live.embedded_hash LIMIT 1
) AS known ON true
ON CONFLICT DO NOTHING
"""
# One statement per text: equal texts are embedded once. Documents first, then by size
# of the file's share, so that what people ask for most is there first.
_MISSING = f"""
SELECT min(live.chunk_id) FROM ({_WITHOUT_VECTOR}) AS live
JOIN sources_chunk c ON c.id = live.chunk_id
GROUP BY live.embedded_hash
ORDER BY min(CASE c.kind WHEN 'section' THEN 0 WHEN 'symbol' THEN 1 ELSE 2 END),
         min(live.chunk_id)
"""


def plan_reuse(job: Job) -> Iterable[BatchPlan]:
    """Plan the one batch that copies known vectors; names the spec of the whole job."""
    return (BatchPlan({"specID": ensure_active_spec().pk}),)


def lacks_vectors(source_id: int) -> bool:
    """Say whether a live chunk of the source has no vector of the active spec."""
    keys = {"source": source_id, "spec": ensure_active_spec().pk}
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS ({_WITHOUT_VECTOR})", keys)
        return bool(cursor.fetchone()[0])


def run_reuse(run: BatchRun) -> Result:
    """Give live chunks whose text is known its vector: no embedding call (O4)."""
    return {"reused": _execute(_REUSE, run.job, run.payload["specID"])}


def plan_embed(job: Job) -> Iterable[BatchPlan]:
    """Plan batches over the texts that have no vector yet."""
    spec_id = ensure_active_spec().pk
    with connection.cursor() as cursor:
        cursor.execute(_MISSING, {"source": job.params["sourceID"], "spec": spec_id})
        ids = [row[0] for row in cursor.fetchall()]
    return [
        BatchPlan({"specID": spec_id, "chunkIDs": part}, units=len(part))
        for start in range(0, len(ids), _BATCH_CHUNKS)
        if (part := ids[start : start + _BATCH_CHUNKS])
    ]


def run_embed(run: BatchRun) -> Result:
    """Embed one batch and store its vectors."""
    spec = EmbeddingSpec.objects.get(pk=run.payload["specID"])
    known = Embedding.objects.filter(spec=spec, chunk=OuterRef("pk"))
    chunks = list(
        Chunk.objects.filter(~Exists(known), pk__in=run.payload["chunkIDs"])
        .select_related("file")
        .defer("file__text")
    )
    if not chunks:
        return {"embedded": 0}
    texts = [
        embedded_text(header=c.header, heading=c.heading, text=c.text) for c in chunks
    ]
    vectors = embedder_of(spec).embed_documents(texts)
    Embedding.objects.bulk_create(
        [
            Embedding(
                spec=spec,
                chunk=chunk,
                source_id=chunk.file.source_id,
                text_hash=chunk.embedded_hash,
                is_live=True,
                vector=vector,
            )
            for chunk, vector in zip(chunks, vectors, strict=True)
        ],
        ignore_conflicts=True,
    )
    return {"embedded": len(chunks)}


def run_spread(run: BatchRun) -> Result:
    """Give chunks of equal text the vectors made meanwhile; settle what is live."""
    spread = _execute(_REUSE, run.job, run.payload["specID"])
    mark_live(run.job.params["sourceID"])
    return {"spread": spread}


def finish_embed(job: Job) -> Result:
    """Report texts embedded and calls saved."""
    report: dict[str, Any] = {"embedded": 0, "reused": 0, "spread": 0}
    for result in job.batches.values_list("result", flat=True):
        for key in report:
            report[key] += result.get(key, 0)
    return report


def mark_live(source_id: int) -> None:
    """Make is_live say which vectors belong to the current manifest of a source."""
    with connection.cursor() as cursor:
        cursor.execute(_MARK_LIVE, {"source": source_id})


_MARK_LIVE = f"""
UPDATE search_embedding e SET is_live = NOT e.is_live
WHERE e.source_id = %(source)s
  AND e.is_live <> EXISTS (
      SELECT 1 FROM ({_LIVE_CHUNKS}) AS live WHERE live.chunk_id = e.chunk_id
  )
"""


def _execute(statement: str, job: Job, spec_id: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"source": job.params["sourceID"], "spec": spec_id})
        return int(cursor.rowcount)
