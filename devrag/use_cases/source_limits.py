"""Limit a source to some members of its product, and open it to all again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import Conflict, InvalidInput
from devrag.core.principal import SYSTEM, Principal
from devrag.jobs.models import OPEN_STATES, Job
from devrag.jobs.services import cancel_job
from devrag.products.models import Product, SourceLimit
from devrag.sources.models import Source
from devrag.sources.selectors import check_may_change
from devrag.use_cases.wiki import is_wiki_possible, request_wiki
from devrag.wiki.api import delete_export, export_version, withdraw_versions
from devrag.wiki.models import Wiki

_MOST_MEMBERS = 200


def limit_source(
    *, principal: Principal, source: Source, members: Sequence[str] | None
) -> None:
    """Let only these users of its product see a source; None: all of its readers.

    members: their user names; whoever limits it stays among them. What the wiki says
    from it goes, and the wiki is generated anew without it. Raises PermissionDenied for
    who does not maintain the product, InvalidInput for names of no reader of it.
    """
    check_may_change(principal, source)
    if members is None:
        with transaction.atomic():
            ended, _ = SourceLimit.objects.filter(source_id=source.pk).delete()
            if ended:
                _record(principal, source, ["everyone"])
        return
    users = _find_users(source.product, members, principal)
    with transaction.atomic():
        limit, is_new = SourceLimit.objects.get_or_create(
            source_id=source.pk, defaults={"product": source.product}
        )
        limit.members.set(users)
        _record(principal, source, sorted(user.username for user in users))
    if is_new:
        _clear_wiki(source)


def _record(principal: Principal, source: Source, members: list[str]) -> None:
    details = {"members": members}
    record_event("source.limited", principal=principal, source=source, details=details)


def _find_users(
    product: Product, names: Iterable[str], principal: Principal
) -> list[User]:
    wanted = {name.strip() for name in names} - {""}
    found = list(get_user_model().objects.filter(username__in=wanted))
    if unknown := wanted - {user.username for user in found}:
        raise InvalidInput(
            gettext("User %(names)s not found. Use names of existing users.")
            % {"names": ", ".join(sorted(unknown)[:5])}
        )
    if principal.user_id is not None and not principal.is_admin:
        found += get_user_model().objects.filter(pk=principal.user_id)
    users = list({user.pk: user for user in found}.values())
    if not users or len(users) > _MOST_MEMBERS:
        raise InvalidInput(
            gettext("Enter 1 to %(most)s users who can see the source.")
            % {"most": _MOST_MEMBERS}
        )
    _check_readers(product, users)
    return users


def _check_readers(product: Product, users: Iterable[User]) -> None:
    """Raise InvalidInput for users who may not read the product."""
    if product.visibility == "everyone":
        return
    members = set(product.memberships.values_list("user_id", flat=True))
    strangers = [
        user.username
        for user in users
        if user.pk not in members and not user.is_superuser
    ]
    if strangers:
        raise InvalidInput(
            gettext("%(names)s cannot read '%(product)s'. Add them as members first.")
            % {"names": ", ".join(sorted(strangers)[:5]), "product": product.name}
        )


def _clear_wiki(source: Source) -> None:
    """Take away what was written from a source, and have it written without it."""
    product = source.product
    # One that is at work would publish what it has read.
    for job in Job.objects.filter(product=product, kind="wiki", state__in=OPEN_STATES):
        with contextlib.suppress(Conflict):  # it ended in this moment
            cancel_job(job=job)
    if not withdraw_versions(product, source.name):
        return
    shown = Wiki.objects.filter(product=product, current__isnull=False)
    left = shown.select_related("current__wiki").first()
    if left is not None and left.current is not None:
        export_version(version=left.current, root=settings.WIKI_OUTPUT_DIR)
    else:
        delete_export(settings.WIKI_OUTPUT_DIR, product.name)
    if is_wiki_possible(product):
        cause = f"limited {source.name}"
        request_wiki(principal=SYSTEM, product=product, cause=cause)
