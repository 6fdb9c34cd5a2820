"""Names that are taken: refused in words that do not say by what, and not for ever.

Names of products and sources are unique in the instance, so whoever chooses one learns
whether it is free (decision 13). A limit keeps that from becoming a list of them.
"""

from __future__ import annotations

import structlog
from django.core.cache import cache
from django.utils.translation import gettext

from devrag.core.errors import Conflict, DevragError
from devrag.core.principal import Principal

log = structlog.get_logger(__name__)
MAX_REFUSED_NAMES = 20
_PERIOD_SECONDS = 3600


class TooManyNames(DevragError):
    """More names that were taken than anybody tries by accident."""

    code = "rate_limited"
    http_status = 429
    default_permanent = False
    retry_after_seconds = float(_PERIOD_SECONDS)


def refuse_name(name: str, principal: Principal) -> Conflict:
    """Return the refusal of a name; raise TooManyNames to who tried too many.

    Who sees all products is not counted.
    """
    is_limited = principal.product_ids is not None
    if principal.is_admin and not is_limited:
        return _not_available(name)
    key = f"refused-names:{principal.user_id or principal.name}"
    cache.add(key, 0, _PERIOD_SECONDS)
    count = cache.incr(key)
    log.warning("name_refused", name=name[:200], principal=principal.name, count=count)
    if count > MAX_REFUSED_NAMES:
        raise TooManyNames(
            gettext(
                "You tried too many names that are not available. Try again in an hour."
            )
        )
    return _not_available(name)


def _not_available(name: str) -> Conflict:
    text = gettext("The name '%(name)s' is not available. Choose another name.")
    return Conflict(text % {"name": name})
