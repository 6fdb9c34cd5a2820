"""Ended jobs count once, while they are there and after they expired."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from devrag.core.principal import SYSTEM
from devrag.jobs import services
from devrag.jobs.counts import EndedJobs, count_ended_jobs, old_counts
from devrag.jobs.models import Job, JobCount
from devrag.products.models import Product, SourceLimit
from tests.people import People, principal

pytestmark = pytest.mark.django_db
YESTERDAY = timedelta(days=1, hours=1)


def end_job(
    product: Product | None, age: timedelta = YESTERDAY, **fields: object
) -> Job:
    ended = timezone.now() - age
    defaults: dict[str, object] = {
        "kind": "index",
        "state": "completed",
        "started_at": ended - timedelta(seconds=30),
        "finished_at": ended,
        "report": {"added": 3, "modified": 2, "seconds": {"parse": 4.0}},
    }
    return Job.objects.create(product=product, lane="x", **defaults | fields)


def count(product: Product) -> list[EndedJobs]:
    since = timezone.localdate() - timedelta(days=9)
    return list(count_ended_jobs(SYSTEM, since, product_id=product.pk))


def expire() -> int:
    return services.expire_jobs(retention=timedelta(hours=24))


def test_what_is_told_does_not_change_when_jobs_expire(people: People) -> None:
    for age in (YESTERDAY, YESTERDAY, YESTERDAY + timedelta(days=2)):
        end_job(people.teahouse, age)
    end_job(people.teahouse, state="failed", error_code="source")
    end_job(people.market)
    before = count(people.teahouse)
    assert [(row.state, row.jobs) for row in before] == [
        ("completed", 1),
        ("completed", 2),
        ("failed", 1),
    ]
    assert before[1].seconds == 60
    assert (before[1].units, before[1].work_seconds) == (10, 8)
    assert expire() == 5
    assert not Job.objects.exists()
    assert count(people.teahouse) == before


def test_jobs_of_a_day_that_expire_later_are_added(people: People) -> None:
    end_job(people.teahouse)
    expire()
    end_job(people.teahouse)
    expire()
    assert [row.jobs for row in count(people.teahouse)] == [2]
    assert JobCount.objects.count() == 1


def test_skipped_and_open_jobs_are_no_runs(people: People) -> None:
    end_job(people.teahouse, state="skipped")
    end_job(people.teahouse, state="running", finished_at=None)
    assert count(people.teahouse) == []


def test_jobs_of_a_limited_source_count_for_its_members_only(people: People) -> None:
    key = people.source.pk
    SourceLimit.objects.create(product=people.teahouse, source_id=key)
    end_job(people.teahouse, params={"sourceID": key})
    end_job(people.teahouse, timedelta(hours=1), params={"sourceID": key})
    expire()
    since = timezone.localdate() - timedelta(days=9)
    bob = principal(people.bob)
    assert not count_ended_jobs(bob, since, product_id=people.teahouse.pk)
    assert sum(row.jobs for row in count(people.teahouse)) == 2


def test_counts_go_after_400_days(people: People) -> None:
    for age in (YESTERDAY, timedelta(days=402)):
        end_job(people.teahouse, age)
    expire()
    assert [row.jobs for row in old_counts()] == [1]
