"""Accounts, passwords and how often somebody may try one."""

from __future__ import annotations

from django.conf import global_settings

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
# Attempts per time; access/sign_in.py describes what is counted, "" means no limit.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "5/5m/key,20/5m/ip",
    "login_failed_anywhere": "100/h/key",
    "login": "",  # counts right passwords, too
    "change_password": "5/5m/user",
}
LOGIN_URL = "web:sign_in"
LOGIN_REDIRECT_URL = "web:dashboard"
