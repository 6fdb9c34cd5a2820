"""The page of insights: who sees what, in how many queries, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from devrag.ask.models import Conversation
from devrag.core.principal import SYSTEM
from devrag.insights.days import today
from devrag.insights.models import SourceSize
from devrag.insights.product import get_product_insights
from devrag.insights.source_sizes import record_source_size
from devrag.insights.wiki_measures import measure_wiki
from devrag.jobs.models import Job, JobCount
from devrag.products.models import SourceLimit
from devrag.search.models import SearchLog
from devrag.spending.models import ModelCall
from devrag.wiki.models import Wiki
from tests.people import bearer

from .conftest import Harbour

PAGE = "/p/harbour/insights/"


@pytest.fixture
def measured(harbour: Harbour, wiki: Wiki, asked: Conversation) -> Harbour:
    """The product with figures of everything."""
    record_source_size(harbour.source.pk)
    measure_wiki(harbour.product)
    JobCount.objects.create(
        product=harbour.product,
        source_id=harbour.source.pk,
        day=today() - timedelta(days=3),
        kind="index",
        state="failed",
        error_code="source",
        jobs=4,
        seconds=240,
    )
    SearchLog.objects.create(
        query="lighthouse keys",
        words="lighthouse keys",
        product=harbour.product,
        mode="hybrid",
        hit_count=0,
        latency_ms=1,
    )
    ModelCall.objects.create(
        product=harbour.product,
        purpose="page",
        provider="openai",
        model="gpt-x",
        run="00000000-0000-0000-0000-000000000001",
        cost=Decimal("1.25"),
        input_tokens=1000,
        output_tokens=234,
        finished_at=timezone.now(),
    )
    return harbour


def test_readers_see_sizes_languages_jobs_and_the_wiki(
    bob: Client, measured: Harbour
) -> None:
    text = bob.get(PAGE).content.decode()
    for said in ("Python", "Cited by the wiki", "Jobs by kind", "Questions"):
        assert said in text
    assert "Failed 4" in text  # what a day tells in focus
    assert text.count("Show as table") >= 6


def test_gaps_reports_and_cost_are_for_maintainers(
    alice: Client, bob: Client, measured: Harbour
) -> None:
    shown, hidden = (each.get(PAGE).content.decode() for each in (alice, bob))
    for said in ("lighthouse keys", "Open reports", "Cost this month", "$1.25"):
        assert said in shown
        assert said not in hidden


def test_others_do_not_learn_of_it(charlie: Client, measured: Harbour) -> None:
    assert charlie.get(PAGE).status_code == 404


def test_a_limited_source_shows_in_no_figure(bob: Client, measured: Harbour) -> None:
    limit = SourceLimit.objects.create(
        product=measured.product, source_id=measured.source.pk
    )
    text = bob.get(PAGE).content.decode()
    assert "Failed 4" not in text
    assert "Python" not in text
    limit.members.add(User.objects.get(username="bob"))
    assert "Failed 4" in bob.get(PAGE).content.decode()


def test_a_product_without_an_index_leads_on(bob: Client, harbour: Harbour) -> None:
    text = bob.get(PAGE).content.decode()
    assert "Nothing to show yet" in text
    assert 'class="button button-primary" href="/p/harbour/sources/"' in text


def test_a_period_may_be_chosen(bob: Client, measured: Harbour) -> None:
    SourceSize.objects.create(
        source=measured.source,
        day=today() - timedelta(days=80),
        file_count=1,
        chunk_count=1,
        line_count=1,
    )
    assert bob.get(PAGE).content.decode().count('class="chart-mark"') >= 30
    text = bob.get(PAGE + "?days=90").content.decode()
    assert 'href="?days=90" aria-current="page"' in text
    assert bob.get(PAGE + "?days=x").status_code == 200


def test_days_and_numbers_are_japanese(bob: Client, measured: Harbour) -> None:
    text = bob.get(PAGE, headers={"Accept-Language": "ja"}).content.decode()
    assert f"{today().year}年{today().month}月{today().day}日" in text


def test_queries_do_not_grow_with_the_history(
    measured: Harbour,
    make_job: Callable[..., Job],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(20):
        make_job(lane=f"l{number}", state="completed", finished_at=timezone.now())
        SourceSize.objects.create(
            source=measured.source,
            day=today() - timedelta(days=number + 1),
            file_count=number,
            chunk_count=1,
            line_count=1,
        )
    with django_assert_max_num_queries(19):
        get_product_insights(SYSTEM, measured.product)


def test_rest_tells_the_same(alice: Client, bob: Client, measured: Harbour) -> None:
    address = f"/api/v1/products/{measured.product.pk}/insights?days=90"
    users = {name: User.objects.get(username=name) for name in ("alice", "bob")}
    client = Client()
    found, seen = (
        client.get(address, headers=bearer("read", user=users[name])).json()
        for name in ("alice", "bob")
    )
    assert found["sizes"][-1]["files"] == 3
    assert found["wiki"][-1]["citations"] == 1
    assert found["jobs"][0]["errorCode"] == "source"
    assert found["cost"]["uses"][0]["cost"] == 1.25
    assert [gap["text"] for gap in found["gaps"]] == ["lighthouse keys"]
    assert (seen["cost"], seen["gaps"], seen["openReports"]) == (None, None, None)
    assert seen["sizes"] == found["sizes"]
