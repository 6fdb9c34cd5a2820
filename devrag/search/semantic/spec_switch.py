"""Change the model: prepare one beside the active one, switch when it is whole."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import OperationalError, connection, transaction
from psycopg import sql

from devrag.audit.api import record_event
from devrag.core.errors import Conflict, InvalidInput
from devrag.jobs.models import OPEN_STATES, Job
from devrag.jobs.services import cancel_job
from devrag.llm.local_model import DIMENSIONS as LOCAL_DIMENSIONS
from devrag.llm.local_model import MODEL as LOCAL_MODEL
from devrag.products.models import Product
from devrag.search.models import (
    LOCAL_PROVIDER,
    EmbeddingSpec,
    PendingText,
    VectorCoverage,
    VectorGraph,
)
from devrag.search.semantic.embedded_files import IS_EMBEDDED
from devrag.search.semantic.embedded_text import RECIPE_VERSION
from devrag.search.semantic.request import request_lacking
from devrag.search.semantic.specs import (
    active_spec,
    dollars_of,
    ensure_active_spec,
    ensure_spec,
    make_embedder,
    new_spec,
    partition_name,
    wanted_specs,
)
from devrag.sources.models import Source

_LOCK_WAIT = "5s"
_AS_GOOD = 0.99
_UNKNOWN_TEXTS = f"""
SELECT count(*), coalesce(sum(tokens), 0) FROM (
    SELECT DISTINCT ON (c.embedded_hash) c.tokens
    FROM git_refs r
    JOIN sources s ON s.id = r.source_id AND NOT s.is_deleting
    JOIN products_product p ON p.id = s.product_id
        AND (p.is_external_models_allowed OR NOT %(external)s)
    JOIN sources_reffile m ON m.ref_id = r.id AND m.until IS NULL
    JOIN sources_file f ON f.id = m.file_id AND {IS_EMBEDDED}
    JOIN sources_chunk c ON c.file_id = f.id
    WHERE r.is_current AND NOT EXISTS (
        SELECT 1 FROM search_embedding e
        WHERE e.spec_id = %(spec)s AND e.text_hash = c.embedded_hash
    )
) AS texts
"""

# By SQL: Django would first look for vectors, of which there are none any more.
_FORGET_SPEC = "DELETE FROM search_embeddingspec WHERE id = %s"


@dataclass(frozen=True, slots=True)
class SwitchEstimate:
    """What is still to be embedded under a spec. dollars: None where no price is known.

    kept_back: products whose texts stay with the local model.
    """

    texts: int
    tokens: int
    dollars: float | None
    kept_back: tuple[str, ...]


def find_spec(name: str, *, dimensions: int = 0) -> EmbeddingSpec | None:
    """Return the newest spec of a model `provider/model`, if it was ever used.

    dimensions: 0 for any.
    """
    provider, model = split_name(name)
    rows = EmbeddingSpec.objects.filter(
        provider=provider, model=model, recipe_version=RECIPE_VERSION
    )
    if dimensions:
        rows = rows.filter(dimensions=dimensions)
    return rows.order_by("-is_active", "-is_next", "-pk").first()


def split_name(name: str) -> tuple[str, str]:
    """Return provider and model of `provider/model`; `local` alone has one model."""
    provider, _, model = name.partition("/")
    if provider == LOCAL_PROVIDER and not model:
        model = LOCAL_MODEL
    if not (provider and model):
        raise InvalidInput(
            f"Invalid model '{name}'. Use PROVIDER/MODEL, for example "
            "openai/text-embedding-3-small."
        )
    return provider, model


def open_spec(name: str, *, dimensions: int = 0) -> EmbeddingSpec:
    """Return a model's spec; a new one is not stored yet.

    A new model is asked for one word: that says whether address, key and name are
    right, and how many dimensions it has.
    """
    spec = find_spec(name, dimensions=dimensions)
    if spec is not None:
        return spec
    provider, model = split_name(name)
    vector = make_embedder(provider, model, dimensions).embed_query("dimensions")
    return new_spec(provider, model, len(vector))


def estimate(spec: EmbeddingSpec) -> SwitchEstimate:
    """Return how many texts would be sent, and what that costs. Reads all chunks."""
    keys = {"spec": spec.pk, "external": spec.is_external}
    with connection.cursor() as cursor:
        cursor.execute(_UNKNOWN_TEXTS, keys)
        texts, tokens = cursor.fetchone()
    kept = Product.objects.filter(is_external_models_allowed=False)
    names = kept.values_list("name", flat=True) if spec.is_external else ()
    return SwitchEstimate(
        texts, int(tokens), dollars_of(spec, int(tokens)), tuple(names)
    )


@transaction.atomic
def use_spec(spec: EmbeddingSpec) -> EmbeddingSpec:
    """Prepare a spec beside the active one and return it as it is then.

    What has all its vectors is active at once. The active one: whatever was being
    prepared is given up, its vectors stay.
    """
    spec = ensure_spec(spec.provider, spec.model, spec.dimensions)
    active = _lock_active()
    EmbeddingSpec.objects.filter(is_next=True).exclude(pk=spec.pk).update(is_next=False)
    if spec != active:
        EmbeddingSpec.objects.filter(pk=spec.pk).update(is_next=True)
    record_event("embedding.model_changed", target=spec.name)
    _cancel_unwanted()
    request_lacking()
    complete_switch()
    spec.refresh_from_db()
    return spec


def replace_older_local_model() -> EmbeddingSpec | None:
    """Prepare this version's local model where an older one is active; return it.

    Only once: who goes back to the older one keeps it.
    """
    active = ensure_active_spec()
    fresh = new_spec(LOCAL_PROVIDER, LOCAL_MODEL, LOCAL_DIMENSIONS)
    if active.provider != LOCAL_PROVIDER or find_spec(fresh.name):
        return None
    return use_spec(fresh)


def _lock_active() -> EmbeddingSpec:
    """Return the active spec, held: one change of models at a time."""
    ensure_active_spec()
    return EmbeddingSpec.objects.select_for_update(no_key=True).get(is_active=True)


@transaction.atomic
def complete_switch() -> EmbeddingSpec | None:
    """Make the prepared spec the active one if it is whole; return it then.

    Asked whenever an embedding job ends. The lock lets the last of two that end at
    once see what the other did.
    """
    if not EmbeddingSpec.objects.filter(is_next=True).exists():
        return None
    active = _lock_active()
    spec = next(iter(ready_specs()), None)
    if spec is None:
        return None
    active.is_active = False
    active.save(update_fields=["is_active"])
    spec.is_active, spec.is_next = True, False
    spec.save(update_fields=["is_active", "is_next"])
    return spec


def ready_specs() -> list[EmbeddingSpec]:
    """Return the prepared spec, if nothing is missing any more."""
    waiting = EmbeddingSpec.objects.filter(is_next=True)
    return [spec for spec in waiting if not unready_sources(spec)]


def unready_sources(spec: EmbeddingSpec) -> list[str]:
    """Return the sources that would lose by a switch to a spec, or were never whole.

    Once whole, a source follows each activation as under the active spec. A percent
    may be on its way: under steady pushes there is no moment in which nothing is.
    """
    sources = Source.objects.filter(refs__is_current=True)
    if spec.is_external:
        sources = sources.filter(product__is_external_models_allowed=True)
    active = VectorCoverage.objects.filter(spec__is_active=True)
    had: dict[int, int] = dict(active.values_list("source", "embedded"))
    whole = VectorCoverage.objects.filter(spec=spec, sequence__gt=0)
    has = {(row.source_id, row.ref): row.embedded for row in whole}
    return [
        name
        for pk, name, ref in sources.values_list("pk", "name", "refs__pk")
        if has.get((pk, ref), -1) < _AS_GOOD * had.get(pk, 0)
    ]


def _cancel_unwanted() -> None:
    """Cancel open jobs of models that nobody waits for any more."""
    wanted: dict[int | None, set[int]] = {}
    jobs = Job.objects.filter(kind="embed", state__in=OPEN_STATES)
    for job in jobs.select_related("product"):
        if job.product is None:
            continue
        key = job.product.pk
        if key not in wanted:
            wanted[key] = {spec.pk for spec in wanted_specs(job.product)}
        if job.params.get("specID") not in wanted[key]:
            _cancel(job)


def _cancel(job: Job) -> None:
    try:
        cancel_job(job=job)
    except Conflict:
        # It completes in this moment: its vectors are kept like all others.
        return


def check_droppable(spec: EmbeddingSpec) -> None:
    """Raise Conflict for a spec that questions or jobs need."""
    if spec.is_active:
        raise Conflict(
            f"{spec.name} is the active model. Switch to another one first: devrag "
            "embeddings use MODEL."
        )
    if spec.is_next:
        active = active_spec()
        raise Conflict(
            f"{spec.name} is being prepared. Cancel this first: devrag embeddings use "
            f"{active.name if active else 'MODEL'}."
        )
    kept = Product.objects.filter(is_external_models_allowed=False).first()
    if not spec.is_external and kept is not None:
        raise Conflict(
            f"{spec.name} has the vectors of '{kept.name}', which does not allow "
            "external models."
        )


def drop_spec(spec: EmbeddingSpec) -> None:
    """Delete a spec with its vectors. Search does not read its table; writers wait."""
    check_droppable(spec)
    table = sql.Identifier(partition_name(spec))
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{_LOCK_WAIT}'")
            cursor.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(table))
            PendingText.objects.filter(spec=spec).delete()
            VectorCoverage.objects.filter(spec=spec).delete()
            VectorGraph.objects.filter(spec=spec).delete()
            cursor.execute(_FORGET_SPEC, [spec.pk])
            record_event("embedding.model_dropped", target=spec.name)
    except OperationalError as error:
        raise Conflict(
            f"The vectors of {spec.name} are in use. Try again in a moment."
        ) from error
