"""The pages of the audit log: all of it, and what is of one product."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone, translation
from django.utils.translation import gettext
from pytest_django import DjangoAssertNumQueries

from devrag.audit.actions import ACTIONS
from devrag.audit.api import EventFilter, record_event
from devrag.audit.models import AuditEvent
from devrag.core.principal import SYSTEM
from devrag.use_cases.api import change_product
from devrag.web.pages.audit import (
    _GROUPS,
    PAGE_SIZE,
    action_groups,
    get_audit_page,
)
from devrag.web.pages.audit_details import describe_details, label_of

from .conftest import Harbour
from .markup import squeeze

PAGE, OWN = "/settings/audit/", "/p/harbour/audit/"


@pytest.fixture
def admin(harbour: Harbour) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    return client


def test_it_is_for_administrators(admin: Client, alice: Client, bob: Client) -> None:
    assert admin.get(PAGE).status_code == 200
    assert alice.get(PAGE).status_code == 403
    assert PAGE not in alice.get("/settings/health/").content.decode()
    assert PAGE in admin.get("/settings/health/").content.decode()
    assert bob.get(OWN).status_code == 403


def test_a_maintainer_reads_what_was_done_in_the_product(
    alice: Client, charlie: Client, harbour: Harbour
) -> None:
    alice.post("/p/harbour/members/", {"user_name": "charlie", "role": "viewer"})
    record_event("backup.written", target="elsewhere.devrag")
    page = alice.get(OWN).content.decode()
    assert "Member added" in page
    assert "charlie" in page
    assert "elsewhere.devrag" not in page
    assert OWN in alice.get("/p/harbour/settings/").content.decode()


def test_filters_are_in_the_address(admin: Client, harbour: Harbour) -> None:
    record_event("product.changed", product=harbour.product)
    record_event("backup.written", target="monday.devrag")
    today = timezone.localdate()
    tomorrow = (today + timedelta(days=1)).isoformat()
    for query, is_there in (
        ("action=backup.written", True),
        ("action=backup", True),
        ("action=product", False),
        ("product=harbour", False),
        ("person=nobody", False),
        (f"since={today}&until={today}", True),
        (f"since={tomorrow}", False),
        ("since=never&action=backup", True),
    ):
        page = admin.get(f"{PAGE}?{query}").content.decode()
        assert ("monday.devrag" in page) == is_there, query
    assert "No event matches these filters" in page or is_there
    part = admin.get(f"{PAGE}?action=backup", headers={"HX-Request": "true"})
    assert part.content.decode().lstrip().startswith("<section")


def test_older_events_are_on_the_next_page(
    admin: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(PAGE_SIZE + 5):
        record_event("backup.written", target=f"backup-{number}")
    wanted = EventFilter(action="backup")
    with django_assert_max_num_queries(1):
        first = get_audit_page(SYSTEM, wanted, None)
    assert first.rows[0].target == f"backup-{PAGE_SIZE + 4}"
    second = get_audit_page(SYSTEM, wanted, first.older)
    assert [row.target for row in second.rows] == [
        f"backup-{n}" for n in range(4, -1, -1)
    ]
    assert second.older == 0
    page = admin.get(f"{PAGE}?action=backup").content.decode()
    assert f"?action=backup&amp;before={first.older}" in page


def test_values_are_said_in_the_readers_language_and_zone() -> None:
    details = {
        "role": {"from": "viewer", "to": "maintainer"},
        "language": "ja",
        "visibility": "members",
        "expiresAt": "2027-02-25T20:18:57.218902+00:00",
    }
    with translation.override("ja"), timezone.override("Asia/Tokyo"):
        said = [value for _, value in describe_details(details)]
    assert said == [
        "閲覧者 → メンテナー",
        "日本語",
        "メンバーのみ",
        "2027-02-26 05:18 JST (Asia/Tokyo)",
    ]


def test_details_are_said_as_people_read_them(
    admin: Client, harbour: Harbour, settings: Any
) -> None:
    settings.IS_OPEN_READING = False
    changes = {"title": "x", "visibility": "everyone"}
    change_product(principal=SYSTEM, product=harbour.product, changes=changes)
    page = admin.get(PAGE + "?action=product.changed").content.decode()
    assert "Members only → Everyone who can sign in" in page
    record_event("source.limited", details={"members": ["bob", "carol"]})
    assert "bob, carol" in admin.get(PAGE).content.decode()


def test_every_group_of_actions_has_a_name() -> None:
    groups = {action.partition(".")[0] for action in ACTIONS}
    assert groups == set(_GROUPS)
    assert {group for group, _, _ in action_groups()} == groups


def test_fields_have_labels_in_the_readers_language(admin: Client) -> None:
    changed = {"is_staff": {"from": False, "to": True}, "isUnheardOf": 3}
    record_event("user.changed", target="ann", details=changed)
    record_event("product.changed", details={"changed": ["source_roots", "title"]})
    page = squeeze(admin.get(PAGE))
    assert '<dt>May open the administration</dt><dd lang="">no → yes</dd>' in page
    assert "<dt>Unheard of</dt>" in page
    assert "Allowed source locations, Title</dd>" in page
    assert "is_staff" not in page
    with translation.override("ja"):
        assert label_of("role") == gettext("Role") != "Role"


def test_an_export_is_a_file_and_an_event(admin: Client, harbour: Harbour) -> None:
    answer = admin.get(f"{PAGE}export/csv?action=product")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer["Content-Disposition"]
    event = AuditEvent.objects.get(action="audit.exported")
    assert event.details == {"format": "csv", "action": "product"}
    assert admin.get(f"{PAGE}export/xml").status_code == 400


def test_a_hostile_name_is_only_text(admin: Client) -> None:
    record_event("backup.written", target="<script>alert(1)</script>")
    page = admin.get(PAGE).content.decode()
    assert "<script>alert" not in page
