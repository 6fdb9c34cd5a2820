"""Who belongs to a product: list, add, change and remove, by its maintainers."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.core.principal import Principal
from devrag.products.models import Membership, Product
from devrag.products.services import get_maintained_product


def list_members(product: Product) -> QuerySet[Membership]:
    """Return the memberships with their users, by name."""
    return product.memberships.select_related("user").order_by("user__username")


@transaction.atomic
def add_member(
    *, principal: Principal, product: Product, user_name: str, role: str
) -> Membership:
    """Let a user in; InvalidInput when there is no such user or they are in already."""
    _lock(principal, product)
    user = User.objects.filter(username=user_name, is_active=True).first()
    if user is None:
        raise InvalidInput(
            gettext(
                "There is no user “%(name)s”. Check the spelling, capital letters "
                "count; an administrator makes new accounts."
            )
            % {"name": user_name[:150]}
        )
    made, is_new = Membership.objects.get_or_create(
        product=product, user=user, defaults={"role": _checked(role)}
    )
    if not is_new:
        raise InvalidInput(
            gettext("%(name)s is a member already. Change the role in the list.")
            % {"name": user.username}
        )
    return made


@transaction.atomic
def change_member(
    *, principal: Principal, product: Product, member_id: int, role: str
) -> Membership:
    """Give a member another role; the last maintainer keeps theirs."""
    _lock(principal, product)
    member = _find(product, member_id)
    if _checked(role) != Membership.Role.MAINTAINER:
        _check_not_last(product, member)
    member.role = role
    member.save(update_fields=["role"])
    return member


@transaction.atomic
def remove_member(
    *, principal: Principal, product: Product, member_id: int
) -> Membership:
    """Take a member out of the product and return who it was."""
    _lock(principal, product)
    member = _find(product, member_id)
    _check_not_last(product, member)
    Membership.objects.filter(pk=member.pk).delete()
    return member


def _lock(principal: Principal, product: Product) -> None:
    """Two maintainers who remove each other at once: the second one waits."""
    get_maintained_product(product.name, principal)
    Product.objects.select_for_update().get(pk=product.pk)


def _find(product: Product, member_id: int) -> Membership:
    member = list_members(product).filter(pk=member_id).first()
    if member is None:
        raise NotFound(gettext("This member was removed already. Reload the page."))
    return member


def _check_not_last(product: Product, member: Membership) -> None:
    maintainers = product.memberships.filter(role=Membership.Role.MAINTAINER)
    if not maintainers.exclude(pk=member.pk).exists() and (
        member.role == Membership.Role.MAINTAINER
    ):
        raise Conflict(
            gettext(
                "%(name)s is the last maintainer of %(product)s. Make somebody else "
                "a maintainer first."
            )
            % {"name": member.user.get_username(), "product": product.name}
        )


def _checked(role: str) -> str:
    if role not in Membership.Role.values:
        raise InvalidInput(
            gettext("There is no role “%(role)s”; choose viewer or maintainer.")
            % {"role": role[:20]}
        )
    return role
