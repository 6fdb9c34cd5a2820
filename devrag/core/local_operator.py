"""Who works on the server's own machine, as a server knows them: by the shared secret.

A command that can read SECRET_KEY may do everything anyway; it signs each request to
the server that runs beside it. Standard library only: commands load nothing else.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable

from devrag.core.principal import Principal, Role

LOCAL_OPERATOR = Principal(name="local operator", role=Role.ADMIN)
_PREFIX, _PURPOSE = "local", b"devrag.core.local_operator"
# Each request is signed anew.
_SECONDS = 60


def sign_local_request(key: str) -> str:
    """Return a Bearer secret for one request, made with the server's SECRET_KEY."""
    text = f"{_PREFIX}.{int(time.time())}.{secrets.token_hex(8)}"
    return f"{text}.{_signature(text, key)}"


def is_local_request(secret: str, keys: Iterable[str]) -> bool:
    """Return whether a Bearer secret was signed with one of the keys a moment ago."""
    text, _, signature = secret.rpartition(".")
    if not text.startswith(f"{_PREFIX}."):
        return False
    # Bytes: what a header holds may be no ASCII, which strings are not compared with.
    given = signature.encode("utf-8", "surrogateescape")
    made = [_signature(text, key).encode() for key in keys]
    if not any(hmac.compare_digest(each, given) for each in made):
        return False
    # Only what was signed here is read.
    moment = int(text.split(".")[1])
    return abs(time.time() - moment) <= _SECONDS


def _signature(text: str, key: str) -> str:
    made_for_this = hmac.digest(key.encode(), _PURPOSE, hashlib.sha256)
    data = text.encode("utf-8", "surrogateescape")
    return hmac.new(made_for_this, data, hashlib.sha256).hexdigest()
