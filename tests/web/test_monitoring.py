"""The page about the instance: for administrators, with what was measured."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from devrag.core.principal import SYSTEM
from devrag.insights.models import StorageSize
from devrag.jobs.api import leave_worker_sign
from devrag.jobs.models import Job
from devrag.web.pages.monitoring import ERRORS, get_monitoring_page

from .conftest import Harbour

PAGE = "/settings/monitoring/"


@pytest.fixture
def admin(harbour: Harbour) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    return client


def test_it_is_for_administrators(admin: Client, bob: Client, stranger: Client) -> None:
    assert admin.get(PAGE).status_code == 200
    assert bob.get(PAGE).status_code == 403
    assert stranger.get(PAGE).status_code == 303
    assert bob.post(PAGE + "measure/").status_code == 403
    assert "/settings/monitoring/" not in bob.get("/settings/health/").content.decode()


def test_failed_jobs_are_told_by_error_and_kind(
    admin: Client, make_job: Callable[..., Job]
) -> None:
    ended = timezone.now() - timedelta(days=2)
    for code in ("source", "source", "chat_unavailable"):
        make_job(state="failed", error_code=code, finished_at=ended, lane="x")
    text = admin.get(PAGE).content.decode()
    assert ERRORS["source"] in text
    assert ERRORS["chat_unavailable"] in text
    rows = get_monitoring_page(SYSTEM).errors
    assert [(row.code, row.jobs) for row in rows] == [
        ("source", 2),
        ("chat_unavailable", 1),
    ]


def test_speed_is_what_was_done_while_it_ran(make_job: Callable[..., Job]) -> None:
    ended = timezone.now() - timedelta(hours=3)
    report = {"added": 30, "modified": 10, "seconds": {"parse": 8.0}}
    make_job(state="completed", report=report, started_at=ended, finished_at=ended)
    page = get_monitoring_page(SYSTEM)
    assert [value for _, value in page.speeds] == ["5"]


def test_storage_is_measured_on_demand(admin: Client, harbour: Harbour) -> None:
    assert "Storage is measured once an hour." in admin.get(PAGE).content.decode()
    assert admin.post(PAGE + "measure/").status_code == 303
    assert admin.post(PAGE + "measure/").status_code == 303  # again on the same day
    parts = {row.part: row for row in StorageSize.objects.all()}
    assert parts["database/files"].bytes > 0
    assert parts["database/files"].host == ""
    assert "Database: files and versions" in admin.get(PAGE).content.decode()


def test_a_worker_is_listed_with_its_queues(admin: Client, harbour: Harbour) -> None:
    leave_worker_sign("reader@pier", ["plan", f"plan.{settings.HOST_NAME}"])
    text = admin.get(PAGE).content.decode()
    assert "reader@pier" in text
    assert f"plan, plan.{settings.HOST_NAME}" in text


def test_queries_do_not_grow_with_jobs(
    make_job: Callable[..., Job], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        make_job(lane=f"l{number}", state="failed", finished_at=timezone.now())
    with django_assert_max_num_queries(11):
        get_monitoring_page(SYSTEM)
