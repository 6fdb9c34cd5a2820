"""What others use of accounts."""

from __future__ import annotations

from devrag.accounts.errors import ProviderFailed, SignInRefused
from devrag.accounts.invitations import (
    accept_for,
    accept_with_password,
    create_invitation,
    list_invitations,
    open_invitation,
    revoke_invitation,
)
from devrag.accounts.oidc.configuration import Configuration, configured_provider
from devrag.accounts.oidc.flow import COOKIE, MOST_SECONDS, Begun, begin, finish, resume
from devrag.accounts.oidc.identities import (
    link_identity,
    linked_identity,
    sign_in_user,
    unlink_identity,
)
from devrag.accounts.password_reset import (
    is_reset_possible,
    request_reset_links,
    reset_password,
    user_of_link,
)

__all__ = [
    "COOKIE",
    "MOST_SECONDS",
    "Begun",
    "Configuration",
    "ProviderFailed",
    "SignInRefused",
    "accept_for",
    "accept_with_password",
    "begin",
    "configured_provider",
    "create_invitation",
    "finish",
    "is_reset_possible",
    "link_identity",
    "linked_identity",
    "list_invitations",
    "open_invitation",
    "request_reset_links",
    "reset_password",
    "resume",
    "revoke_invitation",
    "sign_in_user",
    "unlink_identity",
    "user_of_link",
]
