"""Embedding specs and the search log in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from devrag.search.models import EmbeddingSpec, SearchLog


@admin.register(EmbeddingSpec)
class EmbeddingSpecAdmin(ModelAdmin):
    list_display = ["provider", "model", "dimensions", "recipe_version", "is_active"]

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """A spec has a table of its own, which only the service makes."""
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        return False


@admin.register(SearchLog)
class SearchLogAdmin(ModelAdmin):
    list_display = ["at", "query", "mode", "hit_count", "latency_ms", "clicked_rank"]
    search_fields = ["query"]
