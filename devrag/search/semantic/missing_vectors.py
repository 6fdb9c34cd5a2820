"""Which texts of a source lack a vector, and which of them are known already."""

from __future__ import annotations

from typing import Any

from django.db import connection

from devrag.search.models import EmbeddingSpec, VectorCoverage
from devrag.search.semantic.live_vectors import LIVE_CHUNKS
from devrag.sources.models import GitRef

WITHOUT_VECTOR = f"""
    SELECT live.* FROM ({LIVE_CHUNKS}) AS live
    WHERE NOT EXISTS (
        SELECT 1 FROM search_embedding e
        WHERE e.spec_id = %(spec)s AND e.chunk_id = live.chunk_id
    )
"""
IS_KNOWN = """
    EXISTS (
        SELECT 1 FROM search_embedding known
        WHERE known.spec_id = %(spec)s AND known.text_hash = missing.embedded_hash
    )
"""
_LACKING = f"""
SELECT DISTINCT embedded_hash FROM ({WITHOUT_VECTOR}) AS missing
WHERE embedded_hash = ANY(%(hashes)s)
"""
_LACKS_ANY = f"""
SELECT EXISTS (
    SELECT 1 FROM ({WITHOUT_VECTOR}) AS missing WHERE since <= %(until)s
)
"""


def lacking_texts(spec: EmbeddingSpec, source_id: int, hashes: list[str]) -> list[str]:
    """Return those of the texts that a live chunk lacks a vector for, in their order.

    A text that left the manifest meanwhile is dropped.
    """
    keys: dict[str, Any] = {"source": source_id, "spec": spec.pk, "after": 0}
    with connection.cursor() as cursor:
        cursor.execute(_LACKING, keys | {"hashes": hashes})
        lacking = {row[0] for row in cursor.fetchall()}
    return [each for each in hashes if each in lacking]


def is_complete(
    spec: EmbeddingSpec, source_id: int, *, ref_id: int | None, after: int, until: int
) -> bool:
    """Return whether the files of some activations of the current ref lack no vector.

    after, until: the files that entered later than one, and not later than the other.
    ref_id: the ref they belong to; False when another one is current.
    """
    ref = current_ref(source_id)
    if (ref.pk if ref else None) != ref_id:
        return False
    keys = {"source": source_id, "spec": spec.pk, "after": after, "until": until}
    with connection.cursor() as cursor:
        cursor.execute(_LACKS_ANY, keys)
        return not cursor.fetchone()[0]


def complete_until(spec: EmbeddingSpec, source_id: int) -> int:
    """Return the activation of the current ref up to which nothing is missing, or 0."""
    coverage = VectorCoverage.objects.filter(spec=spec, source=source_id).first()
    ref = current_ref(source_id)
    return coverage.sequence if coverage and ref and coverage.ref == ref.pk else 0


def current_ref(source_id: int) -> GitRef | None:
    """Return the ref of a source that search sees."""
    return GitRef.objects.filter(source=source_id, is_current=True).first()


def lacks_vectors(spec: EmbeddingSpec, source_id: int) -> bool:
    """Return whether the newest activation was never embedded to its end. Cheap."""
    ref = current_ref(source_id)
    return ref is not None and complete_until(spec, source_id) != ref.sequence
