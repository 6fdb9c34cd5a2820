"""The server that sends e-mail, and the address of pages that links in it lead to."""

from __future__ import annotations

from environs import validate

from devrag.settings.environment import env
from devrag.settings.web import HTTP_HOST, HTTP_PORT, IS_HTTPS

# Empty: no e-mail is sent.
EMAIL_HOST = env.str("EMAIL_HOST", "")
EMAIL_PORT = env.int("EMAIL_PORT", 25, validate=validate.Range(1, 65535))
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.str("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = env.bool("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", "devrag@localhost")
_SCHEME = "https" if IS_HTTPS else "http"
PUBLIC_URL = (
    env.str("PUBLIC_URL", "") or f"{_SCHEME}://{HTTP_HOST}:{HTTP_PORT}"
).rstrip("/")
