"""A collection: a source by its name, or all sources of a product."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.core.principal import Principal
from devrag.core.text import shorten
from devrag.mcp.errors import UnknownCollection
from devrag.products.models import Product
from devrag.sources.models import Source

_NAMED = 12


@dataclass(frozen=True, slots=True)
class Collection:
    """What is asked. product, source: '' where it is not narrowed down to one."""

    product: str
    source: str
    source_ids: tuple[int, ...]


def find_collection(principal: Principal, name: str = "") -> Collection:
    """Return the collection of that name, everything visible for ''.

    A source goes before a product of the same name. Raises UnknownCollection.
    """
    sources = Source.objects.visible_to(principal)
    if not name:
        return Collection("", "", _ids(sources))
    if source := sources.select_related("product").filter(name=name).first():
        return Collection(source.product.name, source.name, (source.pk,))
    if Product.objects.visible_to(principal).filter(name=name).exists():
        return Collection(name, "", _ids(sources.filter(product__name=name)))
    raise UnknownCollection(_unknown("collection", name, _names(principal)))


def find_source(principal: Principal, name: str) -> Source:
    """Return a source by its name, or the only one of a product of that name."""
    found = find_collection(principal, name)
    rows = Source.objects.filter(pk__in=found.source_ids)[:2]
    if not name or len(rows) != 1:
        names = sorted(
            Source.objects.visible_to(principal).values_list("name", flat=True)
        )
        raise UnknownCollection(_unknown("source", name, names))
    return rows[0]


def find_product(principal: Principal, name: str) -> Product:
    """Return a product by its name, or by that of one of its sources."""
    visible = Product.objects.visible_to(principal)
    product = (
        visible.filter(name=name).first()
        or visible.filter(
            sources__in=Source.objects.visible_to(principal).filter(name=name)
        ).first()
    )
    if product is None:
        names = list(visible.values_list("name", flat=True)[: _NAMED + 1])
        raise UnknownCollection(_unknown("product", name, names))
    return product


def _ids(sources: object) -> tuple[int, ...]:
    return tuple(sources.values_list("pk", flat=True))  # type: ignore[attr-defined]


def _names(principal: Principal) -> list[str]:
    sources = Source.objects.visible_to(principal).values_list("name", flat=True)
    products = Product.objects.visible_to(principal).values_list("name", flat=True)
    return sorted({*sources[: _NAMED + 1], *products[: _NAMED + 1]})


def _unknown(kind: str, name: str, known: list[str]) -> str:
    more = ", …" if len(known) > _NAMED else ""
    there = (
        f"Available: {', '.join(known[:_NAMED])}{more}."
        if known
        else ("None exists yet; add one with `devrag index URL --product NAME`.")
    )
    said = f"'{shorten(name, 80)}'" if name else "without a name"
    return f"There is no {kind} {said}. {there} list_collections shows all."
