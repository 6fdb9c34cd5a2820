"""Products and their members in the admin: a change may ask for other vectors."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline

from devrag.products.models import Membership, Product
from devrag.search.semantic.request import request_lacking


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

    def save_model(
        self, request: HttpRequest, obj: Product, form: Any, change: bool
    ) -> None:
        """Let a product that may or must not use external models get its vectors."""
        super().save_model(request, obj, form, change)
        transaction.on_commit(partial(request_lacking, obj))

    def has_delete_permission(
        self, request: HttpRequest, obj: Product | None = None
    ) -> bool:
        """A product is deleted in portions by a job, from its page."""
        return False
