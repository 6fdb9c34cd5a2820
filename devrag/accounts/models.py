"""What belongs to accounts beside Django's own: whom a provider knows them as."""

from __future__ import annotations

from django.conf import settings
from django.db import models


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
        verbose_name_plural = "external identities"
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
