"""Embedding specs and the search log in the admin."""

from __future__ import annotations

from django.contrib import admin
from unfold.admin import ModelAdmin

from devrag.search.models import EmbeddingSpec, SearchLog


@admin.register(EmbeddingSpec)
class EmbeddingSpecAdmin(ModelAdmin):
    list_display = ["provider", "model", "dimensions", "recipe_version", "is_active"]


@admin.register(SearchLog)
class SearchLogAdmin(ModelAdmin):
    list_display = ["at", "query", "mode", "hit_count", "latency_ms", "clicked_rank"]
    search_fields = ["query"]
