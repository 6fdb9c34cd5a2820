"""Add an event, in the transaction of what it tells of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import structlog
from django.db import connection

from devrag.audit.actions import ACTIONS
from devrag.audit.context import Entry, Origin, current_origin, os_user
from devrag.audit.models import AuditEvent
from devrag.core.principal import ANONYMOUS, PUBLISHER, SYSTEM, Principal, Role

Kind = AuditEvent.ActorKind
_MAX_TEXT = 300


class Named(Protocol):
    """A product."""

    @property
    def pk(self) -> int: ...
    @property
    def name(self) -> str: ...


class NamedSource(Named, Protocol):
    """A source, of a product."""

    @property
    def product(self) -> Any: ...


def record_event(
    action: str,
    *,
    principal: Principal | None = None,
    product: Named | None = None,
    source: NamedSource | None = None,
    source_id: int | None = None,
    target: str = "",
    details: Mapping[str, Any] | None = None,
) -> None:
    """Record what somebody did. Queries: 1, an insert.

    action: one of ACTIONS. principal: who did it; None or the system itself: whoever
    the request, job or command comes from. product: by default the source's.
    source_id: where only the id of the source is known. target: by default the source's
    name, else the product's. details: small values as JSON; no secrets, no texts of
    questions. Raises RuntimeError outside of a transaction: a change and its event are
    stored together or not at all.
    """
    if action not in ACTIONS:
        raise ValueError(f"There is no action {action!r} in devrag/audit/actions.py.")
    if not connection.in_atomic_block:
        raise RuntimeError(f"{action} has to be recorded within its transaction.")
    if source is not None:
        source_id = source.pk
    product = product or (source.product if source is not None else None)
    named = source or product
    origin = current_origin()
    who = _find_caller(principal, origin)
    AuditEvent.objects.create(
        action=action,
        actor=_name_of(who, origin)[:200],
        actor_kind=_kind_of(who, origin),
        user_name=who.user_name[:150],
        entry=origin.entry,
        address=origin.address,
        request_id=_request_id(origin),
        product_id=product.pk if product else None,
        product_name=product.name[:64] if product else "",
        source_id=source_id,
        target=(target or (named.name if named else ""))[:_MAX_TEXT],
        details=dict(details or {}),
    )


def is_by_person(principal: Principal) -> bool:
    """Return whether somebody asks, not a schedule, a push or the system itself."""
    origin = current_origin()
    kind = _kind_of(_find_caller(principal, origin), origin)
    return kind in (Kind.USER, Kind.TOKEN, Kind.OS_USER)


def _find_caller(principal: Principal | None, origin: Origin) -> Principal:
    """Return who is behind it: what the system does is done for its caller."""
    if principal is None or principal in (SYSTEM, PUBLISHER):
        return origin.caller or SYSTEM
    return principal


def _kind_of(who: Principal, origin: Origin) -> Kind:
    is_operator = who.is_admin and not who.user_name and who.scopes is None
    if is_operator and origin.entry in (Entry.COMMAND, Entry.MCP):
        return Kind.OS_USER
    if _is_not_signed_in(who):
        return Kind.ANONYMOUS
    if who.scopes is not None and who.name.startswith("token "):
        return Kind.TOKEN
    return Kind.USER if who.user_name else Kind.SYSTEM


def _is_not_signed_in(who: Principal) -> bool:
    """Return whether it is nobody known, also where everybody here may read."""
    is_unknown = not who.user_name and who.scopes is None
    return who == ANONYMOUS or (is_unknown and who.role <= Role.VIEWER)


def _name_of(who: Principal, origin: Origin) -> str:
    return os_user() if _kind_of(who, origin) == Kind.OS_USER else who.name


def _request_id(origin: Origin) -> str:
    """Return the id that the log has, so that the two can be joined."""
    bound = structlog.contextvars.get_contextvars().get("request_id", "")
    return (str(bound) or origin.request_id)[:64]
