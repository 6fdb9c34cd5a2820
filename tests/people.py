"""Alice maintains the teahouse, Bob reads it, Charlie must not see that it exists."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User

from devrag.access.auth import principal_of_user
from devrag.access.services import create_token
from devrag.core.principal import Principal
from devrag.products.models import Membership, Product
from devrag.sources.models import Source


@dataclass(frozen=True, slots=True)
class People:
    """A members-only product with a source, an open product, and three users."""

    teahouse: Product
    source: Source
    market: Product
    alice: User
    bob: User
    charlie: User


def make_people() -> People:
    """Create them. Nobody is staff; Alice's and Bob's memberships decide."""
    teahouse = Product.objects.create(name="teahouse", visibility="members")
    source = Source.objects.create(
        product=teahouse,
        name="teahouse-code",
        source_type="git",
        metadata={"url": "https://git.example/teahouse.git"},
    )
    market = Product.objects.create(name="market", visibility="everyone")
    alice, bob, charlie = (
        User.objects.create_user(name) for name in ("alice", "bob", "charlie")
    )
    Membership.objects.create(product=teahouse, user=alice, role="maintainer")
    Membership.objects.create(product=teahouse, user=bob, role="viewer")
    return People(teahouse, source, market, alice, bob, charlie)


def principal(user: User) -> Principal:
    """Return whom a user is at the browser's door, as the database has them now."""
    return principal_of_user(User.objects.get(pk=user.pk))


def bearer(
    *scopes: str, user: User | None = None, products: tuple[Product, ...] = ()
) -> dict[str, str]:
    """Return the request headers of a new token."""
    _, secret = create_token(name="test", scopes=scopes, user=user, products=products)
    return {"Authorization": f"Bearer {secret}"}
