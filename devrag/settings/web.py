"""The server's address, secrets, cookies and headers."""

from __future__ import annotations

import os

from environs import validate

from devrag.core.generated_secrets import read_or_create_secret
from devrag.core.key_files import read_keys
from devrag.core.service_urls import check_networks
from devrag.settings.environment import DEVRAG_HOME, empty_or_long, env, not_negative
from devrag.settings.services import IS_EMBEDDED_DATABASE

HTTP_HOST = env.str("HTTP_HOST", "127.0.0.1")
HTTP_PORT = env.int(
    "DEVRAG_PORT" if "DEVRAG_PORT" in os.environ else "HTTP_PORT",
    8080,
    validate=validate.Range(1, 65535),
)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])
# Addresses and networks of reverse proxies; X-Forwarded-For is used only from them.
TRUSTED_PROXIES: list[str] = env.list("TRUSTED_PROXIES", [], validate=check_networks)
# Reading without sign-in is for one person on their own machine.
IS_OPEN_READING = env.bool("OPEN_READING", IS_EMBEDDED_DATABASE)
SECRET_KEY = env.str("SECRET_KEY", "")
# Former keys, which still verify sessions and signed links (rotation).
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", [])
# The file that holds them instead.
SECRET_KEY_FILE = (
    DEVRAG_HOME / "run" / "secret_key"
    if IS_EMBEDDED_DATABASE and not SECRET_KEY
    else None
)
if SECRET_KEY_FILE is not None:
    read_or_create_secret(SECRET_KEY_FILE)
    SECRET_KEY, *_former_keys = read_keys(SECRET_KEY_FILE)
    SECRET_KEY_FALLBACKS = [*_former_keys, *SECRET_KEY_FALLBACKS]
elif not SECRET_KEY:
    SECRET_KEY = env.str("SECRET_KEY", validate=validate.Length(min=1))
# Encrypt the credentials of sources: the first writes, all read (rotation).
CREDENTIALS_KEYS: list[str] = env.list("CREDENTIALS_KEYS", [])
# The file that holds them instead, which a rotation changes while processes run.
CREDENTIALS_KEYS_FILE = (
    DEVRAG_HOME / "run" / "credentials_key"
    if IS_EMBEDDED_DATABASE and not CREDENTIALS_KEYS
    else None
)
if CREDENTIALS_KEYS_FILE is not None:
    read_or_create_secret(CREDENTIALS_KEYS_FILE)
    CREDENTIALS_KEYS = read_keys(CREDENTIALS_KEYS_FILE)
# What `backup --encrypt` and `restore` use where nobody types a passphrase.
BACKUP_PASSPHRASE = env.str("BACKUP_PASSPHRASE", "")
# What Prometheus sends; "": only the machine itself and administrators' tokens.
METRICS_TOKEN = env.str("METRICS_TOKEN", "", validate=empty_or_long)
IS_HTTPS = env.bool("HTTPS", not IS_EMBEDDED_DATABASE)
SESSION_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(health|ready|metrics)$"]
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS
SECURE_HSTS_PRELOAD = IS_HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_HTTPS else None
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000  # as http_server.body_limit
FILE_UPLOAD_HANDLERS = ["devrag.core.upload_handler.UnnamedFileHandler"]
UPLOAD_TEMP_DIR = DEVRAG_HOME / "tmp"
API_RATE_PER_MINUTE = env.int("API_RATE_PER_MINUTE", 1200, validate=not_negative)
LANGUAGE_COOKIE_AGE = 31_536_000
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = IS_HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        # Diagrams are drawn in a sandboxed frame and shown as images (decision 5).
        "img-src": ["'self'", "data:", "blob:"],
        "frame-src": ["'self'"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    },
}
