"""How `manage.py mcp` shows a server that it runs beside it: by the shared secret.

Imported before Django is set up: it knows neither models nor the SDK.
"""

from __future__ import annotations

from django.core import signing

LOCAL_SALT = "devrag.mcp.local"
# Each request signs anew.
LOCAL_SECONDS = 60


def sign_local() -> str:
    """Return a token for one request; who knows SECRET_KEY may do everything anyway."""
    return signing.dumps("local operator", salt=LOCAL_SALT)
