"""HookDelivery: a push hook that was followed, so that nobody can replay it."""

from __future__ import annotations

from django.db import models

from devrag.sources.models.source import Source


class HookDelivery(models.Model):
    """A push delivery that was received: a repetition of it has no effect.

    digest: SHA-256 of what identifies the delivery among those of its source.
    """

    source = models.ForeignKey(Source, models.CASCADE, related_name="hook_deliveries")
    digest = models.BinaryField(max_length=32)
    received_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        db_table = "hook_deliveries"
        constraints = [
            models.UniqueConstraint(
                fields=["source", "digest"], name="hook_delivery_once"
            )
        ]
