"""Embedding specs: which model is active, its partition and its index."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from django.db import connection, transaction
from psycopg import sql

from devrag.llm.embedder import Embedder
from devrag.llm.registry import build_embedder
from devrag.search.models import EmbeddingSpec
from devrag.search.semantic.recipe import RECIPE_VERSION

LOCAL_PROVIDER, LOCAL_MODEL, LOCAL_DIMENSIONS = "local", "multilingual-e5-small", 384


@lru_cache(maxsize=2)
def _embedder(provider: str, model: str) -> Embedder:
    return build_embedder(provider, model, models_dir=settings.MODELS_DIR)


def embedder_of(spec: EmbeddingSpec) -> Embedder:
    """Return the spec's embedder, loaded once per process."""
    return _embedder(spec.provider, spec.model)


def active_spec() -> EmbeddingSpec | None:
    """Return the active spec, or None before the first start."""
    return EmbeddingSpec.objects.filter(is_active=True).first()


@transaction.atomic
def ensure_active_spec() -> EmbeddingSpec:
    """Return the active spec; the first start activates the local model (O1)."""
    spec = active_spec()
    if spec is None:
        spec, _ = EmbeddingSpec.objects.get_or_create(
            provider=LOCAL_PROVIDER,
            model=LOCAL_MODEL,
            dimensions=LOCAL_DIMENSIONS,
            recipe_version=RECIPE_VERSION,
            defaults={"is_active": True},
        )
    ensure_partition(spec)
    return spec


def partition_name(spec: EmbeddingSpec) -> str:
    """Return the table that holds the spec's vectors."""
    return f"search_embedding_{spec.pk}"


def ensure_partition(spec: EmbeddingSpec) -> None:
    """Create and attach the spec's partition: ATTACH does not wait behind readers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [partition_name(spec)])
        if cursor.fetchone()[0] is not None:
            return
        names = {
            "table": sql.Identifier(partition_name(spec)),
            "index": sql.Identifier(f"{partition_name(spec)}_hnsw"),
            "spec": sql.Literal(spec.pk),
            "halfvec": sql.SQL(f"halfvec({spec.dimensions})"),
        }
        for statement in _CREATE_PARTITION:
            cursor.execute(sql.SQL(statement).format(**names))


_CREATE_PARTITION = (
    "CREATE TABLE {table} (LIKE search_embedding INCLUDING ALL)",
    "ALTER TABLE {table} ADD CHECK (spec_id = {spec})",
    (
        "CREATE INDEX {index} ON {table} "
        "USING hnsw ((vector::{halfvec}) halfvec_cosine_ops) WHERE is_live"
    ),
    "ALTER TABLE search_embedding ATTACH PARTITION {table} FOR VALUES IN ({spec})",
)
