"""Roles that follow a provider's groups, brought up to date at each sign-in.

What somebody gave here by hand stays as it is: groups only add to it, and what they
added ends with them. Each change is in the audit log; `byGroup` tells it from what
people did.
"""

from __future__ import annotations

import structlog
from django.contrib.auth.models import User

from devrag.accounts.models import ExternalIdentity
from devrag.accounts.oidc.group_grants import Grants, higher_role
from devrag.audit.api import record_event
from devrag.products.models import Membership, Product

log = structlog.get_logger(__name__)


def apply_grants(user: User, identity: ExternalIdentity, grants: Grants) -> None:
    """Give a user what their groups grant and take what they do not any more.

    Must run in a transaction that has locked the user's row. Queries: 3, and two for
    each membership that changes.
    """
    _apply_installation_roles(user, identity, grants)
    _apply_memberships(user, dict(grants.roles))


def _apply_installation_roles(
    user: User, identity: ExternalIdentity, grants: Grants
) -> None:
    """Administrators may enter the administration, so they are staff as well."""
    is_staff_granted = grants.is_administrator or grants.may_add_products
    user.is_superuser, identity.gave_administrator = _combined(
        user.is_superuser, identity.gave_administrator, grants.is_administrator
    )
    user.is_staff, identity.gave_creator = _combined(
        user.is_staff, identity.gave_creator, is_staff_granted
    )
    # Recorded as `user.changed`, like every other change of an account.
    user.save(update_fields=["is_superuser", "is_staff"])
    identity.save(update_fields=["gave_administrator", "gave_creator"])


def _combined(has: bool, was_given: bool, is_granted: bool) -> tuple[bool, bool]:
    """Return what a user has now, and whether the groups gave it."""
    is_own = has and not was_given
    return is_own or is_granted, is_granted and not is_own


def _apply_memberships(user: User, roles: dict[str, str]) -> None:
    rows = Membership.objects.filter(user=user).select_related("product")
    present = {row.product.name: row for row in rows}
    products = {each.name: each for each in Product.objects.filter(name__in=roles)}
    if unknown := sorted(roles.keys() - products.keys()):
        log.warning("oidc_groups_name_no_product", products=unknown)
    for name, row in present.items():
        _change(row, roles.get(name, "") if name in products else "")
    made = Membership.objects.bulk_create(
        Membership(product=product, user=user, role=roles[name], group_role=roles[name])
        for name, product in products.items()
        if name not in present
    )
    for row in made:
        _record("member.added", row, row.role)


def _change(row: Membership, granted: str) -> None:
    """Bring one membership up to date. granted: role by the groups, or ''."""
    own = row.own_role if row.group_role else row.role
    role = higher_role(own, granted)
    group_role = granted if role != own else ""
    before = row.role
    if not role:
        row.delete()
        _record("member.removed", row, before)
    elif (role, group_role) != (before, row.group_role):
        row.role, row.group_role = role, group_role
        row.own_role = own if group_role else ""
        row.save(update_fields=["role", "group_role", "own_role"])
        if role != before:
            _record("member.changed", row, {"from": before, "to": role})


def _record(action: str, row: Membership, role: object) -> None:
    record_event(
        action,
        product=row.product,
        target=row.user.get_username(),
        details={"role": role, "byGroup": True},
    )
