"""The navigation beside the pages of the settings."""

from __future__ import annotations

from typing import Any

from django import template

from devrag.web.pages.settings_sections import (
    link_product_sections,
    link_sections,
    list_sections,
)

register = template.Library()
_TEMPLATE = "components/settings_nav.html"


@register.inclusion_tag(_TEMPLATE, takes_context=True)
def settings_nav(context: template.Context) -> dict[str, Any]:
    """List the pages that the reader may open, by whose settings they are."""
    current = str(context.get("section") or "")
    sections = list_sections(context["shell_principal"], current)
    return {"groups": link_sections(sections, current)}


@register.inclusion_tag(_TEMPLATE, takes_context=True)
def product_settings_nav(context: template.Context) -> dict[str, Any]:
    """List the pages of the settings of the page's product."""
    address = context["request"].resolver_match.view_name
    return {"groups": link_product_sections(context["product"].name, address)}
