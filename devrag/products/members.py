"""Who belongs to a product: list, add, change and remove, by its maintainers."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.core.principal import Principal
from devrag.products.models import Membership, Product
from devrag.products.services import get_maintained_product

MAX_CANDIDATES = 20
_MAX_WORDS = 5


def list_members(product: Product) -> QuerySet[Membership]:
    """Return the memberships with their users, by name."""
    return product.memberships.select_related("user").order_by("user__username")


def find_candidates(
    principal: Principal, product: Product, text: str, limit: int = MAX_CANDIDATES
) -> QuerySet[User]:
    """Return users to add whose names or e-mail address have all words of a text.

    Raises PermissionDenied, or NotFound, for whoever may not manage the members.
    """
    get_maintained_product(product.name, principal)
    rows = User.objects.filter(is_active=True).exclude(memberships__product=product)
    for word in text.split()[:_MAX_WORDS]:
        rows = rows.filter(
            Q(username__icontains=word)
            | Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
            | Q(email__icontains=word)
        )
    return rows.order_by("username")[:limit]


@transaction.atomic
def add_member(
    *, principal: Principal, product: Product, user_name: str, role: str
) -> Membership:
    """Let a user in; InvalidInput when there is no such user or they are in already.

    user_name: or the e-mail address of one account.
    """
    _lock(principal, product)
    user = _find_user(user_name)
    if user is None:
        raise InvalidInput(
            gettext(
                "User “%(name)s” not found. Check the spelling, including upper and "
                "lower case. New accounts are created by an administrator."
            )
            % {"name": user_name[:150]}
        )
    made, is_new = Membership.objects.get_or_create(
        product=product, user=user, defaults={"role": _checked(role)}
    )
    if not is_new:
        raise InvalidInput(
            gettext("%(name)s is already a member. Change the role in the list.")
            % {"name": user.username}
        )
    _record("member.added", principal, product, made, role=role)
    return made


@transaction.atomic
def give_role(*, product: Product, user: User, role: str) -> None:
    """Let a user in with a role, or raise theirs to it; never lower it.

    For callers that have checked who gives the role.
    """
    Product.objects.select_for_update().get(pk=product.pk)
    row, is_new = Membership.objects.get_or_create(
        product=product, user=user, defaults={"role": _checked(role)}
    )
    highest = Membership.Role.MAINTAINER
    own = row.own_role if row.group_role else row.role
    if is_new:
        _record("member.added", None, product, row, role=role)
    if is_new or own == highest:
        return
    before = row.role
    if row.group_role == highest != role:
        row.own_role = role  # what is left once the group is gone
    else:
        row.role, row.group_role, row.own_role = role, "", ""
    row.save(update_fields=["role", "group_role", "own_role"])
    if row.role != before:
        changed = {"from": before, "to": row.role}
        _record("member.changed", None, product, row, role=changed)


@transaction.atomic
def change_member(
    *, principal: Principal, product: Product, member_id: int, role: str
) -> Membership:
    """Give a member another role; the last maintainer keeps theirs."""
    _lock(principal, product)
    member = _find(product, member_id)
    _check_by_hand(member)
    if _checked(role) != Membership.Role.MAINTAINER:
        _check_not_last(product, member)
    changed = {"from": member.role, "to": role}
    member.role = role
    member.save(update_fields=["role"])
    _record("member.changed", principal, product, member, role=changed)
    return member


@transaction.atomic
def remove_member(
    *, principal: Principal, product: Product, member_id: int
) -> Membership:
    """Take a member out of the product and return who it was."""
    _lock(principal, product)
    member = _find(product, member_id)
    _check_by_hand(member)
    _check_not_last(product, member)
    Membership.objects.filter(pk=member.pk).delete()
    _record("member.removed", principal, product, member, role=member.role)
    return member


def _record(
    action: str,
    principal: Principal | None,
    product: Product,
    member: Membership,
    **details: object,
) -> None:
    record_event(
        action,
        principal=principal,
        product=product,
        target=member.user.get_username(),
        details=details,
    )


def _lock(principal: Principal, product: Product) -> None:
    """Two maintainers who remove each other at once: the second one waits."""
    get_maintained_product(product.name, principal)
    Product.objects.select_for_update().get(pk=product.pk)


def _find_user(name: str) -> User | None:
    users = User.objects.filter(is_active=True)
    if found := users.filter(username=name).first():
        return found
    by_address = list(users.filter(email__iexact=name)[:2]) if "@" in name else []
    return by_address[0] if len(by_address) == 1 else None


def _find(product: Product, member_id: int) -> Membership:
    member = list_members(product).filter(pk=member_id).first()
    if member is None:
        raise NotFound(
            gettext("This member has already been removed. Reload the page.")
        )
    return member


def _check_by_hand(member: Membership) -> None:
    if member.group_role:
        raise Conflict(
            gettext(
                "The role of %(name)s comes from a group of the sign-in provider. "
                "Change it there; it counts from the next sign-in on."
            )
            % {"name": member.user.get_username()}
        )


def _check_not_last(product: Product, member: Membership) -> None:
    maintainers = product.memberships.filter(role=Membership.Role.MAINTAINER)
    if not maintainers.exclude(pk=member.pk).exists() and (
        member.role == Membership.Role.MAINTAINER
    ):
        raise Conflict(
            gettext(
                "%(name)s is the last maintainer of %(product)s. Make another member "
                "a maintainer first."
            )
            % {"name": member.user.get_username(), "product": product.name}
        )


def _checked(role: str) -> str:
    if role not in Membership.Role.values:
        raise InvalidInput(
            gettext("Unknown role “%(role)s”. Choose viewer or maintainer.")
            % {"role": role[:20]}
        )
    return role
