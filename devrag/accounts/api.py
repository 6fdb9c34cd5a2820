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
from devrag.accounts.passkeys import (
    PasskeySite,
    begin_passkey,
    begin_passkey_sign_in,
    finish_passkey,
    has_passkeys,
    list_passkeys,
    passkey_site,
    remove_passkey,
    rename_passkey,
    take_passkey,
)
from devrag.accounts.password_reset import (
    is_reset_possible,
    request_reset_links,
    reset_password,
    user_of_link,
)
from devrag.accounts.people import (
    INSTALLATION_ROLES,
    change_person,
    list_people,
    make_password_link,
    reset_second_step,
    role_of,
    set_active,
)
from devrag.accounts.second_factor import (
    begin_second_factor,
    confirm_second_factor,
    count_recovery_codes,
    has_app,
    has_second_factor,
    pending_secret,
    remove_second_factor,
    renew_recovery_codes,
    take_code,
)
from devrag.accounts.second_step import pending_second_step
from devrag.accounts.totp import totp_address

__all__ = [
    "COOKIE",
    "INSTALLATION_ROLES",
    "MOST_SECONDS",
    "Begun",
    "Configuration",
    "PasskeySite",
    "ProviderFailed",
    "SignInRefused",
    "accept_for",
    "accept_with_password",
    "begin",
    "begin_passkey",
    "begin_passkey_sign_in",
    "begin_second_factor",
    "change_person",
    "configured_provider",
    "confirm_second_factor",
    "count_recovery_codes",
    "create_invitation",
    "finish",
    "finish_passkey",
    "has_app",
    "has_passkeys",
    "has_second_factor",
    "is_reset_possible",
    "link_identity",
    "linked_identity",
    "list_invitations",
    "list_passkeys",
    "list_people",
    "make_password_link",
    "open_invitation",
    "passkey_site",
    "pending_second_step",
    "pending_secret",
    "remove_passkey",
    "remove_second_factor",
    "rename_passkey",
    "renew_recovery_codes",
    "request_reset_links",
    "reset_password",
    "reset_second_step",
    "resume",
    "revoke_invitation",
    "role_of",
    "set_active",
    "sign_in_user",
    "take_code",
    "take_passkey",
    "totp_address",
    "unlink_identity",
    "user_of_link",
]
