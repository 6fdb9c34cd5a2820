"""What others use of accounts."""

from __future__ import annotations

from devrag.accounts.errors import ProviderFailed, SignInRefused
from devrag.accounts.oidc.configuration import Configuration, configured_provider
from devrag.accounts.oidc.flow import COOKIE, MOST_SECONDS, Begun, begin, finish, resume
from devrag.accounts.oidc.identities import (
    link_identity,
    linked_identity,
    sign_in_user,
    unlink_identity,
)

__all__ = [
    "COOKIE",
    "MOST_SECONDS",
    "Begun",
    "Configuration",
    "ProviderFailed",
    "SignInRefused",
    "begin",
    "configured_provider",
    "finish",
    "link_identity",
    "linked_identity",
    "resume",
    "sign_in_user",
    "unlink_identity",
]
