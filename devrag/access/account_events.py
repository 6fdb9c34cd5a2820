"""Accounts in the audit log: signing in and out, and what becomes of users.

By Django's signals, so that each way is recorded: pages, the administration, commands
such as `createsuperuser`, and whatever signs people in later.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import (
    user_logged_in,
    user_logged_out,
    user_login_failed,
)
from django.core.cache import cache
from django.db import transaction
from django.db.models.signals import post_delete, post_save, pre_save
from django.dispatch import receiver

from devrag.access.auth import principal_of_user
from devrag.audit.api import current_origin, record_event

# What is recorded when it changes; of a password, only that it did.
_FIELDS = ("username", "email", "is_active", "is_staff", "is_superuser")
# Somebody who goes on trying while sign-in is locked fills no table.
_LOCKED_SECONDS = 300


@receiver(user_logged_in)
@transaction.atomic
def _signed_in(user: User, **_: Any) -> None:
    name = user.get_username()
    record_event("sign_in.succeeded", principal=principal_of_user(user), target=name)


@receiver(user_logged_out)
@transaction.atomic
def _signed_out(user: User | None, **_: Any) -> None:
    if user is not None:
        record_event(
            "sign_in.ended",
            principal=principal_of_user(user),
            target=user.get_username(),
        )


@receiver(user_login_failed)
def _failed(credentials: dict[str, Any], **_: Any) -> None:
    record_refusal("sign_in.failed", str(credentials.get("username", "")))


@transaction.atomic
def record_refusal(action: str, name: str) -> None:
    """Record an attempt to sign in; those while it is locked once for an address.

    A name that is no account's is left out: it may be a password in the wrong field.
    """
    if action == "sign_in.locked":
        key = f"audit-locked:{current_origin().address}"
        if not cache.add(key, True, _LOCKED_SECONDS):
            return
    is_known = bool(name) and User.objects.filter(username=name).exists()
    details = {"isKnown": is_known}
    record_event(action, target=name if is_known else "", details=details)


@receiver(pre_save, sender=User)
def _remember(instance: User, update_fields: Any = None, **_: Any) -> None:
    """Keep what is stored before a change; each sign-in stores its time."""
    is_told = update_fields is None or {*_FIELDS, "password"} & set(update_fields)
    before = None
    if instance.pk is not None and is_told:
        before = User.objects.filter(pk=instance.pk).first()
    instance._before_save = before  # type: ignore[attr-defined]


@receiver(post_save, sender=User)
@transaction.atomic
def _saved(instance: User, created: bool, **_: Any) -> None:
    name = instance.get_username()
    if created:
        found = {field: getattr(instance, field) for field in _FIELDS[2:]}
        record_event("user.created", target=name, details=found)
        return
    before = getattr(instance, "_before_save", None)
    if before is None:
        return
    changed = {
        field: {"from": getattr(before, field), "to": getattr(instance, field)}
        for field in _FIELDS
        if getattr(before, field) != getattr(instance, field)
    }
    if changed:
        record_event("user.changed", target=name, details=changed)
    if before.password != instance.password:
        record_event("user.password_changed", target=name)


@receiver(post_delete, sender=User)
@transaction.atomic
def _deleted(instance: User, **_: Any) -> None:
    record_event("user.deleted", target=instance.get_username())
