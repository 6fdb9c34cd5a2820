"""Delete a source or a product: hidden at once, removed in portions by a job.

From the first moment search, pages and followers do not see it, and its name is free.
A deletion that was cancelled or failed goes on at the next housekeeping.
"""

from __future__ import annotations

import contextlib

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import Conflict, PermissionDenied
from devrag.core.principal import SYSTEM, Principal
from devrag.jobs.models import OPEN_STATES, Job
from devrag.jobs.services import cancel_job, enqueue_job
from devrag.products.models import Product
from devrag.search.api import announce_activation
from devrag.sources.models import GitRef, Source
from devrag.use_cases.wiki import is_wiki_possible, request_wiki


def delete_source(*, principal: Principal, source: Source) -> Job:
    """Hide a source, stop its jobs, and enqueue the job that removes it."""
    product = source.product
    check_may_delete(principal, product, source.name)
    # Before, and not within: a batch locks its source first and then its job.
    lost_wiki = _cancel_jobs(_jobs_of(source.pk, product.pk))
    with transaction.atomic():
        _hide_source(source)
        record_event("source.deleted", principal=principal, source=source)
        announce_activation()
        if lost_wiki and is_wiki_possible(product):
            cause = f"deleted {source.name}"
            request_wiki(principal=SYSTEM, product=product, cause=cause)
        return _enqueue(f"source:{source.pk}", source.name, principal.name, product)


def delete_product(*, principal: Principal, product: Product) -> Job:
    """Hide a product with its sources and wiki, and enqueue the job."""
    check_may_delete(principal, product, product.name)
    _cancel_jobs(Q(product=product))
    with transaction.atomic():
        return _hide_product(principal, product)


def _hide_product(principal: Principal, product: Product) -> Job:
    for source in Source.objects.filter(product=product):
        _hide_source(source)
    hidden = Product.objects.filter(pk=product.pk).update(
        is_deleting=True, name=_hidden_name(product.pk, product.name, 64)
    )
    _refuse_second(hidden, product.name)
    record_event("product.deleted", principal=principal, product=product)
    announce_activation()
    # Without a product: nobody but its requester and administrators see the job.
    return _enqueue(f"product:{product.pk}", product.name, principal.name, None)


def resume_deletions() -> int:
    """Enqueue a job for what is being deleted and has none; return how many."""
    lost = lost_deletions()
    for what, hidden_name, product in lost:
        _enqueue(what, hidden_name.partition(" ")[2], SYSTEM.name, product)
    return len(lost)


def lost_deletions() -> list[tuple[str, str, Product | None]]:
    """Return what is being deleted without a job: what, hidden name, product."""
    products = Product.everything.filter(is_deleting=True)
    sources = Source.everything.filter(
        is_deleting=True, product__is_deleting=False
    ).select_related("product")
    waiting: list[tuple[str, str, Product | None]] = [
        *((f"product:{row.pk}", row.name, None) for row in products),
        *((f"source:{row.pk}", row.name, row.product) for row in sources),
    ]
    return [each for each in waiting if not _has_job(each[0])]


def check_may_delete(principal: Principal, product: Product, name: str) -> None:
    """Raise PermissionDenied for all but maintainers; a token needs scope 'admin'."""
    maintained = Product.objects.maintained_by(principal).filter(pk=product.pk)
    if not principal.may("admin") or not maintained.exists():
        raise PermissionDenied(
            gettext(
                "%(who)s is not allowed to delete '%(name)s'. Ask a maintainer of "
                "'%(product)s', or use a token with the scope 'admin'."
            )
            % {"who": principal.name, "name": name, "product": product.name}
        )


def _hide_source(source: Source) -> None:
    """Take it out of every list; the new name is one that no source may have."""
    hidden = Source.objects.filter(pk=source.pk).update(
        is_deleting=True, name=_hidden_name(source.pk, source.name, 200)
    )
    _refuse_second(hidden, source.name)
    GitRef.objects.filter(source=source).update(is_current=False)


def _hidden_name(pk: int, name: str, length: int) -> str:
    return f"~{pk} {name}"[:length]


def _refuse_second(hidden: int, name: str) -> None:
    if not hidden:
        raise Conflict(gettext("'%(name)s' is already being deleted.") % {"name": name})


def _jobs_of(source_id: int, product_id: int) -> Q:
    """Return a source's jobs, and the product's wiki job, which reads it."""
    return Q(params__sourceID=source_id) | Q(kind="wiki", params__productID=product_id)


def _cancel_jobs(which: Q) -> bool:
    """Cancel open jobs; True when one of them was writing the wiki."""
    jobs = list(Job.objects.filter(which, state__in=OPEN_STATES))
    for job in jobs:
        with contextlib.suppress(Conflict):  # it ended in this moment
            cancel_job(job=job)
    return any(job.kind == "wiki" for job in jobs)


def _has_job(what: str) -> bool:
    jobs = Job.objects.filter(lane=f"delete:{what}", state__in=OPEN_STATES)
    return jobs.exists()


def _enqueue(what: str, name: str, by: str, product: Product | None) -> Job:
    kind, _, pk = what.partition(":")
    return enqueue_job(
        kind="delete",
        lane=f"delete:{what}",
        product=product,
        source_name=name,
        requested_by=by,
        params={f"{kind}ID": int(pk), "name": name},
    )
