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
    prefix, _, rest = text.partition(".")
    moment = rest.partition(".")[0]
    if prefix != _PREFIX or not (moment.isascii() and moment.isdigit()):
        return False
    is_recent = abs(time.time() - int(moment)) <= _SECONDS
    made = [_signature(text, key) for key in keys]
    is_ours = any(hmac.compare_digest(each, signature) for each in made)
    return is_recent and is_ours


def _signature(text: str, key: str) -> str:
    made_for_this = hmac.digest(key.encode(), _PURPOSE, hashlib.sha256)
    return hmac.new(made_for_this, text.encode(), hashlib.sha256).hexdigest()
