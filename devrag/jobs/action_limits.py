"""How often a person may do what costs money or time elsewhere."""

from __future__ import annotations

from django.utils.translation import ngettext

from devrag.core.errors import Conflict
from devrag.jobs.heartbeat import open_broker


def check_pace(key: str, *, seconds: int) -> None:
    """Raise Conflict when the same was done within so many seconds, on any host."""
    name = f"devrag:pace:{key}"
    with open_broker() as broker:
        if broker.set(name, 1, nx=True, ex=seconds):
            return
        left = max(1, int(broker.ttl(name)))
    raise Conflict(
        ngettext(
            "Too many attempts. Try again in %(seconds)s second.",
            "Too many attempts. Try again in %(seconds)s seconds.",
            left,
        )
        % {"seconds": left}
    )
