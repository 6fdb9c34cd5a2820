"""Small template tags: icons, relative times, compact numbers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlencode

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext

from devrag.core.line_breaks import with_breaks, with_code, without_ticks
from devrag.web.kind_labels import kind_badge
from devrag.web.pages.languages import name_language
from devrag.web.translated_terms import CAUSES_OF_SOURCES, WRITERS

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
    """Say how long ago, or how soon, with the exact moment on hover."""
    if moment is None:
        return gettext("never")
    seconds = (timezone.now() - moment).total_seconds()
    is_past = seconds >= 0
    return format_html(
        '<time datetime="{}" title="{}"{}>{}</time>',
        timezone.localtime(moment).isoformat(timespec="seconds"),
        exact(moment),
        mark_safe(" data-ago") if is_past else "",
        relative_words(seconds) if is_past else naturaltime(moment),
    )


@register.simple_tag
def day(moment: datetime) -> SafeString:
    """Say on which day something is, with the exact moment on hover."""
    local = timezone.localtime(moment)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        local.isoformat(timespec="seconds"),
        exact(moment),
        date_format(local, "DATE_FORMAT"),
    )


def relative_words(seconds: float) -> str:
    """Say how long ago something was, in one unit; static/js/times.js goes on."""
    for size, say in _AGES.items():
        if (count := int(seconds / size)) > 0:
            return say(count) % {"n": count}
    return gettext("now")


# Seconds of a unit → how so many of them are said.
_AGES: dict[int, Callable[[int], str]] = {
    31_557_600: lambda n: ngettext("%(n)s year ago", "%(n)s years ago", n),
    2_629_800: lambda n: ngettext("%(n)s month ago", "%(n)s months ago", n),
    86_400: lambda n: ngettext("%(n)s day ago", "%(n)s days ago", n),
    3_600: lambda n: ngettext("%(n)s hour ago", "%(n)s hours ago", n),
    60: lambda n: ngettext("%(n)s minute ago", "%(n)s minutes ago", n),
    1: lambda n: ngettext("%(n)s second ago", "%(n)s seconds ago", n),
}


@register.filter
def exact(moment: datetime) -> str:
    """Write a moment with the reader's time zone: 2026-11-27 16:30 JST (Asia/Tokyo)."""
    local = timezone.localtime(moment)
    zone = timezone.get_current_timezone_name()
    said = local.strftime("%Y-%m-%d %H:%M %Z")
    return said if zone == local.tzname() else f"{said} ({zone})"


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
def badge(kind: str) -> str:
    """Return the sign of a kind of definition."""
    return kind_badge(kind)


@register.filter
def cause_of_wiki(cause: str) -> str:
    """Say in the reader's language why a version was generated."""
    what, _, source = cause.partition(" ")
    if what not in CAUSES_OF_SOURCES or not source:
        return worded(cause)
    return gettext(CAUSES_OF_SOURCES[what]) % {"source": source}


@register.filter
def breaks(text: str) -> SafeString:
    """Let long names and paths break at dots, slashes, underscores and capitals."""
    return with_breaks(str(text))


@register.filter
def inline_code(text: str) -> SafeString:
    """Show what stands in backticks as code."""
    return with_code(str(text))


@register.filter
def language_name(language: str) -> str:
    """Return a programming language's name as people write it."""
    return name_language(language)


@register.filter
def no_ticks(text: str) -> str:
    """Leave backticks out, where there is no code: titles of windows, attributes."""
    return without_ticks(str(text))
