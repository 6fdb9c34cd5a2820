"""Refuse names that are taken without saying by what, and a limited number of times.

Names of products and sources are unique in the instance, so whoever chooses one learns
whether it is free (decision 13). Without a limit all of them could be found out.
"""

from __future__ import annotations

import structlog
from django.core.cache import cache
from django.utils.translation import gettext

from devrag.core.errors import Conflict, DevragError
from devrag.core.hashing import sha256_hex
from devrag.core.principal import Principal

log = structlog.get_logger(__name__)
MAX_REFUSED_NAMES = 20
_PERIOD_SECONDS = 3600


class TooManyNames(DevragError):
    """A caller tried more names that are taken than anybody would by accident."""

    code = "rate_limited"
    http_status = 429
    default_permanent = False
    retry_after_seconds = float(_PERIOD_SECONDS)


def refuse_name(name: str, principal: Principal) -> Conflict:
    """Return the refusal of a name; raise TooManyNames after too many of them.

    Callers who see all products are not counted.
    """
    is_limited = principal.product_ids is not None
    if principal.is_admin and not is_limited:
        return _not_available(name)
    count = _count_refusal(principal)
    log.warning("name_refused", name=name[:200], principal=principal.name, count=count)
    if count > MAX_REFUSED_NAMES:
        raise TooManyNames(
            gettext("Too many attempts with unavailable names. Try again in an hour.")
        )
    return _not_available(name)


def _count_refusal(principal: Principal) -> int:
    """Return how many names were refused to a caller since the first of an hour."""
    who = sha256_hex(str(principal.user_id or principal.name))
    key = f"refused-names:{who}"
    cache.add(key, 0, _PERIOD_SECONDS)
    try:
        return int(cache.incr(key))
    except ValueError:  # the hour is over just now, or Valkey does not answer any more
        return 1


def _not_available(name: str) -> Conflict:
    text = gettext("The name '%(name)s' is not available. Choose another name.")
    return Conflict(text % {"name": name})
