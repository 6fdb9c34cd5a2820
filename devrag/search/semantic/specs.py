"""Embedding specs: which model is active, its partition and its index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from psycopg import sql

from devrag.core.errors import InvalidInput
from devrag.llm.embedder import Embedder
from devrag.llm.local_model import DIMENSIONS as LOCAL_DIMENSIONS
from devrag.llm.local_model import MODEL as LOCAL_MODEL
from devrag.llm.providers import (
    EmbedderConfig,
    Endpoint,
    RequestLimits,
    build_embedder,
    known_model,
)
from devrag.products.models import Product
from devrag.search.models import LOCAL_PROVIDER, EmbeddingSpec
from devrag.search.prepared import prepared_cursor
from devrag.search.semantic.embedded_text import RECIPE_VERSION
from devrag.sources.models import Source

_SERVED = "grpc"
_OPENAI_MODEL, _GEMINI_MODEL = "text-embedding-3-small", "gemini-embedding-001"
# At the usual 64 a question, which is no passage, misses every third neighbour.
GRAPH_OPTIONS = "ef_construction = 200"
# What HNSW takes of half-precision vectors.
MAX_DIMENSIONS = 4000


@lru_cache(maxsize=4)
def make_embedder(provider: str, model: str, dimensions: int) -> Embedder:
    """Return an embedder as the settings say; it is loaded once per process."""
    setup = EmbedderConfig(
        settings.MODELS_DIR, endpoints=remote_endpoints(), limits=_limits()
    )
    return build_embedder(provider, model, dimensions=dimensions, setup=setup)


def embedder_of(spec: EmbeddingSpec) -> Embedder:
    """Return the spec's embedder."""
    return make_embedder(spec.provider, spec.model, spec.dimensions)


def remote_endpoints() -> dict[str, Endpoint]:
    """Return where remote models are; a key goes only to the address it is for."""
    has_own = bool(settings.EMBEDDING_BASE_URL)
    compatible = "EMBEDDING" if has_own else "OPENAI"
    served = Endpoint(
        settings.EMBEDDING_GRPC_ADDRESS, url_setting="EMBEDDING_GRPC_ADDRESS"
    )
    apis = {
        provider: Endpoint(
            base_url=getattr(settings, f"{prefix}_BASE_URL"),
            key=getattr(settings, f"{prefix}_API_KEY"),
            key_setting=f"{prefix}_API_KEY",
            url_setting=f"{prefix}_BASE_URL",
        )
        for provider, prefix in (("openai", compatible), ("gemini", "GEMINI"))
    }
    return {**apis, _SERVED: served}


def _limits() -> RequestLimits:
    return RequestLimits(
        batch_texts=settings.EMBEDDING_BATCH_SIZE,
        concurrency=settings.EMBEDDING_CONCURRENCY,
        timeout_seconds=settings.EMBEDDING_TIMEOUT,
        max_tokens=settings.EMBEDDING_MAX_TOKENS,
    )


def dollars_of(spec: EmbeddingSpec, tokens: int) -> float | None:
    """Return what so many tokens cost, None where no price is known.

    A server of one's own sends no bill.
    """
    if spec.provider in (LOCAL_PROVIDER, _SERVED):
        return 0.0
    known = known_model(spec.model)
    price = settings.EMBEDDING_PRICE
    if price is None:
        price = known.dollars if known else None
    return None if price is None else tokens * float(price) / 1_000_000


def active_spec() -> EmbeddingSpec | None:
    """Return the active spec, or None before the first start."""
    with prepared_cursor() as cursor:
        cursor.execute(_ACTIVE)
        row = cursor.fetchone()
    return EmbeddingSpec.from_db(connection.alias, _FIELDS, row) if row else None


_FIELDS = [field.attname for field in EmbeddingSpec._meta.concrete_fields]
# Every question asks for it: in SQL, because a queryset takes longer than its answer.
_ACTIVE = (
    f"SELECT {', '.join(f.column for f in EmbeddingSpec._meta.concrete_fields)} "
    "FROM search_embeddingspec WHERE is_active LIMIT 1"
)


@transaction.atomic
def ensure_active_spec() -> EmbeddingSpec:
    """Return the active spec; the first start activates the local model."""
    spec = active_spec()
    if spec is None:
        spec = ensure_spec(*_first_model())
        spec.is_active = True
        spec.save(update_fields=["is_active"])
    ensure_partition(spec)
    return spec


def _first_model() -> tuple[str, str, int]:
    """Return what a first start takes: what is set, OpenAI where only its key is."""
    provider = settings.EMBEDDING_PROVIDER or (
        "openai" if settings.OPENAI_API_KEY else LOCAL_PROVIDER
    )
    return (provider, *first_model_of(provider))


def first_model_of(provider: str) -> tuple[str, int]:
    """Return the model and dimensions that settings choose for a provider."""
    if provider == LOCAL_PROVIDER:
        return LOCAL_MODEL, LOCAL_DIMENSIONS
    model = settings.EMBEDDING_MODEL
    if provider == _SERVED and model == _OPENAI_MODEL:
        return LOCAL_MODEL, LOCAL_DIMENSIONS
    if provider == "gemini" and model == _OPENAI_MODEL:
        model = _GEMINI_MODEL
    return model, settings.EMBEDDING_DIMENSION


def new_spec(provider: str, model: str, dimensions: int) -> EmbeddingSpec:
    """Return a spec with the present recipe that is not stored yet."""
    if dimensions > MAX_DIMENSIONS:
        raise InvalidInput(
            f"{provider}/{model} has {dimensions} dimensions; the limit of the index "
            f"is {MAX_DIMENSIONS}. Request fewer with --dimensions N."
        )
    return EmbeddingSpec(
        provider=provider,
        model=model,
        dimensions=dimensions,
        recipe_version=RECIPE_VERSION,
    )


@transaction.atomic
def ensure_spec(provider: str, model: str, dimensions: int) -> EmbeddingSpec:
    """Return the stored spec of a model with the present recipe, with its table."""
    spec = new_spec(provider, model, dimensions)
    spec, _ = EmbeddingSpec.objects.get_or_create(
        provider=spec.provider,
        model=spec.model,
        dimensions=spec.dimensions,
        recipe_version=spec.recipe_version,
    )
    ensure_partition(spec)
    return spec


def ensure_local_spec() -> EmbeddingSpec:
    """Return the spec of the local model: for texts that must not leave."""
    return ensure_spec(LOCAL_PROVIDER, LOCAL_MODEL, LOCAL_DIMENSIONS)


def wanted_specs(product: Product) -> list[EmbeddingSpec]:
    """Return the specs that a product's texts get vectors of; search uses the first.

    The active one, and the one that is being prepared; without external models the
    local one in their place.
    """
    ensure_active_spec()
    specs = [
        spec
        for spec in specs_in_use()
        if product.is_external_models_allowed or not spec.is_external
    ]
    return specs or [ensure_local_spec()]


def search_spec(product: Product) -> EmbeddingSpec | None:
    """Return the spec that questions to a product ask, None before the first start."""
    spec = active_spec()
    if spec and spec.is_external and not product.is_external_models_allowed:
        return ensure_local_spec()
    return spec


_compared: ContextVar[EmbeddingSpec | None] = ContextVar("compared", default=None)


@contextmanager
def asking_spec(spec: EmbeddingSpec) -> Iterator[None]:
    """Let the questions within be asked under a spec, whichever is active.

    For evaluations: texts without a vector of it are not found by meaning.
    """
    token = _compared.set(spec)
    try:
        yield
    finally:
        _compared.reset(token)


def specs_in_scope(source_ids: Sequence[int]) -> dict[EmbeddingSpec, list[int]]:
    """Return the spec to ask for each of the sources; none before the first start."""
    if compared := _compared.get():
        return {compared: list(source_ids)}
    active = active_spec()
    if active is None:
        return {}
    if not active.is_external:
        return {active: list(source_ids)}
    kept = Source.objects.filter(
        pk__in=source_ids, product__is_external_models_allowed=False
    )
    inside = set(kept.values_list("pk", flat=True))
    open_ids = [key for key in source_ids if key not in inside]
    scope = {active: open_ids} if open_ids else {}
    if inside:
        scope[ensure_local_spec()] = sorted(inside)
    return scope


def specs_in_use() -> QuerySet[EmbeddingSpec]:
    """Return the active spec, and then the one that is being prepared."""
    found = EmbeddingSpec.objects.filter(Q(is_active=True) | Q(is_next=True))
    return found.order_by("-is_active")


def has_remote_spec() -> bool:
    """Return whether texts may leave for a model, now or once it is prepared."""
    return specs_in_use().exclude(provider=LOCAL_PROVIDER).exists()


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
        "USING hnsw ((vector::{halfvec}) halfvec_cosine_ops) "
        f"WITH ({GRAPH_OPTIONS}) WHERE is_live"
    ),
    "ALTER TABLE search_embedding ATTACH PARTITION {table} FOR VALUES IN ({spec})",
)
