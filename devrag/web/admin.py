"""Products, members and sources in the admin, with what one may start from there."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import display

from devrag.access.auth import principal_of_user
from devrag.core.admin import act_on_each, page_link
from devrag.operations.caches import CACHES, clear_cache
from devrag.products.models import Membership, Product
from devrag.search.api import request_lacking
from devrag.sources.models import Source
from devrag.use_cases.api import add_repository, request_index, request_wiki
from devrag.web.admin_forms import NewSourceForm


class MembershipInline(TabularInline):
    model = Membership
    extra = 0
    autocomplete_fields = ["user"]


@admin.register(Membership)
class MembershipAdmin(ModelAdmin):
    list_display = ["user", "product", "role"]
    list_filter = ["role", "product"]
    list_select_related = ["user", "product"]
    search_fields = ["user__username", "product__name"]
    autocomplete_fields = ["user", "product"]

    def view_on_site(self, obj: Membership) -> str:
        return reverse("web:product_settings", args=[obj.product.name])


@admin.register(Product)
class ProductAdmin(ModelAdmin):
    list_display = [
        "name",
        "page",
        "source_count",
        "member_count",
        "visibility",
        "is_external_models_allowed",
        "updated_at",
    ]
    list_filter = ["visibility", "is_external_models_allowed"]
    search_fields = ["name", "title", "description"]
    inlines = [MembershipInline]
    actions = ["index_now", "write_wiki", "clear_cache"]

    def view_on_site(self, obj: Product) -> str:
        return reverse("web:product", args=[obj.name])

    def get_queryset(self, request: HttpRequest) -> QuerySet[Product]:
        counts = {
            "sources_found": Count("sources", distinct=True),
            "members_found": Count("memberships", distinct=True),
        }
        return super().get_queryset(request).annotate(**counts)

    @display(description=gettext_lazy("Page"), ordering="title")
    def page(self, product: Product) -> SafeString:
        return page_link(product, "web:product", product.name)

    @display(description=gettext_lazy("Sources"), ordering="sources_found")
    def source_count(self, product: Product) -> int:
        return int(getattr(product, "sources_found", 0))

    @display(description=gettext_lazy("Members"), ordering="members_found")
    def member_count(self, product: Product) -> int:
        return int(getattr(product, "members_found", 0))

    @admin.action(description=gettext_lazy("Index all sources now"))
    def index_now(self, request: HttpRequest, queryset: QuerySet[Product]) -> None:
        _index(request, Source.objects.filter(product__in=queryset))

    @admin.action(description=gettext_lazy("Generate the wiki"))
    def write_wiki(self, request: HttpRequest, queryset: QuerySet[Product]) -> None:
        caller = principal_of_user(request.user)
        act_on_each(
            request, queryset, lambda each: request_wiki(principal=caller, product=each)
        )

    @admin.action(
        description=gettext_lazy("Clear the caches of this instance"),
        permissions=["clear_cache"],
    )
    def clear_cache(self, request: HttpRequest, queryset: QuerySet[Product]) -> None:
        """Clear what is kept only to be fast, of all products."""
        act_on_each(request, CACHES, clear_cache)

    def has_clear_cache_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

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


@admin.register(Source)
class SourceAdmin(ModelAdmin):
    list_display = [
        "name",
        "product_page",
        "source_type",
        "location",
        "index_every_minutes",
        "next_index_at",
        "index_failures",
    ]
    list_filter = ["source_type", "product"]
    list_select_related = ["product"]
    search_fields = ["name", "metadata__url", "metadata__path"]
    actions = ["index_now"]
    # Addresses are checked when a source is registered, and a path outside
    # SOURCE_ROOTS is for the command line only: neither may be edited in here.
    readonly_fields = [
        *("source_type", "metadata", "host", "index_every_minutes"),
        *("next_index_at", "index_failures", "index_error"),
    ]

    def view_on_site(self, obj: Source) -> str:
        return reverse("web:product", args=[obj.product.name])

    @display(description=gettext_lazy("Product"), ordering="product__name")
    def product_page(self, source: Source) -> SafeString:
        return page_link(source.product, "web:product", source.product.name)

    @admin.action(description=gettext_lazy("Index now"))
    def index_now(self, request: HttpRequest, queryset: QuerySet[Source]) -> None:
        _index(request, queryset)

    def get_form(
        self,
        request: HttpRequest,
        obj: Source | None = None,
        change: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Ask for a new source as its page does, with the same checks."""
        if obj is None:
            return NewSourceForm.for_principal(principal_of_user(request.user))
        return super().get_form(request, obj, change, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Source | None = None) -> Any:
        if obj is None:
            return [(None, {"fields": list(NewSourceForm.base_fields)})]
        return super().get_fieldsets(request, obj)

    def get_readonly_fields(
        self, request: HttpRequest, obj: Source | None = None
    ) -> Any:
        return super().get_readonly_fields(request, obj) if obj else ()

    def save_model(
        self, request: HttpRequest, obj: Source, form: Any, change: bool
    ) -> None:
        """Add a new one as its page does; it is indexed at once."""
        if change:
            super().save_model(request, obj, form, change)
            return
        caller = principal_of_user(request.user)
        job = add_repository(principal=caller, **form.request())
        made = Source.objects.get(name=job.source_name)
        obj.pk, obj.name, obj.product = made.pk, made.name, made.product

    def has_delete_permission(
        self, request: HttpRequest, obj: Source | None = None
    ) -> bool:
        """A source is deleted in portions by a job, from its product's page."""
        return False


def _index(request: HttpRequest, sources: QuerySet[Source]) -> None:
    caller = principal_of_user(request.user)
    act_on_each(
        request, sources, lambda each: request_index(principal=caller, source=each)
    )
