"""Sources and their versions in the admin."""

from __future__ import annotations

from django.contrib import admin
from unfold.admin import ModelAdmin

from devrag.sources.models import GitRef, Snapshot, Source


@admin.register(Source)
class SourceAdmin(ModelAdmin):
    list_display = ["name", "product", "source_type", "location", "host"]
    list_filter = ["source_type", "product"]
    list_select_related = ["product"]
    search_fields = ["name"]


@admin.register(Snapshot)
class SnapshotAdmin(ModelAdmin):
    list_display = [
        "source",
        "version_identifier",
        "is_indexed",
        "indexed_at",
        "file_count",
        "chunk_count",
    ]
    list_select_related = ["source"]
    search_fields = ["version_identifier", "source__name"]


@admin.register(GitRef)
class GitRefAdmin(ModelAdmin):
    list_display = ["source", "name", "kind", "snapshot", "sequence", "is_current"]
    list_select_related = ["source", "snapshot"]
    list_filter = ["kind", "is_current"]
