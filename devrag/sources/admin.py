"""Versions and refs of sources in the admin: to look at, the engine writes them."""

from __future__ import annotations

from django.contrib import admin
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin
from unfold.decorators import display

from devrag.core.admin import Kept, page_link
from devrag.sources.models import GitRef, Snapshot


@admin.register(Snapshot)
class SnapshotAdmin(Kept, ModelAdmin):
    list_display = [
        "version",
        "source",
        "is_indexed",
        "indexed_at",
        "file_count",
        "line_count",
        "chunk_count",
    ]
    list_display_links = ["version"]
    list_select_related = ["source__product"]
    list_filter = ["is_indexed", "source__product"]
    search_fields = ["version_identifier", "source__name"]
    date_hierarchy = "indexed_at"

    def view_on_site(self, obj: Snapshot) -> str:
        source = obj.source
        names = [source.product.name, source.name, obj.version_identifier]
        return reverse("web:folder", args=names)

    @display(description=gettext_lazy("Version"), ordering="version_identifier")
    def version(self, snapshot: Snapshot) -> str:
        return snapshot.version_identifier[:12]


@admin.register(GitRef)
class GitRefAdmin(Kept, ModelAdmin):
    list_display = ["name", "files", "kind", "snapshot", "sequence", "is_current"]
    list_select_related = ["source__product", "snapshot"]
    list_filter = ["kind", "is_current", "source__product"]
    search_fields = ["name", "source__name"]

    @display(description=gettext_lazy("Source"), ordering="source__name")
    def files(self, ref: GitRef) -> SafeString | str:
        """Lead to the files, where the ref is what readers see."""
        source = ref.source
        if not ref.is_current or ref.snapshot is None:
            return source.name
        names = (source.product.name, source.name, "current")
        return page_link(source.name, "web:folder", *names)
