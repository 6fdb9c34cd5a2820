"""Who is behind what a job does, for the audit log."""

from __future__ import annotations

from devrag.audit.api import Entry, Origin
from devrag.core.principal import SYSTEM, Principal, Role
from devrag.jobs.models import Job

# Callers of one word that are no users: `use_cases.schedule`.
_NO_USERS = {"schedule"}


def origin_of(job: Job) -> Origin:
    """Return that a job does it, for whoever asked for the job."""
    caller = _requester(job.requested_by)
    return Origin(Entry.JOB, request_id=str(job.pk), caller=caller)


def _requester(name: str) -> Principal:
    """Return whom a name stands for; nothing is allowed by it."""
    if name in ("", SYSTEM.name):
        return SYSTEM
    is_token = name.startswith("token ")
    scopes = frozenset({"read"}) if is_token else None
    is_user = not is_token and " " not in name and name not in _NO_USERS
    user_name = name if is_user else ""
    return Principal(name=name, role=Role.NONE, scopes=scopes, user_name=user_name)
