"""Users and API tokens in the admin; a token's secret is never here."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from devrag.access.models import ApiToken

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
        "prefix",
        "scopes",
        "expires_at",
        "last_used_at",
        "is_revoked",
    ]
    list_filter = ["is_revoked"]
    search_fields = ["name", "prefix"]
    readonly_fields = ["prefix", "created_at", "last_used_at"]
    exclude = ["sha256"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Tokens are made where their secret can be shown once: `devrag token`."""
        return False
