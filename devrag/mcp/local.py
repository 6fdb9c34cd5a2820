"""How `manage.py mcp` shows a server that it runs beside it: by the shared secret.

Imported before Django is set up, and while the web process starts: it knows neither
models nor the SDK, which takes half a second to load.
"""

from __future__ import annotations

from django.core import signing

from devrag.core.principal import Principal, Role

# Whoever may start a process here may read everything here.
LOCAL_OPERATOR = Principal(name="local operator", role=Role.ADMIN)
# Where the HTTP application puts the principal of the token.
SCOPE_KEY = "devrag.principal"
LOCAL_SALT = "devrag.mcp.local"
# Each request signs anew.
LOCAL_SECONDS = 60


def sign_local() -> str:
    """Return a token for one request; who knows SECRET_KEY may do everything anyway."""
    return signing.dumps("local operator", salt=LOCAL_SALT)
