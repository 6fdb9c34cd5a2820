"""Users and API tokens in the admin; a token's secret is never here."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin
from unfold.decorators import display
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from devrag.access.models import ApiToken
from devrag.access.services import revoke_token
from devrag.core.admin import STATE_COLOURS, act_on_each

admin.site.unregister(EmailAddress)  # nothing here uses e-mail
admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class UserAdmin(DjangoUserAdmin, ModelAdmin):
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, ModelAdmin):
    pass


@admin.register(ApiToken)
class ApiTokenAdmin(ModelAdmin):
    list_display = [
        "name",
        "user",
        "shown_prefix",
        "shown_scopes",
        "limits",
        "state",
        "expires_at",
        "last_used_at",
    ]
    list_filter = ["is_revoked", "user", "products"]
    list_select_related = ["user"]
    search_fields = ["name", "prefix", "user__username"]
    readonly_fields = ["prefix", "created_at", "last_used_at"]
    exclude = ["sha256"]
    autocomplete_fields = ["user", "products"]
    actions = ["revoke"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiToken]:
        return super().get_queryset(request).prefetch_related("products")

    @display(description=gettext_lazy("Prefix"), ordering="prefix")
    def shown_prefix(self, token: ApiToken) -> str:
        return f"{token.prefix}…"

    @display(description=gettext_lazy("Scopes"))
    def shown_scopes(self, token: ApiToken) -> str:
        return ", ".join(token.scopes)

    @display(description=gettext_lazy("Only in"))
    def limits(self, token: ApiToken) -> str:
        names = [product.name for product in token.products.all()]
        return ", ".join(names) or ("–" if token.is_limited else "")

    @display(description=gettext_lazy("State"), label=STATE_COLOURS)
    def state(self, token: ApiToken) -> str:
        return token.state

    @admin.action(description=gettext_lazy("Revoke"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        act_on_each(request, queryset, lambda token: revoke_token(prefix=token.prefix))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Tokens are made where their secret can be shown once."""
        return False
