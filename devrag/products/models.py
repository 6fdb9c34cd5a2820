"""Product and Membership: what people see as one thing, and who belongs to it."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy

from devrag.products.digest_models import DigestDelivery, WeeklyDigest
from devrag.products.querysets import LiveProducts, ProductQuerySet

__all__ = [
    "NAME_PATTERN",
    "DigestDelivery",
    "Membership",
    "Product",
    "SourceLimit",
    "Visibility",
    "WeeklyDigest",
]

# A product's name is also a directory name and part of URLs.
NAME_PATTERN = r"^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$"


class Visibility(models.TextChoices):
    """Who may read a product besides its members and administrators."""

    EVERYONE = "everyone", "Everyone who may read this instance"
    MEMBERS = "members", "Members only"


class Product(models.Model):
    """A unit of several sources with one index and one wiki.

    source_roots: real paths of folders below which its maintainers may add folders;
    is_ssh_key_allowed: whether their sources may use the installation's SSH key.
    is_deleting: a job removes it in portions; `objects` does not see it any more.
    """

    name = models.CharField(
        max_length=64,
        unique=True,
        validators=[
            RegexValidator(
                NAME_PATTERN,
                "Use lower-case letters, digits, '.', '_' and '-' (at most 64, "
                "beginning and ending with a letter or digit).",
            )
        ],
    )
    title = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    visibility = models.CharField(
        max_length=16, choices=Visibility, default=Visibility.EVERYONE
    )
    wiki_settings = models.JSONField(default=dict, blank=True)
    is_external_models_allowed = models.BooleanField(
        default=True,
        verbose_name=gettext_lazy("external models allowed"),
        help_text=gettext_lazy(
            "Off: no text of this product is sent to an external model."
        ),
    )
    source_roots = models.JSONField(default=list, blank=True, editable=False)
    is_ssh_key_allowed = models.BooleanField(default=False, editable=False)
    is_deleting = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = LiveProducts()
    everything = ProductQuerySet.as_manager()

    class Meta:
        verbose_name = gettext_lazy("product")
        verbose_name_plural = gettext_lazy("products")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.title or self.name


class Membership(models.Model):
    """A user's role in one product.

    group_role: the role, where groups of the sign-in provider gave it; own_role: what
    somebody had given here before, '' where nobody had.
    """

    class Role(models.TextChoices):
        VIEWER = "viewer"
        MAINTAINER = "maintainer"

    product = models.ForeignKey(Product, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=16, choices=Role, default=Role.VIEWER)
    group_role = models.CharField(max_length=16, blank=True, editable=False)
    own_role = models.CharField(max_length=16, blank=True, editable=False)

    class Meta:
        verbose_name = gettext_lazy("member")
        verbose_name_plural = gettext_lazy("members")
        constraints = [
            models.UniqueConstraint(
                fields=["product", "user"], name="one_membership_per_user"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.product} as {self.role}"


class SourceLimit(models.Model):
    """A source that only some members of its product may see.

    source_id: there is no foreign key, for sources build upon products; that of a
    deleted source means nothing, ids are not used again. members: who may see it, as
    long as they may read the product; administrators may as well.
    """

    product = models.ForeignKey(Product, models.CASCADE, related_name="limits")
    source_id = models.BigIntegerField(unique=True)
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, related_name="limited_sources", blank=True
    )

    def __str__(self) -> str:
        return f"source {self.source_id} of {self.product}"
