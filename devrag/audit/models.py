"""AuditEvent: what somebody did, with the names as they were."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models
from django.utils import timezone

from devrag.audit.context import Entry

_REFUSAL = "Audit events are only ever added; retention alone deletes them."


class AppendOnly(models.QuerySet["AuditEvent"]):
    """Rows to add and to read. The database refuses what does not pass here, too."""

    def update(self, **_kwargs: Any) -> NoReturn:
        raise TypeError(_REFUSAL)

    def delete(self) -> NoReturn:
        raise TypeError(_REFUSAL)

    def bulk_update(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise TypeError(_REFUSAL)


class AuditEvent(models.Model):
    """Who did what to what, from where and when.

    Names and ids are copies without foreign keys: an event outlives user, product and
    source. actor: who is shown; user_name: the account behind it, also behind a token.
    target: name of what was changed. source_id: of the source it is about, so that who
    may not see the source does not see the event. details: small values, never secrets
    or texts of questions.
    """

    class ActorKind(models.TextChoices):
        USER = "user"
        TOKEN = "token"  # noqa: S105 - a word
        OS_USER = "os_user"
        SYSTEM = "system"
        ANONYMOUS = "anonymous"

    at = models.DateTimeField(default=timezone.now, db_index=True)
    action = models.CharField(max_length=40)
    actor = models.CharField(max_length=200)
    actor_kind = models.CharField(max_length=10, choices=ActorKind)
    user_name = models.CharField(max_length=150, blank=True)
    entry = models.CharField(max_length=8, choices=Entry)
    address = models.CharField(max_length=45, blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    product_id = models.BigIntegerField(null=True)
    product_name = models.CharField(max_length=64, blank=True)
    source_id = models.BigIntegerField(null=True)
    target = models.CharField(max_length=300, blank=True)
    details = models.JSONField(default=dict)

    objects = AppendOnly.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["product_id", "-id"], name="audit_of_product"),
            models.Index(fields=["user_name", "-id"], name="audit_of_user"),
            models.Index(fields=["action", "-id"], name="audit_of_action"),
        ]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor}"
