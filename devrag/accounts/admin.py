"""What administrators see of other people's ways in, and may take away.

A person who has lost phone and recovery codes signs in again once an administrator has
deleted the second factor.
"""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from devrag.accounts.models import ExternalIdentity, Passkey, SecondFactor
from devrag.accounts.oidc.identities import remove_identity
from devrag.core.admin import ReadOnly


@admin.register(ExternalIdentity)
class ExternalIdentityAdmin(ReadOnly, ModelAdmin):
    list_display = ["user", "email", "subject", "issuer", "last_sign_in_at"]
    list_select_related = ["user"]
    search_fields = ["user__username", "user__email", "subject"]

    def delete_model(self, request: HttpRequest, obj: ExternalIdentity) -> None:
        """Take the roles along that the groups gave."""
        remove_identity(obj)

    def delete_queryset(
        self, request: HttpRequest, queryset: QuerySet[ExternalIdentity]
    ) -> None:
        for identity in queryset:
            remove_identity(identity)


@admin.register(SecondFactor)
class SecondFactorAdmin(ReadOnly, ModelAdmin):
    list_display = ["user", "confirmed_at"]
    list_select_related = ["user"]
    search_fields = ["user__username", "user__email"]
    fields = ["user", "confirmed_at"]


@admin.register(Passkey)
class PasskeyAdmin(ReadOnly, ModelAdmin):
    list_display = ["user", "name", "host", "last_used_at"]
    list_select_related = ["user"]
    search_fields = ["user__username", "user__email"]
    fields = ["user", "name", "host", "created_at", "last_used_at"]
