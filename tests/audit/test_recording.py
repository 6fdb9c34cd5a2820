"""An event has who, what, to what, from where; the database keeps it as it is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from devrag.audit.api import (
    Entry,
    Origin,
    bound_origin,
    delete_old_events,
    old_events,
    record_event,
)
from devrag.audit.context import os_user
from devrag.audit.models import AuditEvent
from devrag.core.principal import SYSTEM
from devrag.products.members import add_member, remove_member
from devrag.products.models import Product
from tests.people import People, bearer, principal


def events(*actions: str) -> list[AuditEvent]:
    return list(AuditEvent.objects.filter(action__in=actions).order_by("pk"))


def test_an_event_names_who_did_what_to_whom(people: People) -> None:
    add_member(
        principal=principal(people.alice),
        product=people.teahouse,
        user_name="charlie",
        role="viewer",
    )
    (event,) = events("member.added")
    assert (event.actor, event.actor_kind, event.user_name) == (
        "alice",
        "user",
        "alice",
    )
    assert (event.product_name, event.target) == ("teahouse", "charlie")
    assert event.details == {"role": "viewer"}


def test_a_change_that_fails_leaves_no_event(people: People) -> None:
    def change_and_fail() -> None:
        with transaction.atomic():
            remove_member(
                principal=principal(people.alice),
                product=people.teahouse,
                member_id=people.bob.memberships.get().pk,
            )
            raise NotImplementedError

    with pytest.raises(NotImplementedError):
        change_and_fail()
    assert people.bob.memberships.exists()
    assert events("member.removed") == []


def test_a_command_is_the_operating_systems_user(people: People) -> None:
    record_event("product.changed", principal=SYSTEM, product=people.market)
    (event,) = events("product.changed")
    assert (event.entry, event.actor_kind) == ("command", "os_user")
    assert event.actor == os_user()
    assert event.request_id


def test_what_the_system_does_for_somebody_is_theirs(people: People) -> None:
    origin = Origin(Entry.WEB, "192.0.2.7", "r1", principal(people.alice))
    with bound_origin(origin):
        record_event("wiki.published", principal=SYSTEM, product=people.teahouse)
    (event,) = events("wiki.published")
    assert (event.actor, event.entry) == ("alice", "web")
    assert (event.address, event.request_id) == ("192.0.2.7", "r1")


def test_a_page_tells_address_and_entry(people: People) -> None:
    client = Client(HTTP_HOST="localhost", REMOTE_ADDR="192.0.2.9")
    client.force_login(people.alice)
    client.post("/p/teahouse/members/", {"user_name": "charlie", "role": "viewer"})
    (event,) = events("member.added")
    assert (event.entry, event.address) == ("web", "192.0.2.9")


def test_a_token_tells_itself_and_its_owner(people: People) -> None:
    headers = bearer("admin", user=people.alice)
    client = Client(HTTP_HOST="localhost", REMOTE_ADDR="192.0.2.9")
    path = f"/api/v1/products/{people.teahouse.pk}"
    client.patch(
        path, {"title": "Tea"}, headers=headers, content_type="application/json"
    )
    (event,) = events("product.changed")
    assert (event.entry, event.actor_kind, event.user_name) == ("api", "token", "alice")
    assert event.actor.startswith("token test (devrag_")
    assert event.details == {"changed": ["title"]}


def test_an_unknown_action_is_a_mistake(people: People) -> None:
    with pytest.raises(ValueError, match=r"actions\.py"):
        record_event("product.painted", product=people.market)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_recorded_outside_of_a_transaction() -> None:
    with pytest.raises(RuntimeError, match="within its transaction"):
        record_event("backup.written")


def test_the_orm_changes_and_deletes_none(people: People) -> None:
    record_event("product.changed", product=people.market)
    event = AuditEvent.objects.latest("pk")
    for refused in (
        AuditEvent.objects.all().delete,
        lambda: AuditEvent.objects.update(actor="nobody"),
        lambda: AuditEvent.objects.bulk_update([event], ["actor"]),
    ):
        with pytest.raises(TypeError, match="only ever added"):
            refused()
    for refused in (event.save, event.delete):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            refused()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_auditevent SET actor = 'nobody'",
        "DELETE FROM audit_auditevent",
        "TRUNCATE audit_auditevent",
    ],
)
def test_the_database_refuses_changes(people: People, statement: str) -> None:
    record_event("product.changed", product=people.market)
    with pytest.raises(IntegrityError, match="append-only"):
        _execute(statement)


def test_retention_cannot_be_a_way_to_delete_young_events(people: People) -> None:
    record_event("product.changed", product=people.market)
    for days in ("1", "0", "-1"):
        with pytest.raises(IntegrityError, match="append-only"):
            _execute(
                "SELECT set_config('devrag.audit_retention_days', %s, true);"
                "DELETE FROM audit_auditevent",
                days,
            )


def _execute(statement: str, *values: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def _age(days: int) -> None:
    """Add an event that happened so long ago."""
    at = timezone.now() - timedelta(days=days)
    AuditEvent.objects.create(
        at=at, action="product.changed", actor="x", actor_kind="user", entry="web"
    )


def test_what_is_older_than_the_setting_goes(db: None, monkeypatch: Any) -> None:
    monkeypatch.setattr(settings, "AUDIT_RETENTION_DAYS", 30)
    for days in (31, 29, 400):
        _age(days)
    assert old_events().count() == 2
    assert sum(delete_old_events()) == 2
    assert AuditEvent.objects.count() == 1
    # What the transaction was allowed ends with it.
    _age(500)
    with pytest.raises(IntegrityError):
        _execute("DELETE FROM audit_auditevent")


def test_all_are_kept_without_retention(db: None, monkeypatch: Any) -> None:
    monkeypatch.setattr(settings, "AUDIT_RETENTION_DAYS", 0)
    _age(4_000)
    assert old_events().count() == 0
    assert sum(delete_old_events()) == 0


def test_events_outlive_user_and_product(people: People) -> None:
    add_member(
        principal=principal(people.alice),
        product=people.teahouse,
        user_name="charlie",
        role="viewer",
    )
    Product.objects.filter(pk=people.teahouse.pk).delete()
    User.objects.filter(username__in=["alice", "charlie"]).delete()
    (event,) = events("member.added")
    assert (event.actor, event.target) == ("alice", "charlie")
    assert event.product_name == "teahouse"
    assert {each.target for each in events("user.deleted")} == {"alice", "charlie"}
