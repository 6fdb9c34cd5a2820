"""How `manage.py mcp` shows a server that it runs beside it, and where that is kept.

Imported before Django is set up, and while the web process starts: it knows neither
models nor the SDK, which takes half a second to load.
"""

from __future__ import annotations

from django.conf import settings

from devrag.core.local_operator import sign_local_request

# Where the HTTP application puts the principal of the token.
SCOPE_KEY = "devrag.principal"


def sign_local() -> str:
    """Return a token for one request; who knows SECRET_KEY may do everything anyway."""
    return sign_local_request(settings.SECRET_KEY)
