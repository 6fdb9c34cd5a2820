"""Who may see a source: all readers of its product, or some of its members."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User

from devrag.products.limits import members_by_source
from devrag.products.models import Product
from devrag.sources.models import Source


@dataclass(frozen=True, slots=True)
class MemberChoice:
    """A user who may read the product, and whether they see the source."""

    name: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class SourceMembers:
    """choices: members of the product and who is chosen already, by name."""

    is_limited: bool
    choices: tuple[MemberChoice, ...]

    @property
    def names(self) -> list[str]:
        return [each.name for each in self.choices if each.is_chosen]


def get_source_members(product: Product, source: Source) -> SourceMembers:
    """Return who may see a source. Queries: 2, 3."""
    chosen = members_by_source([source.pk]).get(source.pk)
    users = User.objects.filter(memberships__product=product, is_active=True)
    names = {*users.values_list("username", flat=True), *(chosen or ())}
    return SourceMembers(
        chosen is not None,
        tuple(MemberChoice(name, name in (chosen or ())) for name in sorted(names)),
    )
