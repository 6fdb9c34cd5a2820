"""Accounts, passwords and how often somebody may try one."""

from __future__ import annotations

from django.conf import global_settings
from environs import validate

from devrag.accounts.oidc.group_grants import check_groups, read_groups
from devrag.settings.environment import env

AUTHENTICATION_BACKENDS = ["devrag.access.backend.Backend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator")
]
PASSWORD_HASHERS = [
    "devrag.access.hashing.BoundedPBKDF2Hasher",
    *global_settings.PASSWORD_HASHERS[1:],  # what others may have stored
]
ACCOUNT_ADAPTER = "devrag.access.sign_in.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
# Asks for a code after the password; in a package that this adapter does not know.
SECOND_STEP = "devrag.accounts.second_step.SecondStep"
# Attempts per time; access/sign_in.py describes what is counted, "" means no limit.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "5/5m/key,20/5m/ip",
    "login_failed_anywhere": "100/h/key",
    "login": "",  # counts right passwords, too
    "change_password": "5/5m/user",
    "second_step": "5/5m/key",
    "passkey": "20/5m/ip",
    "passkey_challenge": "60/5m/ip",
    "forgot_password": "3/h/key,20/h/ip",
}
# Seconds for which the link of a forgotten password is of use.
PASSWORD_RESET_TIMEOUT = 3600
LOGIN_URL = "web:sign_in"
LOGIN_REDIRECT_URL = "web:dashboard"
# Sign-in by OpenID Connect; none without an issuer and a client.
OIDC_ISSUER = env.str(
    "OIDC_ISSUER", "", validate=validate.Regexp(r"(https?://[^/\s?#@]+[^\s?#]*)?$")
)
OIDC_CLIENT_ID = env.str("OIDC_CLIENT_ID", "")
OIDC_CLIENT_SECRET = env.str("OIDC_CLIENT_SECRET", "")
# What people call the provider; empty: "single sign-on".
OIDC_NAME = env.str("OIDC_NAME", "", validate=validate.Length(max=60))
OIDC_SCOPES = env.str("OIDC_SCOPES", "openid profile email")
OIDC_GROUPS_CLAIM = env.str("OIDC_GROUPS_CLAIM", "groups")
# Group → what it grants.
OIDC_GROUPS = read_groups(env.str("OIDC_GROUPS", "", validate=check_groups))
OIDC_REQUIRE_GROUP = env.bool("OIDC_REQUIRE_GROUP", False)
# Passwords are for local administrators only.
OIDC_ONLY = env.bool("OIDC_ONLY", False) and bool(OIDC_ISSUER and OIDC_CLIENT_ID)
# How long such a session lasts: then the groups are read anew.
OIDC_SESSION_HOURS = env.int("OIDC_SESSION_HOURS", 24, validate=validate.Range(1, 8760))
