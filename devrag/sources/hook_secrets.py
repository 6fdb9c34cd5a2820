"""The secret that a git host signs its push hooks with: one per source, shown once."""

from __future__ import annotations

import base64
import secrets

from devrag.core.principal import Principal
from devrag.sources.credentials import HOOK_SECRET, load_credentials, store_credentials
from devrag.sources.models import Source
from devrag.sources.selectors import check_may_change

PREFIX = "whsec_"


def renew_hook_secret(*, principal: Principal, source: Source) -> str:
    """Store a new secret and return it, the only time; the one before ends at once."""
    check_may_change(principal, source)
    # The form of Standard Webhooks, which GitLab's signing tokens want. For all other
    # schemes it is a text like any other.
    secret = PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()
    store_credentials(source=source, changes={HOOK_SECRET: secret})
    return secret


def load_hook_secret(source: Source) -> str:
    """Return the secret, '' when the source has none."""
    return load_credentials(source).get(HOOK_SECRET, "")
