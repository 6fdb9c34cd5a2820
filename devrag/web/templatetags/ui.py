"""Small template tags: icons, relative times, compact numbers."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlencode

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from devrag.core.line_breaks import with_breaks, with_code, without_ticks
from devrag.web.translated_terms import WRITERS

register = template.Library()
_THOUSANDS = ((1_000_000, "M"), (1_000, "k"))
_MYRIADS = ((100_000_000, "億"), (10_000, "万"))


@register.simple_tag
def icon(name: str, css: str = "") -> SafeString:
    """Draw an icon of `static/icons.svg`; decoration only, so hidden from readers."""
    return format_html(
        '<svg class="icon{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        f" {css}" if css else "",
        static("icons.svg"),
        name,
    )


@register.simple_tag
def label_search(name: str, product: object, query: str = "") -> str:
    """Return the search for words among what has a label. product: it, or its name."""
    product_name = getattr(product, "name", product)
    asked = {"q": f"{query} label:{name}".lstrip(), "product": product_name}
    return f"{reverse('web:search')}?{urlencode(asked)}"


@register.simple_tag
def ago(moment: datetime | None) -> SafeString | str:
    """Say how long ago, with the exact moment on hover."""
    if moment is None:
        return gettext("never")
    local = timezone.localtime(moment)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        local.isoformat(timespec="seconds"),
        local.strftime("%Y-%m-%d %H:%M %Z"),
        naturaltime(moment),
    )


@register.filter
def compact(number: int | None) -> str:
    """Write 12,345 as 12.3k or 1.2万: counts on cards are to compare, not to copy."""
    if number is None:
        return "–"
    for limit, suffix in _MYRIADS if get_language() == "ja" else _THOUSANDS:
        if number >= limit:
            value = number / limit
            return f"{value:.0f}{suffix}" if value >= 100 else f"{value:.1f}{suffix}"
    return f"{number:,}"


@register.filter
def writer(name: str) -> str:
    """Say who wrote a wiki: a model by its name, or nobody."""
    return gettext(WRITERS[name]) if name in WRITERS else name


@register.filter
def worded(word: str) -> str:
    """Say a word of devrag.web.translated_terms in the reader's language."""
    return gettext(word) if word else ""


@register.filter
def breaks(text: str) -> SafeString:
    """Let long names and paths break at dots, slashes, underscores and capitals."""
    return with_breaks(str(text))


@register.filter
def inline_code(text: str) -> SafeString:
    """Show what stands in backticks as code."""
    return with_code(str(text))


@register.filter
def no_ticks(text: str) -> str:
    """Leave backticks out, where there is no code: titles of windows, attributes."""
    return without_ticks(str(text))
