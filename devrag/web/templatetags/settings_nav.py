"""The navigation beside the pages of the settings."""

from __future__ import annotations

from typing import Any

from django import template

from devrag.web.pages.settings_sections import group_sections, list_sections

register = template.Library()


@register.inclusion_tag("components/settings_nav.html", takes_context=True)
def settings_nav(context: template.Context) -> dict[str, Any]:
    """List the pages that the reader may open, by whose settings they are."""
    current = str(context.get("section") or "")
    sections = list_sections(context["shell_principal"], current)
    return {"groups": group_sections(sections), "current": current}
