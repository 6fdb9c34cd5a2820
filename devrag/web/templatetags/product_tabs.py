"""The sections of a product, shown below the header of each of its pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import ResolverMatch, reverse
from django.utils.translation import gettext

from devrag.products.models import Product
from devrag.products.services import may_maintain

register = template.Library()
# The section of the pages of a module of views, or of one address; the others are
# about sources.
_SECTIONS = {
    "products": "overview",
    "wiki": "wiki",
    "wiki_versions": "wiki",
    "notes": "wiki",
    "feedback": "wiki",
    "search": "search",
    "ask": "ask",
    "saved_answers": "ask",
    "jobs": "jobs",
    "insights": "insights",
    "conflicts": "insights",
    "outdated": "insights",
    "product_settings": "settings",
    "audit": "settings",
    "digest": "settings",
    "secrets": "settings",
    "web:product_delete": "settings",
}


@dataclass(frozen=True, slots=True)
class Tab:
    """A section of a product. is_current: the page is one of it."""

    label: str
    icon: str
    url: str
    is_current: bool


@register.inclusion_tag("components/product_tabs.html", takes_context=True)
def product_tabs(context: template.Context) -> dict[str, Any]:
    """Show the sections of the page's product, none where it belongs to no product."""
    product = context.get("product")
    if not isinstance(product, Product) or "request" not in context:
        return {"tabs": ()}
    here = _section(context["request"].resolver_match)
    wiki = reverse("web:wiki_index", args=[product.name])
    # Who reads a wiki in another language than the pages around it stays in it.
    language = getattr(context.get("page"), "language", "") if here == "wiki" else ""
    wiki += f"?language={language}" if language else ""
    asked = urlencode({"product": product.name})
    sections = [
        ("overview", gettext("Overview"), "home", _address("product", product)),
        ("wiki", gettext("Wiki"), "book", wiki),
        ("search", gettext("Search"), "search", f"{reverse('web:search')}?{asked}"),
        ("ask", gettext("Ask"), "ask", _address("ask", product)),
        ("sources", gettext("Sources"), "source", _address("sources", product)),
        ("jobs", gettext("Jobs"), "activity", f"{reverse('web:jobs')}?{asked}"),
        ("insights", gettext("Insights"), "chart", _address("insights", product)),
    ]
    if _is_maintained(context, product):
        address = _address("product_settings", product)
        sections.append(("settings", gettext("Settings"), "settings", address))
    tabs = [Tab(label, icon, url, key == here) for key, label, icon, url in sections]
    return {"tabs": tabs, "product": product}


def _section(match: ResolverMatch | None) -> str:
    if match is None:  # no page is there
        return ""
    module = match.func.__module__.rpartition(".")[2]
    return _SECTIONS.get(match.view_name) or _SECTIONS.get(module, "sources")


def _address(name: str, product: Product) -> str:
    return reverse(f"web:{name}", args=[product.name])


def _is_maintained(context: template.Context, product: Product) -> bool:
    """Return whether the reader may change the product, as the frame has asked.

    One beyond the products that the frame lists takes a query of its own.
    """
    listed = (each for each in context["shell_products"] if each.pk == product.pk)
    if found := next(listed, None):
        return bool(found.is_maintained)
    return may_maintain(context["shell_principal"], product)
