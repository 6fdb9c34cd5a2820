"""When the next embedding may start: pauses by people, limits of providers.

Both live in the database, so that they hold on every host.
"""

from __future__ import annotations

import math
import uuid
from functools import partial

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from devrag.audit.api import record_event
from devrag.core.errors import PermissionDenied
from devrag.core.principal import Principal
from devrag.core.texts import gettext
from devrag.jobs.api import make_event, wake
from devrag.jobs.models import Job, JobEvent, JobState
from devrag.products.models import Product
from devrag.search.models import EmbeddingPause, ProviderPace
from devrag.search.semantic.request import spec_of

_QUEUE = "embed"
# For providers that say they are asked too much, but not how long they want peace.
_HOLD_SECONDS = 30.0
# Each text and request moves the moment on at which the next may go: a bucket of one
# batch that fills at the limit's rate. All hosts move the same row.
_SPEND = """
INSERT INTO search_providerpace AS pace (provider, texts_free_at, requests_free_at)
VALUES (%(provider)s, now() + %(texts)s * interval '1 second',
    now() + %(requests)s * interval '1 second')
ON CONFLICT (provider) DO UPDATE SET
    texts_free_at = greatest(pace.texts_free_at, now())
        + %(texts)s * interval '1 second',
    requests_free_at = greatest(pace.requests_free_at, now())
        + %(requests)s * interval '1 second'
"""


def seconds_to_wait(job: Job) -> float:
    """Return how long the job's next batch has to wait; infinite while paused."""
    if is_paused(job.product):
        return math.inf
    provider = spec_of(job).provider
    pace = ProviderPace.objects.filter(provider=provider).first()
    if pace is None:
        return 0.0
    free_at = max(pace.texts_free_at, pace.requests_free_at)
    return max(0.0, (free_at - timezone.now()).total_seconds())


def spend(provider: str, *, texts: int, requests: int = 1) -> None:
    """Count requests with so many texts against the provider's limits."""
    _move(
        provider,
        texts=_seconds(texts, settings.EMBEDDING_TEXTS_PER_MINUTE),
        requests=_seconds(requests, settings.EMBEDDING_REQUESTS_PER_MINUTE),
    )


def hold(provider: str, *, seconds: float) -> None:
    """Leave a provider alone for as long as it asks, on all hosts."""
    _move(provider, texts=0.0, requests=seconds or _HOLD_SECONDS)


def _move(provider: str, **seconds: float) -> None:
    if any(seconds.values()):
        with connection.cursor() as cursor:
            cursor.execute(_SPEND, {**seconds, "provider": provider})


def _seconds(count: int, per_minute: int) -> float:
    return count * 60 / per_minute if per_minute else 0.0


def is_paused(product: Product | None) -> bool:
    """Return whether embedding rests for this product."""
    return bool(list_pauses(product))


def list_pauses(product: Product | None) -> list[int | None]:
    """Return the pauses that hold for a product: its own id, None for everything."""
    pauses = EmbeddingPause.objects.filter(Q(product=None) | Q(product=product))
    return list(pauses.values_list("product", flat=True))


@transaction.atomic
def pause_embedding(*, principal: Principal, product: Product | None) -> bool:
    """Let no further batch of the product start, or none at all; False if it rested.

    Batches at hand are finished; jobs stay open and go on where they were.
    """
    _check_may(principal, product)
    _, is_new = EmbeddingPause.objects.get_or_create(
        product=product, defaults={"paused_by": principal.name}
    )
    if is_new:
        _tell(_jobs(product), gettext("Paused by %(name)s.") % {"name": principal.name})
        record_event("embedding.paused", principal=principal, product=product)
    return is_new


@transaction.atomic
def resume_embedding(*, principal: Principal, product: Product | None) -> bool:
    """Take pauses back: the product's own, or without one all; False if none was there.

    A pause of everything holds for a product until everything is resumed.
    """
    _check_may(principal, product)
    pauses = EmbeddingPause.objects.all()
    if product is not None:
        pauses = pauses.filter(product=product)
    had_any = bool(pauses.delete()[0])
    if had_any:
        record_event("embedding.resumed", principal=principal, product=product)
        resumed = [job for job in _jobs(product) if not is_paused(job.product)]
        _tell(resumed, gettext("Resumed by %(name)s.") % {"name": principal.name})
        for job in resumed:
            transaction.on_commit(partial(_wake, job.pk))
    return had_any


def _check_may(principal: Principal, product: Product | None) -> None:
    if product is None:
        is_allowed = principal.is_admin and principal.product_ids is None
    else:
        maintained = Product.objects.maintained_by(principal)
        is_allowed = maintained.filter(pk=product.pk).exists()
    if not is_allowed:
        raise PermissionDenied(_refusal(principal, product))


def _refusal(principal: Principal, product: Product | None) -> str:
    if product is None:
        text = gettext(
            "%(who)s is not allowed to pause or resume the embedding of all products. "
            "Ask an administrator."
        )
        return text % {"who": principal.name}
    text = gettext(
        "%(who)s is not allowed to pause or resume the embedding of '%(product)s'. "
        "Ask a maintainer."
    )
    return text % {"who": principal.name, "product": product.name}


def _jobs(product: Product | None) -> QuerySet[Job]:
    jobs = Job.objects.filter(kind="embed", state=JobState.RUNNING)
    if product is not None:
        jobs = jobs.filter(product=product)
    return jobs.select_related("product")


def _tell(jobs: QuerySet[Job] | list[Job], message: str) -> None:
    JobEvent.objects.bulk_create(make_event(job, message) for job in jobs)


def _wake(job_id: uuid.UUID) -> None:
    wake(job_id, _QUEUE)
