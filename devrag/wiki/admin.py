"""Wikis in the admin: versions, notes and readers' remarks."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin
from unfold.decorators import display

from devrag.core.admin import ReadOnly, page_link
from devrag.wiki.models import Feedback, Note, Version, Wiki


@admin.register(Wiki)
class WikiAdmin(ReadOnly, ModelAdmin):
    list_display = ["product", "language", "current"]
    list_select_related = ["product", "current__wiki__product"]
    list_filter = ["language"]
    search_fields = ["product__name"]

    def view_on_site(self, obj: Wiki) -> str:
        return reverse("web:wiki_index", args=[obj.product.name])


@admin.register(Version)
class VersionAdmin(ReadOnly, ModelAdmin):
    list_display = [
        *("number", "pages", "writer", "cause", "created_at", "cost", "is_pinned"),
    ]
    list_select_related = ["wiki__product"]
    list_filter = ["is_pinned", "wiki__product", "writer"]
    search_fields = ["wiki__product__name", "cause"]
    date_hierarchy = "created_at"
    actions = ["pin", "unpin"]

    @display(description=gettext_lazy("Wiki"), ordering="wiki__product__name")
    def pages(self, version: Version) -> SafeString:
        """Lead to what readers see."""
        return page_link(version.wiki, "web:wiki_index", version.wiki.product.name)

    @admin.action(description=gettext_lazy("Pin"))
    def pin(self, request: HttpRequest, queryset: QuerySet[Version]) -> None:
        queryset.update(is_pinned=True)

    @admin.action(description=gettext_lazy("Unpin"))
    def unpin(self, request: HttpRequest, queryset: QuerySet[Version]) -> None:
        queryset.update(is_pinned=False)


@admin.register(Note)
class NoteAdmin(ModelAdmin):
    list_display = ["wiki", "page_path", "author", "updated_at"]
    list_select_related = ["wiki__product", "author"]
    search_fields = ["page_path", "text"]


@admin.register(Feedback)
class FeedbackAdmin(ModelAdmin):
    list_display = [
        *("wiki", "version", "page_path", "remark", "author"),
        *("created_at", "resolved_at"),
    ]
    list_select_related = ["wiki__product", "author"]
    list_filter = ["wiki__product", "resolved_at"]
    search_fields = ["page_path", "paragraph", "remark"]
