"""ApiToken: a hashed secret with scopes, product limits and an expiry."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from devrag.products.models import Product


class ApiToken(models.Model):
    """A Bearer token. Only its prefix and SHA-256 are kept; it is shown once."""

    class Scope(models.TextChoices):
        READ = "read"
        INDEX = "index"
        WIKI = "wiki"
        ADMIN = "admin"

    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=16, db_index=True)
    sha256 = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=8, choices=Scope), default=list)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True
    )
    is_limited = models.BooleanField(
        default=False,
        verbose_name="limited to products",
        help_text="Only the products below, also when none of them is left.",
    )
    products = models.ManyToManyField(
        Product,
        blank=True,
        help_text="Empty and not limited: all products the owner may see.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    is_revoked = models.BooleanField(default=False)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def state(self) -> str:
        """Return whether it is active, expired or revoked."""
        if self.is_revoked:
            return "revoked"
        is_over = self.expires_at is not None and self.expires_at <= timezone.now()
        return "expired" if is_over else "active"
