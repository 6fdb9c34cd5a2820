"""Embedding specs and the search log in the admin."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin
from unfold.decorators import display

from devrag.core.admin import Kept, ReadOnly
from devrag.search.models import EmbeddingSpec, SearchLog


@admin.register(EmbeddingSpec)
class EmbeddingSpecAdmin(Kept, ModelAdmin):
    """A spec has a table of its own, which only the service makes and drops."""

    list_display = [
        *("provider", "model", "dimensions", "recipe_version"),
        *("is_active", "is_next"),
    ]
    list_filter = ["provider", "is_active"]


@admin.register(SearchLog)
class SearchLogAdmin(ReadOnly, ModelAdmin):
    list_display = [
        *("at", "asked", "product", "mode", "hit_count", "latency", "clicked_rank"),
    ]
    list_display_links = ["at"]
    list_filter = ["mode", "product"]
    list_select_related = ["product"]
    search_fields = ["query", "principal"]
    date_hierarchy = "at"

    @display(description=gettext_lazy("Query"), ordering="query")
    def asked(self, log: SearchLog) -> SafeString:
        """Ask it again on the search page."""
        given = {"q": log.query, "mode": log.mode}
        if log.product:
            given["product"] = log.product.name
        url = f"{reverse('web:search')}?{urlencode(given)}"
        return format_html('<a href="{}">{}</a>', url, log.query[:120])

    @display(description=gettext_lazy("Time"), ordering="latency_ms")
    def latency(self, log: SearchLog) -> str:
        return f"{log.latency_ms:.0f} ms"
