"""API tokens, what people prefer, and where they are signed in."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.models import Session
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

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
        verbose_name=gettext_lazy("limited to products"),
        help_text=gettext_lazy(
            "Only the products below, even if none of them is left."
        ),
    )
    products = models.ManyToManyField(
        Product,
        blank=True,
        help_text=gettext_lazy("Leave empty for all products that the owner can see."),
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    is_revoked = models.BooleanField(default=False)

    class Meta:
        verbose_name = gettext_lazy("API token")
        verbose_name_plural = gettext_lazy("API tokens")
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


class Preferences(models.Model):
    """How a user reads the pages. Empty fields: as the browser asks for."""

    class Theme(models.TextChoices):
        SYSTEM = "system"
        LIGHT = "light"
        DARK = "dark"

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True
    )
    language = models.CharField(max_length=16, blank=True)
    theme = models.CharField(max_length=8, choices=Theme, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"Preferences of {self.user}"


class SignedInSession(models.Model):
    """A session of a user: browser, address and when it was last used."""

    # A session may end while its use is noted; the row is deleted with the session.
    session = models.OneToOneField(
        Session, models.CASCADE, db_constraint=False, related_name="signed_in"
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    user_agent = models.CharField(max_length=300, blank=True)
    address = models.CharField(max_length=45)
    signed_in_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField()

    class Meta:
        ordering = ["-last_seen_at"]

    def __str__(self) -> str:
        return f"{self.user} from {self.address}"
