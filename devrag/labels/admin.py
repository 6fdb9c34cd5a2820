"""Labels in the admin: the vocabularies of products, and what people corrected."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin
from unfold.decorators import display

from devrag.core.admin import Kept, ReadOnly, page_link
from devrag.labels.models import Label, LabelCorrection


@admin.register(Label)
class LabelAdmin(Kept, ModelAdmin):
    """Changed on the product's page, where files are labelled anew as well."""

    list_display = ["name", "pages", "kind", "files", "is_removed"]
    list_select_related = ["product"]
    list_filter = ["kind", "is_removed", "product"]
    search_fields = ["name", "description", "product__name"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Label]:
        return super().get_queryset(request).annotate(files=Count("file_labels"))

    @display(description=gettext_lazy("Product"), ordering="product__name")
    def pages(self, label: Label) -> SafeString:
        """Lead to where it is changed."""
        return page_link(label.product, "web:labels", label.product.name)

    @display(description=gettext_lazy("File versions"), ordering="files")
    def files(self, label: Label) -> int:
        return label.files  # type: ignore[attr-defined]  # annotated


@admin.register(LabelCorrection)
class LabelCorrectionAdmin(ReadOnly, ModelAdmin):
    """Deleting one lets rules and meaning decide at the file's next version."""

    list_display = [
        *("path", "source", "label", "is_assigned", "author_name", "updated_at"),
    ]
    list_select_related = ["source", "label"]
    list_filter = ["is_assigned", "source__product"]
    search_fields = ["path", "author_name", "label__name"]
    date_hierarchy = "updated_at"
