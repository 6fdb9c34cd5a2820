"""What is done in Django's administration is in the audit log."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from devrag.audit.models import AuditEvent
from devrag.wiki.models import Note, Wiki
from tests.people import People


@pytest.fixture
def admin(people: People, admin_user: Any) -> Client:
    client = Client(HTTP_HOST="localhost", REMOTE_ADDR="192.0.2.3")
    client.force_login(admin_user)
    return client


def _events(action: str) -> list[AuditEvent]:
    return list(AuditEvent.objects.filter(action=action).order_by("pk"))


def test_added_changed_and_deleted(people: People, admin: Client) -> None:
    admin.post("/admin/auth/group/add/", {"name": "tea"})
    group = Group.objects.get()
    admin.post(f"/admin/auth/group/{group.pk}/change/", {"name": "coffee"})
    admin.post(f"/admin/auth/group/{group.pk}/delete/", {"post": "yes"})
    assert [each.target for each in _events("admin.added")] == ["group tea"]
    (changed,) = _events("admin.changed")
    assert changed.target == "group coffee"
    assert changed.details == {"changes": [{"changed": {"fields": ["Name"]}}]}
    assert [each.target for each in _events("admin.deleted")] == ["group coffee"]
    assert changed.actor == "admin"
    assert changed.address == "192.0.2.3"


def test_each_of_many_deleted_rows_is_told(people: People, admin: Client) -> None:
    for name in ("one", "two"):
        Group.objects.create(name=name)
    given = {
        "action": "delete_selected",
        "_selected_action": [group.pk for group in Group.objects.all()],
        "post": "yes",
    }
    admin.post("/admin/auth/group/", given)
    assert not Group.objects.exists()
    told = {each.target for each in _events("admin.deleted")}
    assert told == {"group one", "group two"}


def test_texts_are_told_by_their_numbers(people: People, admin: Client) -> None:
    wiki = Wiki.objects.create(product=people.teahouse)
    note = Note.objects.create(wiki=wiki, page_path="x.md", text="a private remark")
    admin.post(f"/admin/wiki/note/{note.pk}/delete/", {"post": "yes"})
    (deleted,) = _events("admin.deleted")
    assert deleted.target == f"note {note.pk}"
    assert "private" not in str(deleted.details)
