"""A product's settings and members, for its maintainers."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from devrag.core.principal import Principal
from devrag.core.text import dollars
from devrag.products.members import list_members
from devrag.products.models import Membership, Product
from devrag.sources.api import may_grant
from devrag.spending.language_model import is_model_set
from devrag.spending.model_settings import cap_of
from devrag.spending.totals import add_up, calls_of_month
from devrag.wiki.api import author_of


@dataclass(frozen=True, slots=True)
class MemberRow:
    pk: int
    name: str
    full_name: str
    email: str
    role: str
    is_me: bool
    is_last_maintainer: bool
    is_by_group: bool


@dataclass(frozen=True, slots=True)
class ProductSettings:
    """Who writes the wiki at what cost. writer: empty without a model.

    is_model_set: whether a model writes where the product allows it.
    may_grant: whether the reader decides what of the server the product uses.
    """

    writer: str
    spent: str
    cap: str
    is_model_set: bool
    may_grant: bool


def get_product_settings(principal: Principal, product: Product) -> ProductSettings:
    """Return what stands beside the form. Queries: 1."""
    author = author_of(product)
    return ProductSettings(
        writer=author.name if author.is_model else "",
        spent=dollars(add_up(calls_of_month(product.pk)).cost),
        cap=dollars(Decimal(str(cap_of("LLM_CAP_PER_MONTH")))),
        is_model_set=is_model_set(),
        may_grant=may_grant(principal),
    )


def list_member_rows(principal: Principal, product: Product) -> tuple[MemberRow, ...]:
    """Return the members of a product. Queries: 1."""
    members = list(list_members(product))
    maintainers = [each for each in members if each.role == Membership.Role.MAINTAINER]
    return tuple(
        MemberRow(
            pk=each.pk,
            name=each.user.get_username(),
            full_name=each.user.get_full_name(),
            email=each.user.email,
            role=each.role,
            is_me=each.user_id == principal.user_id,
            is_last_maintainer=maintainers == [each],
            is_by_group=bool(each.group_role),
        )
        for each in members
    )
