"""Ask for an index run of a registered source."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from devrag.audit.api import is_by_person, record_event
from devrag.core.errors import PermissionDenied
from devrag.core.principal import Principal
from devrag.jobs.models import Job
from devrag.jobs.services import enqueue_job
from devrag.products.models import Product
from devrag.sources.addresses import check_ref
from devrag.sources.models import Source


@transaction.atomic
def request_index(
    *,
    principal: Principal,
    source: Source,
    ref: str | None = None,
    commit: str | None = None,
    is_full: bool = False,
    is_wiki_wanted: bool = False,
    is_product_new: bool = False,
) -> Job:
    """Enqueue an index job; the lane is the source's ref, by default its current.

    is_product_new: made for this run, and taken back when nothing can come of it.
    """
    maintained = Product.objects.maintained_by(principal)
    if not principal.may("index") or not maintained.filter(pk=source.product_id):
        raise PermissionDenied(
            gettext(
                "%(who)s is not allowed to index '%(source)s'. Ask a maintainer of "
                "'%(product)s', or use a token with the scope 'index'."
            )
            % {
                "who": principal.name,
                "source": source.name,
                "product": source.product.name,
            }
        )
    if ref:
        check_ref(ref)
    _record(principal, source, {"ref": ref, "full": is_full})
    return enqueue_job(
        kind="index",
        lane=index_lane(source, ref),
        product=source.product,
        source_name=source.name,
        requested_by=principal.name,
        params={
            "sourceID": source.pk,
            "ref": ref,
            "commit": commit,
            "full": is_full,
            "generateWiki": is_wiki_wanted,
            "isProductNew": is_product_new,
        },
    )


def _record(principal: Principal, source: Source, details: dict[str, Any]) -> None:
    """Record that somebody asks; schedules and pushes only make jobs."""
    if is_by_person(principal):
        record_event(
            "source.index_requested",
            principal=principal,
            source=source,
            details=details,
        )


def index_lane(source: Source, ref: str | None = None) -> str:
    """Return the lane of a ref, by default of the source's current one."""
    names = source.refs.filter(is_current=True).values_list("name", flat=True)
    return f"index:{source.pk}:{ref or names.first() or ''}"
