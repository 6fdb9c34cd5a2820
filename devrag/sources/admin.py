"""Versions, refs, files and chunks in the admin: to look at, the engine writes them.

The tables of files and chunks may hold millions of rows: every filter and search here
has an index, and nothing counts or sorts all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin
from unfold.decorators import display

from devrag.core.admin import Huge, Kept, page_link
from devrag.sources.chunk_keys import split_chunk_key
from devrag.sources.models import Chunk, File, GitRef, RefFile, Snapshot


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


_CHUNKS_SHOWN = 200
# Of so many files whose paths begin alike the chunks are listed.
_FILES_SEARCHED = 500


class _OfSource(admin.SimpleListFilter):
    """A column of files that has an index within a source only."""

    def has_output(self) -> bool:
        return self.value() is not None or super().has_output()

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        source = request.GET.get("source__id__exact", "")
        if not source.isdecimal():
            return []
        return [(value, value) for value in self.values(int(source)) if value]

    def values(self, source: int) -> Iterable[str]:
        """Return what the files of a source have in this column."""
        column = str(self.parameter_name)
        rows = File.objects.filter(source=source).order_by(column)
        return rows.values_list(column, flat=True).distinct()

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[File]
    ) -> QuerySet[File]:
        value = self.value()
        return (
            queryset.filter(**{str(self.parameter_name): value}) if value else queryset
        )


class _LanguageFilter(_OfSource):
    title = gettext_lazy("language")
    parameter_name = "language"


class _KindFilter(_OfSource):
    title = gettext_lazy("kind")
    parameter_name = "kind"

    def values(self, source: int) -> Iterable[str]:
        return File.Kind.values


@admin.register(File)
class FileAdmin(Huge, ModelAdmin):
    list_display = [
        *("path", "source", "language", "kind", "size", "lines", "chunk_count"),
        *("is_current", "state", "created_at"),
    ]
    list_display_links = ["path"]
    list_filter = ["source", _LanguageFilter, _KindFilter, "state"]
    ordering = ["-pk"]
    search_fields = ["path"]
    search_help_text = gettext_lazy("Beginning of a path.")
    fields = [
        *("path", "source", "is_current", "state", "digest", "content_hash"),
        *("facts_version", "size", "lines", "language", "mime", "kind", "encoding"),
        *("title", "module", "is_generated", "warnings", "created_at"),
        *("chunk_count", "first_chunks"),
    ]
    readonly_fields = ["is_current", "created_at", "first_chunks"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[File]:
        current = RefFile.objects.filter(
            file=OuterRef("pk"), until=None, ref__is_current=True
        )
        rows: QuerySet[File] = super().get_queryset(request)
        return (
            rows.select_related("source__product")
            .defer("text")
            .annotate(_is_current=Exists(current))
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[File], search_term: str
    ) -> tuple[QuerySet[File], bool]:
        if search_term:
            queryset = queryset.filter(path__startswith=search_term)
        return queryset, False

    def view_on_site(self, obj: File) -> str | None:
        if not obj._is_current:  # type: ignore[attr-defined]  # annotated
            return None
        source = obj.source
        names = [source.product.name, source.name, "current", obj.path]
        return reverse("web:file", args=names)

    @display(description=gettext_lazy("Searched"), boolean=True)
    def is_current(self, file: File) -> bool:
        return bool(file._is_current)  # type: ignore[attr-defined]  # annotated

    @display(description=gettext_lazy("Chunks"))
    def first_chunks(self, file: File) -> SafeString:
        rows = file.chunks.order_by("ordinal").values_list(
            "pk", "ordinal", "kind", "start_line", "end_line", "heading"
        )
        lines = format_html_join(
            "",
            '<li><a href="{}">chunk_{}</a> {} {}–{} {}</li>',
            (
                (reverse("admin:sources_chunk_change", args=[pk]), *others)
                for pk, *others in rows[:_CHUNKS_SHOWN]
            ),
        )
        url = reverse("admin:sources_chunk_changelist")
        return format_html(
            '<ul>{}</ul><p><a href="{}?file__id__exact={}">{}</a></p>',
            *(lines, url, file.pk, gettext_lazy("All chunks of this file")),
        )


@admin.register(Chunk)
class ChunkAdmin(Huge, ModelAdmin):
    list_display = [
        *("chunk_key", "source", "kind", "start_line", "end_line", "tokens"),
        *("heading", "language", "is_dirty"),
    ]
    list_display_links = ["chunk_key"]
    list_filter = ["kind", "is_dirty"]
    ordering = ["file", "ordinal"]
    search_fields = ["file__path"]
    search_help_text = gettext_lazy("Beginning of a path, or a chunk key.")
    fields = [
        *("chunk_key", "file", "kind", "start_line", "end_line", "tokens", "header"),
        *("heading", "title", "depth", "parent_ordinal", "date", "tags", "language"),
        *("is_dirty", "content_hash", "embedded_hash", "text"),
    ]
    readonly_fields = ["chunk_key"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chunk]:
        rows: QuerySet[Chunk] = super().get_queryset(request)
        return rows.select_related("file__source").defer("file__text")

    def lookup_allowed(
        self, lookup: str, value: str, request: HttpRequest | None = None
    ) -> bool:
        return lookup == "file__id__exact" or super().lookup_allowed(
            lookup, value, request
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Chunk], search_term: str
    ) -> tuple[QuerySet[Chunk], bool]:
        if not search_term:
            return queryset, False
        if key := split_chunk_key(search_term):
            path, ordinal = key
            return queryset.filter(file__path=path, ordinal=ordinal), False
        files = File.objects.filter(path__startswith=search_term)
        ids = files.values_list("pk", flat=True)[:_FILES_SEARCHED]
        return queryset.filter(file__in=list(ids)), False

    @display(description=gettext_lazy("Key"))
    def chunk_key(self, chunk: Chunk) -> str:
        return chunk.chunk_key

    @display(description=gettext_lazy("Source"))
    def source(self, chunk: Chunk) -> str:
        return chunk.file.source.name
