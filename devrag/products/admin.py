"""Products and their members in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline

from devrag.products.models import Membership, Product


class MembershipInline(TabularInline):
    model = Membership
    extra = 0
    autocomplete_fields = ["user"]


@admin.register(Product)
class ProductAdmin(ModelAdmin):
    list_display = ["name", "title", "visibility", "is_external_models_allowed"]
    list_filter = ["visibility", "is_external_models_allowed"]
    search_fields = ["name", "title", "description"]
    inlines = [MembershipInline]

    def has_delete_permission(
        self, request: HttpRequest, obj: Product | None = None
    ) -> bool:
        """A product is deleted in portions by a job, from its page."""
        return False
