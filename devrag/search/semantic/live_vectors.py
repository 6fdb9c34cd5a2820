"""Which vectors search sees: those of the current manifest, kept true by activations.

Whoever activates holds the source's row (`FOR NO KEY UPDATE`); whoever stores vectors
takes it by `lock_source`, so that neither misses what the other does.
"""

from __future__ import annotations

from typing import Any

from django.db import connection

from devrag.search.models import EmbeddingSpec, PendingText, VectorCoverage
from devrag.search.semantic.embedded_files import (
    ASIDE_PATTERN,
    IS_DATA,
    IS_EMBEDDED,
)

# Chunks to embed: of the current manifest. after: only files that entered later than
# this activation.
LIVE_CHUNKS = f"""
    SELECT c.id AS chunk_id, c.embedded_hash, c.file_id, c.ordinal, c.kind, m.since
    FROM git_refs r
    JOIN sources_reffile m
        ON m.ref_id = r.id AND m.until IS NULL AND m.since > %(after)s
    JOIN sources_file f ON f.id = m.file_id AND {IS_EMBEDDED}
    JOIN sources_chunk c ON c.file_id = f.id
    WHERE r.source_id = %(source)s AND r.is_current
"""
# What one activation moved. A file that a full rebuild ends and begins at once is in
# and was in.
_MOVED = f"""
    SELECT c.id AS chunk_id,
        bool_or(m.until IS NULL) AND {IS_EMBEDDED} AS is_in,
        bool_or(m.since < %(sequence)s) AND {IS_EMBEDDED} AS was_in
    FROM sources_reffile m
    JOIN sources_file f ON f.id = m.file_id
    JOIN sources_chunk c ON c.file_id = f.id
    WHERE m.ref_id = %(ref)s
      AND (m.since = %(sequence)s OR m.until = %(sequence)s)
    GROUP BY c.id, f.is_generated, f.language
"""
_APPLY = f"""
WITH moved AS MATERIALIZED ({_MOVED}),
flipped AS (
    UPDATE search_embedding e SET is_live = moved.is_in
    FROM moved WHERE e.chunk_id = moved.chunk_id AND e.is_live <> moved.is_in
    RETURNING e.spec_id, e.is_live
)
UPDATE search_vectorcoverage v SET
    chunks = v.chunks + coalesce(
        (SELECT sum(is_in::int - was_in::int) FROM moved), 0),
    embedded = v.embedded + coalesce(
        (SELECT sum(CASE WHEN is_live THEN 1 ELSE -1 END) FROM flipped
         WHERE flipped.spec_id = v.spec_id), 0)
WHERE v.source_id = %(source)s
"""
_MARK = f"""
UPDATE search_embedding e SET is_live = NOT e.is_live
WHERE e.source_id = %(source)s
  AND e.is_live <> EXISTS (
      SELECT 1 FROM ({LIVE_CHUNKS}) AS live WHERE live.chunk_id = e.chunk_id
  )
"""
# Beyond so many chunks the flags are turned in portions, by the embedding job.
_FLIPPED_AT_ONCE = 20_000
_COUNT_MOVED = """
SELECT coalesce(sum(f.chunk_count), 0)
FROM sources_reffile m JOIN sources_file f ON f.id = m.file_id
WHERE m.ref_id = %(ref)s AND (m.since = %(sequence)s OR m.until = %(sequence)s)
"""
_IN_PORTION = " AND e.chunk_id > %(from)s AND e.chunk_id <= %(last)s"
_PORTION = """
SELECT max(chunk_id) FROM (
    SELECT chunk_id FROM search_embedding
    WHERE source_id = %s AND chunk_id > %s ORDER BY chunk_id LIMIT %s
) AS portion
"""
_HAS_VECTORS = "SELECT EXISTS (SELECT 1 FROM search_embedding WHERE source_id = %s)"
# Ahead of all planned ranks, the newest activation first. Data is left to the next job.
_PUT_AHEAD = f"""
INSERT INTO search_pendingtext (spec_id, source_id, rank, chunk)
SELECT %(spec)s, %(source)s, -%(sequence)s, min(live.chunk_id)
FROM ({LIVE_CHUNKS}) AS live
JOIN sources_file f ON f.id = live.file_id AND NOT {IS_DATA}
WHERE NOT EXISTS (
    SELECT 1 FROM search_embedding e
    WHERE e.spec_id = %(spec)s AND e.text_hash = live.embedded_hash
)
GROUP BY live.embedded_hash
ORDER BY bool_and(f.path ~ %(aside)s), min(live.chunk_id)
"""


def apply_live(source_id: int, ref_id: int, sequence: int) -> None:
    """Bring is_live and the counts up to one activation of the current ref.

    Costs by the difference: only chunks of files that entered or left are looked at.
    For the transaction that wrote the intervals. Another ref became current:
    `switch_live`.
    """
    counted = VectorCoverage.objects.filter(source=source_id)
    if not (counted.exists() or _has_vectors(source_id)):
        return
    keys = {"source": source_id, "ref": ref_id, "sequence": sequence}
    with connection.cursor() as cursor:
        cursor.execute(_COUNT_MOVED, keys)
        if cursor.fetchone()[0] > _FLIPPED_AT_ONCE:
            _leave_to_job(source_id)
            return
        cursor.execute(_APPLY, keys)
    _put_ahead(source_id, sequence)


def switch_live(source_id: int) -> None:
    """Bring is_live up to another ref that became current."""
    with connection.cursor() as cursor:
        cursor.execute(_PORTION, [source_id, 0, _FLIPPED_AT_ONCE + 1])
        last = cursor.fetchone()[0]
        cursor.execute(_PORTION, [source_id, last or 0, 1])
        if cursor.fetchone()[0] is not None:
            _leave_to_job(source_id)
            return
    mark_live(source_id)


def _leave_to_job(source_id: int) -> None:
    """Let the next job turn the flags and count anew; until then hits are checked.

    Search drops what is outside the current manifest, so that it never shows it.
    """
    VectorCoverage.objects.filter(source=source_id).update(
        is_marked=False, ref=None, sequence=0
    )


def _put_ahead(source_id: int, sequence: int) -> None:
    """Let running jobs embed what changed now before the rest of their work."""
    pending = PendingText.objects.filter(source=source_id)
    keys: dict[str, Any] = {
        "source": source_id,
        "after": sequence - 1,
        "sequence": sequence,
        "aside": ASIDE_PATTERN,
    }
    for spec_id in pending.values_list("spec", flat=True).distinct():
        with connection.cursor() as cursor:
            cursor.execute(_PUT_AHEAD, keys | {"spec": spec_id})


def mark_portion(source_id: int, after: int) -> int | None:
    """Make is_live right for some vectors of a source, by chunk.

    after: the last chunk of the portion before. Returns this portion's, None at the
    end, when the flags count as right again.
    """
    lock_source(source_id)
    with connection.cursor() as cursor:
        cursor.execute(_PORTION, [source_id, after, _FLIPPED_AT_ONCE])
        last: int | None = cursor.fetchone()[0]
        span = {"source": source_id, "after": 0, "from": after, "last": last}
        if last is not None:
            cursor.execute(_MARK + _IN_PORTION, span)
            return last
    VectorCoverage.objects.filter(source=source_id).update(is_marked=True)
    return None


def mark_live(source_id: int) -> None:
    """Make is_live right for all vectors of a source, at once."""
    if not _has_vectors(source_id):
        return
    with connection.cursor() as cursor:
        cursor.execute(_MARK, {"source": source_id, "after": 0})


def _has_vectors(source_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_HAS_VECTORS, [source_id])
        return bool(cursor.fetchone()[0])


def lock_source(source_id: int, *, is_alone: bool = False) -> None:
    """Keep activations out until the transaction ends; alone: other writers too."""
    strength = "NO KEY UPDATE" if is_alone else "SHARE"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT 1 FROM sources WHERE id = %s FOR {strength}", [source_id]
        )


_COUNT = f"""
INSERT INTO search_vectorcoverage
    (spec_id, source_id, chunks, embedded, ref, sequence, is_marked)
SELECT %(spec)s, %(source)s,
    (SELECT count(*) FROM ({LIVE_CHUNKS}) AS live),
    (SELECT count(*) FROM search_embedding
     WHERE spec_id = %(spec)s AND source_id = %(source)s AND is_live),
    NULL, 0, true
ON CONFLICT (spec_id, source_id) DO UPDATE SET
    chunks = excluded.chunks, embedded = excluded.embedded, ref = NULL, sequence = 0
"""


def recount_vectors(*, spec: EmbeddingSpec, source_id: int) -> VectorCoverage:
    """Set is_live and the counts right, whatever happened. Costs by size."""
    lock_source(source_id, is_alone=True)
    mark_live(source_id)
    return count_vectors(spec=spec, source_id=source_id)


def count_vectors(*, spec: EmbeddingSpec, source_id: int) -> VectorCoverage:
    """Count a source's chunks and vectors anew; nothing counts as complete then."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"spec": spec.pk, "source": source_id, "after": 0})
    return VectorCoverage.objects.get(spec=spec, source=source_id)
