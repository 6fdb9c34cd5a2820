"""What belongs to accounts beside Django's own tables."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from devrag.products.models import Product


class ExternalIdentity(models.Model):
    """An account's counterpart at an OpenID provider.

    subject: never given to somebody else by the issuer, unlike names and addresses.
    gave_administrator, gave_creator: whether the groups, and nobody here, made the user
    one; such rights end with the group.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="external_identities"
    )
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    email = models.EmailField(blank=True)
    gave_administrator = models.BooleanField(default=False, editable=False)
    gave_creator = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    last_sign_in_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = gettext_lazy("linked account")
        verbose_name_plural = gettext_lazy("linked accounts")
        constraints = [
            models.UniqueConstraint(
                fields=["issuer", "subject"], name="one_account_per_subject"
            ),
            models.UniqueConstraint(
                fields=["user", "issuer"], name="one_subject_per_account"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} as {self.subject}"


class Invitation(models.Model):
    """A link that makes one account, or adds a role to one that exists, once.

    Only the SHA-256 of its secret is kept. product: where the role counts; null: in the
    installation. created_by: who answers for it; without them it is of no use.
    """

    class Role(models.TextChoices):
        VIEWER = "viewer"
        MAINTAINER = "maintainer"
        CREATOR = "creator"
        ADMINISTRATOR = "administrator"

    sha256 = models.CharField(max_length=64, unique=True)
    note = models.CharField(max_length=100, blank=True)
    product = models.ForeignKey(
        Product, models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    role = models.CharField(max_length=16, choices=Role, default=Role.VIEWER)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="invitations"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    is_revoked = models.BooleanField(default=False)
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.role} in {self.product or 'the installation'}"

    @property
    def state(self) -> str:
        """Return whether it is open, used, revoked or expired."""
        if self.used_at is not None:
            return "used"
        if self.is_revoked:
            return "revoked"
        return "expired" if self.expires_at <= timezone.now() else "open"


class SecondFactor(models.Model):
    """Codes of an authenticator app (TOTP) that sign-in with a password asks for.

    Also what recovery codes hang on where there are passkeys only.

    secret: encrypted with CREDENTIALS_KEYS; an empty text while there is no app.
    confirmed_at: null until a first code was right; before that nothing asks for one.
    last_counter: of the last code that was
    taken; it and older ones are refused.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="second_factor",
    )
    secret = models.BinaryField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    last_counter = models.BigIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = gettext_lazy("two-step sign-in")
        verbose_name_plural = gettext_lazy("two-step sign-in")

    def __str__(self) -> str:
        return f"Second factor of {self.user}"


class RecoveryCode(models.Model):
    """A code that stands in for the app or a passkey, once. Only its hash is kept."""

    factor = models.ForeignKey(SecondFactor, models.CASCADE, related_name="codes")
    sha256 = models.CharField(max_length=64)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["factor", "sha256"], name="recovery_codes_differ"
            )
        ]

    def __str__(self) -> str:
        return f"Recovery code of {self.factor_id}"


class Passkey(models.Model):
    """A passkey (WebAuthn) of a user: it follows the password, or stands in for it.

    host: where it was made and counts. credential_id, credential: as the authenticator
    gave them, base64url; a public key, no secret. sign_count: of the last use, 0 where
    the authenticator does not count; one that is not higher is refused.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="passkeys"
    )
    name = models.CharField(max_length=60)
    host = models.CharField(max_length=253)
    credential_id = models.CharField(max_length=1400)
    credential = models.TextField()
    sign_count = models.BigIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = gettext_lazy("passkey")
        verbose_name_plural = gettext_lazy("passkeys")
        constraints = [
            models.UniqueConstraint(
                fields=["credential_id"], name="one_row_per_passkey"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"
