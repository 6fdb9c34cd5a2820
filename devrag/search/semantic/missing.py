"""Which texts of a source lack a vector, and which of them are known already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connection

from devrag.search.models import EmbeddingSpec, VectorCoverage
from devrag.search.semantic.live import LIVE_CHUNKS
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
_KNOW = f"""
SELECT embedded_hash, {IS_KNOWN} FROM (
    SELECT DISTINCT embedded_hash FROM ({WITHOUT_VECTOR}) AS each
    WHERE embedded_hash = ANY(%(hashes)s)
) AS missing
"""


@dataclass(frozen=True, slots=True)
class TextHashes:
    """Texts that live chunks lack a vector for, by what is to be done."""

    to_embed: list[str]
    to_reuse: list[str]


def know_texts(spec: EmbeddingSpec, source_id: int, hashes: list[str]) -> TextHashes:
    """Sort texts: what another job embedded meanwhile is copied, what left is dropped.

    The order of the texts is kept.
    """
    keys: dict[str, Any] = {"source": source_id, "spec": spec.pk, "after": 0}
    with connection.cursor() as cursor:
        cursor.execute(_KNOW, keys | {"hashes": hashes})
        is_known: dict[str, bool] = dict(cursor.fetchall())
    return TextHashes(
        to_embed=[each for each in hashes if is_known.get(each) is False],
        to_reuse=[each for each in hashes if is_known.get(each)],
    )


def complete_until(spec: EmbeddingSpec, source_id: int) -> int:
    """Return the activation of the current ref up to which nothing is missing, or 0."""
    coverage = VectorCoverage.objects.filter(spec=spec, source=source_id).first()
    ref = current_ref(source_id)
    return coverage.sequence if coverage and ref and coverage.ref == ref.pk else 0


def current_ref(source_id: int) -> GitRef | None:
    """Return the ref of a source that search sees."""
    return GitRef.objects.filter(source=source_id, is_current=True).first()


def lacks_vectors(spec: EmbeddingSpec, source_id: int) -> bool:
    """Say whether the newest activation was never embedded to its end. Cheap."""
    ref = current_ref(source_id)
    return ref is not None and complete_until(spec, source_id) != ref.sequence
