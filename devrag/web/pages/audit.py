"""A page of the audit log, for administrators and for maintainers of a product."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext, gettext_noop

from devrag.audit.api import EventFilter, list_actions, name_action
from devrag.audit.models import AuditEvent
from devrag.core.principal import Principal
from devrag.use_cases.api import list_events
from devrag.web.pages.audit_details import describe_details

PAGE_SIZE = 50
_ENTRIES = {
    "web": gettext_noop("Browser"),
    "api": gettext_noop("REST"),
    "mcp": gettext_noop("MCP"),
    "command": gettext_noop("Command line"),
    "job": gettext_noop("Job"),
}
_KINDS = {
    "token": gettext_noop("token"),
    "os_user": gettext_noop("operating system user"),
    "system": gettext_noop("system"),
}
_GROUPS = {
    "sign_in": gettext_noop("Sign-in"),
    "session": gettext_noop("Sessions"),
    "user": gettext_noop("Users"),
    "passkey": gettext_noop("Passkeys"),
    "token": gettext_noop("Tokens"),
    "member": gettext_noop("Members"),
    "invitation": gettext_noop("Invitations"),
    "product": gettext_noop("Products"),
    "digest": gettext_noop("Weekly digest"),
    "source": gettext_noop("Sources"),
    "secret": gettext_noop("Masked secrets"),
    "label": gettext_noop("Labels"),
    "wiki": gettext_noop("Wiki"),
    "feedback": gettext_noop("Reported problems"),
    "conflict": gettext_noop("Conflicts"),
    "document": gettext_noop("Outdated documents"),
    "job": gettext_noop("Jobs"),
    "embedding": gettext_noop("Embeddings"),
    "model": gettext_noop("Language model"),
    "credentials": gettext_noop("Encryption"),
    "backup": gettext_noop("Backups"),
    "audit": gettext_noop("Audit log"),
    "admin": gettext_noop("Administration"),
}


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event as it is shown. details: label and value of each."""

    at: datetime
    action: str
    title: str
    actor: str
    actor_kind: str
    entry: str
    address: str
    product: str
    target: str
    details: tuple[tuple[str, str], ...]
    request_id: str
    is_bad: bool


@dataclass(frozen=True, slots=True)
class AuditPage:
    """older: `before` of the next page, 0 on the last one."""

    rows: tuple[EventRow, ...]
    older: int


def get_audit_page(
    principal: Principal, wanted: EventFilter, before: int | None
) -> AuditPage:
    """Return a page of events. Raises what list_events raises. Queries: 1 to 3."""
    events = list_events(principal, wanted)
    if before:
        events = events.filter(pk__lt=before)
    found = list(events[: PAGE_SIZE + 1])
    older = found[PAGE_SIZE - 1].pk if len(found) > PAGE_SIZE else 0
    return AuditPage(tuple(map(_row, found[:PAGE_SIZE])), older)


def action_groups() -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return the actions to choose from: group, what it is called, its actions."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for action, name in list_actions():
        groups.setdefault(action.partition(".")[0], []).append((action, name))
    return [
        (group, gettext(_GROUPS.get(group, group)), actions)
        for group, actions in groups.items()
    ]


def _row(event: AuditEvent) -> EventRow:
    is_anonymous = event.actor_kind == AuditEvent.ActorKind.ANONYMOUS
    return EventRow(
        at=event.at,
        action=event.action,
        title=name_action(event.action),
        actor=gettext("Not signed in") if is_anonymous else event.actor,
        actor_kind=gettext(_KINDS.get(event.actor_kind, ""))
        if not is_anonymous
        else "",
        entry=gettext(_ENTRIES.get(event.entry, event.entry)),
        address=event.address,
        product=event.product_name,
        target=event.target,
        details=tuple(describe_details(event.details)),
        request_id=event.request_id,
        is_bad=event.action in {"sign_in.failed", "sign_in.locked"},
    )
