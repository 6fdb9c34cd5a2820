"""Every operation that changes something leaves its events in the audit log.

The operations are those of the description of the interface. A new one that is no GET
needs a line in `RECORDED`: its actions, or the reason why there are none.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.test import Client

from devrag.audit.models import AuditEvent
from devrag.jobs.models import Job
from tests.people import People, bearer

from .operations import OPERATIONS
from .test_hidden import places, send_example

__all__ = ["places"]  # a fixture

_READS = "it reads only"
_ELSEWHERE = "what it needs is in the tests of its service"
_P, _S, _J = "/api/v1/products", "/api/v1/sources", "/api/v1/jobs/{jobID}"
RECORDED: dict[str, set[str] | str] = {
    f"post {_P}": {"product.created", "product.changed"},
    f"post {_P}/wiki": {"wiki.requested"},
    f"patch {_P}/{{productID}}": {"product.changed"},
    f"delete {_P}/{{productID}}": {"product.deleted", "job.cancelled"},
    f"post {_P}/{{productID}}/wiki/pages": _ELSEWHERE,
    f"patch {_P}/{{productID}}/wiki/pages/{{path}}": _ELSEWHERE,
    f"delete {_P}/{{productID}}/wiki/pages/{{path}}": _ELSEWHERE,
    f"patch {_P}/{{productID}}/wiki/versions/{{version}}": {"wiki.version_pinned"},
    f"post {_P}/{{productID}}/wiki/notes": {"wiki.note_added"},
    f"patch {_P}/{{productID}}/wiki/notes/{{noteID}}": {"wiki.note_changed"},
    f"delete {_P}/{{productID}}/wiki/notes/{{noteID}}": {"wiki.note_removed"},
    f"patch {_P}/{{productID}}/conflicts/{{conflictID}}": {
        *("conflict.decided", "wiki.note_added"),
    },
    f"patch {_P}/{{productID}}/outdated-documents/{{documentID}}": {"document.checked"},
    f"patch {_P}/{{productID}}/secrets/{{findingID}}": _ELSEWHERE,
    f"put {_P}/{{productID}}/digest": {"digest.changed"},
    f"post {_P}/{{productID}}/digest/test": _ELSEWHERE,
    f"post {_P}/{{productID}}/digest/retry": _ELSEWHERE,
    f"post {_S}": _ELSEWHERE,
    f"post {_S}/index": {"source.index_requested"},
    f"post {_S}/test": _READS,
    f"post {_S}/{{sourceID}}/test": _READS,
    f"patch {_S}/{{sourceID}}": {"source.changed", "source.scheduled"},
    f"delete {_S}/{{sourceID}}": {"source.deleted"},
    f"post {_S}/{{sourceID}}/hook": {"source.hook_secret_renewed"},
    f"post {_S}/upload": {
        *("product.created", "source.added", "source.index_requested"),
    },
    f"post {_S}/{{sourceID}}/upload": _ELSEWHERE,
    f"post {_P}/{{productID}}/labels": {"label.added"},
    f"patch {_P}/{{productID}}/labels/{{labelID}}": {"label.changed"},
    f"delete {_P}/{{productID}}/labels/{{labelID}}": {"label.removed"},
    f"put {_S}/{{sourceID}}/labels/{{label}}/{{path}}": {"label.corrected"},
    f"delete {_S}/{{sourceID}}/labels/{{label}}/{{path}}": _ELSEWHERE,
    "post /api/v1/search": _READS,
    "post /api/v1/search/related": _READS,
    "post /api/v1/ask": "questions are nobody else's business",
    "post /api/v1/hooks/{kind}/{source}": "a host pushes at any time",
    f"post {_J}/cancel": {"job.cancelled"},
    f"post {_J}/retry": _ELSEWHERE,
    "post /api/v1/tokens": {"token.created"},
    "delete /api/v1/tokens/{tokenID}": {"token.revoked"},
    "put /api/v1/model": {"model.changed"},
    "post /api/v1/model/test": _READS,
}


def test_every_operation_that_is_no_get_has_a_line() -> None:
    writing = {name for name in OPERATIONS if not name.startswith("get ")}
    missing = writing - RECORDED.keys()
    assert not missing, f"{sorted(missing)}: add their actions to RECORDED."
    assert RECORDED.keys() - writing == set()


def test_every_change_is_recorded_with_who_and_from_where(
    client: Client, written: People, places: dict[str, Any], admin_user: Any
) -> None:
    headers = bearer("admin", user=admin_user)
    Job.objects.filter(pk=places["jobID"]).update(kind="index", state="running")
    token = admin_user.apitoken_set.get()
    known = {**places, "tokenID": token.pk}
    wrong = {}
    for name, actions in RECORDED.items():
        if isinstance(actions, str):
            continue
        status, events = _events_of(client, name, known, headers)
        found = {event.action for event in events}
        if status >= 400 or found != actions:
            wrong[name] = (status, found)
        for event in events:
            assert (event.entry, event.user_name) == ("api", "admin"), name
            assert (event.actor_kind, event.address) == ("token", "127.0.0.1"), name
    assert wrong == {}


def _events_of(
    client: Client, name: str, known: dict[str, Any], headers: dict[str, str]
) -> tuple[int, list[AuditEvent]]:
    """Return what an operation answers and records; both are taken back."""
    newest = AuditEvent.objects.latest("pk").pk
    with transaction.atomic():
        answer = send_example(client, name, known, headers)
        events = list(AuditEvent.objects.filter(pk__gt=newest))
        transaction.set_rollback(True)
    return answer.status_code, events


def test_reading_and_testing_leave_none(
    client: Client, written: People, places: dict[str, Any], admin_user: Any
) -> None:
    headers = bearer("admin", user=admin_user)
    known = {**places, "tokenID": 1, "kind": "github", "source": "teahouse-code"}
    gets = [name for name in OPERATIONS if name.startswith("get ")]
    reading = [name for name, actions in RECORDED.items() if actions == _READS]
    for name in [*gets, *reading]:
        events = _events_of(client, name, known, headers)[1]
        # An export of the log is told in the log itself.
        is_export = name == "get /api/v1/audit/export"
        assert [event.action for event in events] == ["audit.exported"] * is_export
