"""Ask for a wiki run of a product, and show another of its versions."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext

from devrag.audit.api import is_by_person, record_event
from devrag.core.errors import Conflict
from devrag.core.principal import PUBLISHER, Principal
from devrag.jobs.models import Job
from devrag.jobs.services import enqueue_job
from devrag.products.models import Product
from devrag.sources.models import GitRef, Source
from devrag.wiki.api import check_may_write, export_version, show_version
from devrag.wiki.models import Version


@transaction.atomic
def request_wiki(
    *,
    principal: Principal,
    product: Product,
    cause: str = "",
    is_asked: bool = True,
    is_forced: bool = False,
    is_redesigned: bool = False,
    asked_by: str = "",
) -> Job:
    """Enqueue a wiki job; Conflict while nothing of the product is indexed.

    is_asked: False for a run that nobody waits for; it leaves a held wiki as it is.
    is_forced: write every page, also those that nothing changed for.
    is_redesigned: choose the pages anew instead of keeping those of the last version.
    asked_by: who wanted what it follows from; else the principal.
    """
    check_may_write(principal, product)
    if not is_wiki_possible(product):
        raise Conflict(
            gettext(
                "'%(name)s' has no indexed source yet. Index a source first, then "
                "generate the wiki."
            )
            % {"name": product.name}
        )
    if is_asked and is_by_person(principal):
        found = {"all": is_forced, "redesign": is_redesigned}
        record_event(
            "wiki.requested", principal=principal, product=product, details=found
        )
    return enqueue_job(
        kind="wiki",
        lane=f"wiki:{product.pk}",
        product=product,
        requested_by=asked_by or principal.name,
        params={
            "productID": product.pk,
            "cause": cause or "requested",
            "isAsked": is_asked,
            "isForced": is_forced,
            "isRedesigned": is_redesigned,
        },
    )


def roll_back(
    *, principal: Principal, product: Product, number: int, language: str = "en"
) -> Version:
    """Show readers a kept version, older or newer, and export its files."""
    version = show_version(
        principal=principal, product=product, number=number, language=language
    )
    export_version(version=version, root=settings.WIKI_OUTPUT_DIR)
    return version


def is_wiki_possible(product: Product) -> bool:
    """Return whether anything of the product is indexed to write about."""
    sources = Source.objects.within_limits(PUBLISHER).filter(product=product)
    refs = GitRef.objects.filter(source__in=sources, is_current=True)
    return refs.filter(snapshot__is_indexed=True).exists()
