"""Where a user is signed in, and signing out there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext

from devrag.access.models import SignedInSession
from devrag.access.sign_in import client_address
from devrag.audit.api import record_event
from devrag.core.errors import NotFound
from devrag.core.hashing import sha256_hex

log = structlog.get_logger(__name__)
# How exact "last seen" is; nothing is written in between.
_SEEN_SECONDS = 60
_MAX_AGENT = 300
# The first that fits: most browsers also name those that they are like.
_BROWSERS = (
    ("Edge", r"Edg(e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrome/|CriOS/|Chromium/"),
    ("Safari", r"Safari/"),
)
_SYSTEMS = (
    ("Android", r"Android"),
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Windows", r"Windows"),
    ("ChromeOS", r"CrOS"),
    ("macOS", r"Mac OS X|Macintosh"),
    ("Linux", r"Linux|X11"),
)


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A place where a user is signed in. browser, system: empty when unknown."""

    pk: int
    browser: str
    system: str
    address: str
    signed_in_at: datetime
    last_seen_at: datetime
    is_current: bool


def note_session(request: HttpRequest) -> None:
    """Note that a signed-in session is used, at most once a minute. Queries: 0 or 1."""
    key = request.session.session_key
    if not key or not request.user.is_authenticated:
        return
    if not cache.add(f"seen:{sha256_hex(key)}", True, _SEEN_SECONDS):
        return
    row = SignedInSession(
        session_id=key,
        user_id=request.user.pk,
        user_agent=request.headers.get("User-Agent", "")[:_MAX_AGENT],
        address=client_address(request),
        last_seen_at=timezone.now(),
    )
    SignedInSession.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["session"],
        update_fields=["user", "user_agent", "address", "last_seen_at"],
    )


def list_sessions(user_id: int, current_key: str | None) -> list[SessionRow]:
    """Return where a user is signed in: here first, then by last use. Queries: 1."""
    rows = [
        SessionRow(
            each.pk,
            _first_match(_BROWSERS, each.user_agent),
            _first_match(_SYSTEMS, each.user_agent),
            each.address,
            each.signed_in_at,
            each.last_seen_at,
            is_current=each.session_id == current_key,
        )
        for each in _open_sessions(user_id)
    ]
    return sorted(rows, key=lambda row: not row.is_current)


@transaction.atomic
def end_session(*, user_id: int, session_id: int) -> None:
    """Sign out one of a user's sessions; NotFound for those of others."""
    row = _open_sessions(user_id).filter(pk=session_id).first()
    if row is None:
        raise NotFound(gettext("This session has already ended. Reload the page."))
    Session.objects.filter(pk=row.session_id).delete()
    found = {"address": row.address, "count": 1}
    record_event("session.ended", target=row.user.get_username(), details=found)
    log.info("session_ended", user_id=user_id)


@transaction.atomic
def end_other_sessions(*, user_id: int, current_key: str | None) -> int:
    """Sign out all sessions of a user but the current one; return how many."""
    rows = SignedInSession.objects.filter(user_id=user_id)
    others = list(
        rows.exclude(session_id=current_key).values_list("session", flat=True)
    )
    Session.objects.filter(pk__in=others).delete()
    if others:
        name = User.objects.get(pk=user_id).get_username()
        record_event("session.ended", target=name, details={"count": len(others)})
    log.info("other_sessions_ended", user_id=user_id, count=len(others))
    return len(others)


def _open_sessions(user_id: int) -> QuerySet[SignedInSession]:
    rows = SignedInSession.objects.filter(user_id=user_id)
    return rows.filter(session__expire_date__gt=timezone.now())


def _first_match(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for name, found in names if re.search(found, user_agent)), "")
