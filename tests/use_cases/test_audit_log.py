"""Who may read which events, and as which files they go out."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from django.contrib.auth.models import User

from devrag.access.services import create_token, principal_of_token
from devrag.audit.api import EventFilter, record_event
from devrag.audit.models import AuditEvent
from devrag.core.errors import InvalidInput, NotFound, PermissionDenied
from devrag.core.principal import ANONYMOUS, SYSTEM, Principal
from devrag.products.models import Membership, SourceLimit
from devrag.use_cases.audit_log import export_events, list_events
from tests.people import People, make_people, principal

ALL = EventFilter()


def _seen(caller: Principal, wanted: EventFilter = ALL) -> set[tuple[str, str]]:
    rows = list_events(caller, wanted)
    return {(row.action, row.target) for row in rows if row.action[:5] != "user."}


@pytest.fixture
def told(people: People) -> People:
    """An event of each product, of a source, and of nobody's product."""
    record_event("product.changed", product=people.teahouse)
    record_event("product.changed", product=people.market)
    record_event("source.changed", source=people.source)
    record_event("backup.written")
    return people


def test_an_administrator_reads_everything(told: People, admin_user: User) -> None:
    seen = _seen(principal(admin_user))
    assert {name for _, name in seen} == {"teahouse", "market", "teahouse-code", ""}


def test_a_maintainer_reads_what_is_of_their_products(told: People) -> None:
    seen = {("product.changed", "teahouse"), ("source.changed", "teahouse-code")}
    assert _seen(principal(told.alice)) == seen
    assert _seen(principal(told.alice), EventFilter(product="teahouse")) == seen


def test_others_read_nothing(told: People) -> None:
    for caller in (principal(told.bob), principal(told.charlie), ANONYMOUS):
        with pytest.raises(PermissionDenied):
            list_events(caller, ALL)
    with pytest.raises(PermissionDenied):
        list_events(principal(told.bob), EventFilter(product="teahouse"))
    with pytest.raises(NotFound):
        list_events(principal(told.charlie), EventFilter(product="teahouse"))


def _by_token(*scopes: str, **limits: Any) -> Principal:
    _, secret = create_token(name="t", scopes=scopes, **limits)
    found = principal_of_token(secret)
    assert found is not None
    return found


def test_a_token_needs_the_scope_and_keeps_its_limits(told: People) -> None:
    with pytest.raises(PermissionDenied):
        list_events(_by_token("read", "index", "wiki", user=told.alice), ALL)
    limited = _by_token("admin", products=[told.market])
    assert _seen(limited) == {("product.changed", "market")}


def test_a_source_that_is_hidden_has_no_events(told: People) -> None:
    other = User.objects.create_user("dora")
    Membership.objects.create(product=told.teahouse, user=other, role="maintainer")
    limit = SourceLimit.objects.create(product=told.teahouse, source_id=told.source.pk)
    limit.members.set([told.alice])
    assert ("source.changed", "teahouse-code") in _seen(principal(told.alice))
    assert _seen(principal(other)) == {("product.changed", "teahouse")}


def test_filters_narrow(told: People) -> None:
    first = AuditEvent.objects.filter(action="product.changed").earliest("pk")
    for wanted, count in (
        (EventFilter(action="product.changed"), 2),
        (EventFilter(action="product"), 2),
        (EventFilter(product="market"), 1),
        (EventFilter(person="nobody"), 0),
        (EventFilter(person=first.actor, action="backup"), 1),
        (EventFilter(until=first.at), 0),
        (EventFilter(since=first.at, action="product"), 2),
    ):
        rows = list_events(SYSTEM, wanted).exclude(action__startswith="user.")
        assert rows.count() == count, wanted


def test_another_format_is_refused(told: People) -> None:
    with pytest.raises(InvalidInput, match="csv or jsonl"):
        export_events(principal=SYSTEM, wanted=ALL, kind="xml")


@pytest.mark.django_db(transaction=True)
def test_files_hold_every_event_and_no_formula() -> None:
    people = make_people()
    Membership.objects.all().delete()
    people.alice.username = "=HYPERLINK(1)"
    people.alice.save()
    text = _read(export_events(principal=SYSTEM, wanted=ALL, kind="csv"))
    rows = list(csv.DictReader(io.StringIO(text)))
    # The export itself is an event, and in the file.
    assert len(rows) == AuditEvent.objects.count()
    assert rows[0]["action"] == "audit.exported"
    assert "'=HYPERLINK(1)" in {row["target"] for row in rows}
    lines = _read(export_events(principal=SYSTEM, wanted=ALL, kind="jsonl"))
    found = [json.loads(line) for line in lines.splitlines()]
    assert len(found) == AuditEvent.objects.count()
    assert "=HYPERLINK(1)" in {row["target"] for row in found}


def _read(parts: AsyncIterator[bytes]) -> str:
    async def read() -> bytes:
        return b"".join([part async for part in parts])

    return asyncio.run(read()).decode()
