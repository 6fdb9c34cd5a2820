"""Sources and their versions in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from devrag.sources.models import GitRef, Snapshot, Source


@admin.register(Source)
class SourceAdmin(ModelAdmin):
    list_display = ["name", "product", "source_type", "location", "host"]
    list_filter = ["source_type", "product"]
    list_select_related = ["product"]
    search_fields = ["name"]
    # Addresses are checked when a source is registered, and a path outside
    # SOURCE_ROOTS is for the command line only: neither may be edited in here.
    readonly_fields = ["source_type", "metadata", "host", "index_every_minutes"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Sources are added where their address is checked."""
        return False

    def has_delete_permission(
        self, request: HttpRequest, obj: Source | None = None
    ) -> bool:
        """A source is deleted in portions by a job, from its product's page."""
        return False


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
