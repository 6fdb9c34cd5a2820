"""Whether a request names its sender, before its body is taken in."""

from __future__ import annotations

import io
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.core.handlers.asgi import ASGIRequest
from django.db import connection

from devrag.access.services import principal_of_token
from devrag.core.unavailable import DATABASE_FAILURES


def is_known_sender(scope: Any) -> bool:
    """Return whether the head of an ASGI request has a token or session that counts.

    True while that cannot be found out: the request itself is answered for it then.
    """
    request = ASGIRequest(scope, io.BytesIO())
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    try:
        if scheme.lower() == "bearer":
            return principal_of_token(secret.strip()) is not None
        key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
        return bool(get_user(request).is_authenticated)
    except DATABASE_FAILURES:
        return True
    finally:
        connection.close()
