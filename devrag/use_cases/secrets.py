"""What was masked in a product's files, for maintainers; what they dismissed of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import Principal
from devrag.parsing.chunking import parser_version
from devrag.products.models import Product
from devrag.products.services import get_maintained_product
from devrag.sources.models import GitRef, SecretDismissal, SecretFinding, Source

SECRET_STATES = ("open", "dismissed")
_MOST_REASON = 500
# The first facts version with which findings were stored.
_LISTED_SINCE = 17
_Key = tuple[int, str]


@dataclass(frozen=True, slots=True)
class SecretFilter:
    """Which findings; an empty rule or source does not count. state: '' for both."""

    rule: str = ""
    source: str = ""
    state: str = "open"


def list_secrets(
    principal: Principal, product: Product, wanted: SecretFilter
) -> QuerySet[SecretFinding]:
    """Return findings in the files that are indexed now, by source, path and line.

    Raises PermissionDenied for who does not maintain the product.
    """
    get_maintained_product(product.name, principal)
    rows = SecretFinding.objects.filter(
        file__source__in=_sources(principal, product),
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
    )
    if wanted.rule:
        rows = rows.filter(rule=wanted.rule)
    if wanted.source:
        rows = rows.filter(file__source__name=wanted.source)
    if wanted.state:
        dismissed = SecretDismissal.objects.filter(
            source=OuterRef("file__source"), key=OuterRef("key")
        )
        is_dismissed = Exists(dismissed)
        rows = rows.filter(
            is_dismissed if wanted.state == "dismissed" else ~is_dismissed
        )
    return rows.select_related("file__source").order_by(
        "file__source__name", "file__path", "line", "pk"
    )


def _sources(principal: Principal, product: Product) -> QuerySet[Source]:
    return Source.objects.within_limits(principal).filter(product=product)


def count_secrets(rows: QuerySet[SecretFinding]) -> list[tuple[str, int]]:
    """Return each rule with its number of findings, the most first. Queries: 1."""
    counted = rows.order_by().values_list("rule").annotate(n=Count("pk"))
    return sorted(counted, key=lambda each: (-each[1], each[0]))


def unlisted_sources(principal: Principal, product: Product) -> list[str]:
    """Return sources that were read before findings were listed. Queries: 1.

    The next index run reads their files again and lists what it masks.
    """
    refs = GitRef.objects.filter(
        source__in=_sources(principal, product), is_current=True
    )
    found = refs.order_by("source__name").values_list("source__name", "facts_version")
    return [name for name, version in found if parser_version(version) < _LISTED_SINCE]


def dismissals_of(rows: Iterable[SecretFinding]) -> Mapping[_Key, SecretDismissal]:
    """Return what was dismissed of these, by source and key. Queries: 1."""
    keys = {row.key for row in rows}
    found = SecretDismissal.objects.filter(key__in=keys)
    return {(each.source_id, each.key): each for each in found}


def describe_secrets(rows: Iterable[SecretFinding]) -> list[dict[str, Any]]:
    """Return findings for programs. Queries: 1 beside theirs."""
    found = list(rows)
    dismissed = dismissals_of(found)
    return [
        _describe(row, dismissed.get((row.file.source_id, row.key))) for row in found
    ]


def _describe(row: SecretFinding, dismissal: SecretDismissal | None) -> dict[str, Any]:
    return {
        "findingID": row.pk,
        "state": "dismissed" if dismissal else "open",
        "rule": row.rule,
        "sourceName": row.file.source.name,
        "path": row.file.path,
        "line": row.line,
        "firstSeenAt": row.first_seen_at,
        "firstVersion": row.first_version,
        "reason": dismissal.reason if dismissal else "",
        "dismissedBy": dismissal.dismissed_by if dismissal else "",
        "dismissedAt": dismissal.dismissed_at if dismissal else None,
    }


def find_secret(
    principal: Principal, product: Product, finding_id: int
) -> SecretFinding:
    """Return a finding of a product. Raises NotFound, PermissionDenied."""
    rows = list_secrets(principal, product, SecretFilter(state=""))
    row = rows.filter(pk=finding_id).first()
    if row is None:
        raise NotFound(
            gettext("'%(product)s' has no such finding. Its file may have changed.")
            % {"product": product.name}
        )
    return row


@transaction.atomic
def dismiss_secret(
    *, principal: Principal, product: Product, finding_id: int, reason: str
) -> SecretFinding:
    """Call a finding a false positive, in this and later versions of its file.

    What was masked stays masked. Raises NotFound, PermissionDenied, and InvalidInput
    without a reason.
    """
    reason = reason.strip()
    if not 0 < len(reason) <= _MOST_REASON:
        raise InvalidInput(
            gettext("Enter a reason of 1 to %(most)s characters.")
            % {"most": _MOST_REASON}
        )
    row = find_secret(principal, product, finding_id)
    SecretDismissal.objects.update_or_create(
        source=row.file.source,
        key=row.key,
        defaults={"reason": reason, "dismissed_by": principal.name[:150]},
    )
    _record("secret.dismissed", principal, row, {"reason": reason})
    return row


@transaction.atomic
def reopen_secret(
    *, principal: Principal, product: Product, finding_id: int
) -> SecretFinding:
    """Take a dismissal back. Raises NotFound, PermissionDenied."""
    row = find_secret(principal, product, finding_id)
    dismissals = SecretDismissal.objects.filter(source=row.file.source, key=row.key)
    if dismissals.delete()[0]:
        _record("secret.reopened", principal, row, {})
    return row


def _record(
    action: str, principal: Principal, row: SecretFinding, details: Mapping[str, Any]
) -> None:
    record_event(
        action,
        principal=principal,
        source=row.file.source,
        target=f"{row.file.path}:{row.line}",
        details={"rule": row.rule, **details},
    )
