"""Wikis in the admin: versions, notes and readers' remarks."""

from __future__ import annotations

from django.contrib import admin
from unfold.admin import ModelAdmin

from devrag.wiki.models import Feedback, Note, Version, Wiki


@admin.register(Wiki)
class WikiAdmin(ModelAdmin):
    list_display = ["product", "language", "current"]
    list_select_related = ["product", "current"]


@admin.register(Version)
class VersionAdmin(ModelAdmin):
    list_display = ["wiki", "number", "writer", "created_at", "cost", "is_pinned"]
    list_select_related = ["wiki__product"]
    list_filter = ["is_pinned"]


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
