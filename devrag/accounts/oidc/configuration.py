"""What the settings say of the OpenID provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext


@dataclass(frozen=True, slots=True)
class Configuration:
    """client_secret: empty for a public client. is_only: passwords are for local
    administrators.
    """

    issuer: str
    client_id: str
    client_secret: str
    name: str
    scopes: str
    groups_claim: str
    groups: Mapping[str, list[str]]
    is_group_required: bool
    is_only: bool
    session_seconds: int


def configured_provider() -> Configuration | None:
    """Return the provider's configuration; None where none is set."""
    if not (settings.OIDC_ISSUER and settings.OIDC_CLIENT_ID):
        return None
    return Configuration(
        issuer=settings.OIDC_ISSUER,
        client_id=settings.OIDC_CLIENT_ID,
        client_secret=settings.OIDC_CLIENT_SECRET,
        name=settings.OIDC_NAME or gettext("single sign-on"),
        scopes=settings.OIDC_SCOPES,
        groups_claim=settings.OIDC_GROUPS_CLAIM,
        groups=settings.OIDC_GROUPS,
        is_group_required=settings.OIDC_REQUIRE_GROUP,
        is_only=settings.OIDC_ONLY,
        session_seconds=settings.OIDC_SESSION_HOURS * 3600,
    )
