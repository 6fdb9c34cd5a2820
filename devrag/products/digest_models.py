"""The weekly digest of a product: where it goes, and what was sent."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class WeeklyDigest(models.Model):
    """Where a product's digest goes; without a row, or a channel, nowhere.

    target: address and signing secret of a webhook, encrypted. host: its host, which
    may be shown. begins_at: weeks that ended before are not sent.
    """

    class Channel(models.TextChoices):
        OFF = ""
        WEBHOOK = "webhook"
        EMAIL = "email"

    product = models.OneToOneField(
        "products.Product", models.CASCADE, primary_key=True, related_name="digest"
    )
    channel = models.CharField(
        max_length=7, choices=Channel, default=Channel.OFF, blank=True
    )
    recipients = ArrayField(models.TextField(), default=list, blank=True)
    target = models.BinaryField(null=True, editable=False)
    host = models.TextField(blank=True)
    begins_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.product_id}: {self.channel or 'off'}"


class DigestDelivery(models.Model):
    """The digest of one week: one row, so that it is sent once.

    week: the Monday on which it began. body: what is sent, once it was put together.
    sending: a process is at it, since claimed_at; when that ends in between, nobody
    knows whether the digest arrived, and it is unconfirmed: not sent again unless
    somebody asks. next_try_at: of a pending one.
    """

    class State(models.TextChoices):
        PENDING = "pending"
        SENDING = "sending"
        SENT = "sent"
        EMPTY = "empty"  # nothing to tell
        FAILED = "failed"
        UNCONFIRMED = "unconfirmed"

    product = models.ForeignKey(
        "products.Product",
        models.CASCADE,
        related_name="digest_deliveries",
        db_index=False,
    )
    week = models.DateField()
    state = models.CharField(max_length=11, choices=State, default=State.PENDING)
    body = models.JSONField(null=True)
    attempts = models.IntegerField(default=0)
    next_try_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["product", "week"], name="one_digest_per_week"
            )
        ]
        indexes = [
            models.Index(fields=["state", "next_try_at"], name="digests_by_next_try")
        ]

    def __str__(self) -> str:
        return f"{self.product_id} {self.week}: {self.state}"
