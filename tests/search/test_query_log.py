"""What was asked: kept, opened, forgotten, and who may look at it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from devrag.core.errors import NotFound, PermissionDenied
from devrag.core.principal import SYSTEM, Principal
from devrag.products.models import Product
from devrag.search.models import SearchLog
from devrag.search.query_log import (
    log_search,
    most_asked,
    note_opened,
    searches_for,
    without_results,
)
from devrag.search.types import SearchQuery, SearchResult
from tests.people import People, principal

pytestmark = pytest.mark.django_db


def asked(
    text: str, *, who: Principal = SYSTEM, product: str = "", **options: Any
) -> str:
    query = SearchQuery(text=text, principal=who, product=product)
    return log_search(SearchResult(query, (), 12.5), **options)


def test_a_search_is_kept_with_what_it_took(people: People) -> None:
    asked(" Where is Tea? ", product="teahouse")
    row = SearchLog.objects.get()
    assert (row.query, row.words) == ("Where is Tea?", "where is tea?")
    assert (row.mode, row.hit_count, row.latency_ms) == ("hybrid", 0, 12.5)
    assert (row.principal, row.product) == ("system", people.teahouse)


@pytest.mark.parametrize(
    ("text", "mode"), [('exact:"tea"', "exact"), ("/tea/", "regex"), ("tea", "hybrid")]
)
def test_the_mode_is_what_answered(text: str, mode: str) -> None:
    asked(text)
    assert SearchLog.objects.get().mode == mode


def test_nothing_is_kept_when_it_is_off(settings: Any) -> None:
    settings.IS_SEARCH_LOGGED = False
    assert asked("tea") == ""
    assert not SearchLog.objects.exists()


def test_a_log_that_fails_does_not_fail_the_search() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE search_searchlog RENAME TO gone")
    assert asked("tea") == ""


def test_the_rank_that_was_opened_first_is_kept() -> None:
    token = asked("tea")
    note_opened(token, 3)
    note_opened(token, 1)
    assert SearchLog.objects.get().clicked_rank == 3


@pytest.mark.parametrize("rank", [0, 51])
def test_a_rank_that_no_search_has_is_refused(rank: int) -> None:
    with pytest.raises(NotFound):
        note_opened(asked("tea"), rank)


def test_an_invented_token_opens_nothing() -> None:
    asked("tea")
    with pytest.raises(NotFound):
        note_opened(str(SearchLog.objects.get().pk), 1)


def test_what_was_typed_on_the_way_is_forgotten() -> None:
    for text in ("te", "tea", "tea%", "tea"):
        asked(text, is_typing=True)
    assert [row.query for row in SearchLog.objects.all()] == ["tea"]


def test_typing_forgets_only_ones_own_recent_unopened_beginnings() -> None:
    asked("tea", who=Principal("bob", SYSTEM.role))
    asked("coffee")
    note_opened(asked("tea l"), 1)
    asked("tea le")
    SearchLog.objects.filter(query="tea le").update(
        at=timezone.now() - timedelta(minutes=1)
    )
    asked("tea leaves", is_typing=True)
    assert SearchLog.objects.count() == 5


def test_queries_are_counted_by_their_words() -> None:
    for text in ("Tea  cup", "tea cup", "kettle"):
        asked(text)
    first, second = most_asked(SearchLog.objects.all())
    assert (first.count, second.count) == (2, 1)


def test_what_finds_something_by_now_is_not_without_results() -> None:
    asked("tea")
    asked("kettle")
    SearchLog.objects.filter(query="tea").update(hit_count=2, confidence="high")
    asked("tea")
    assert [each.query for each in without_results(SearchLog.objects.all())] == [
        "kettle"
    ]


def test_what_finds_only_what_is_nearest_is_without_results() -> None:
    for text in ("tea", "kettle"):
        asked(text)
    SearchLog.objects.update(hit_count=20, confidence="low")
    SearchLog.objects.filter(query="tea").update(confidence="high")
    assert [each.query for each in without_results(SearchLog.objects.all())] == [
        "kettle"
    ]


def test_maintainers_see_their_products_and_administrators_all(people: People) -> None:
    for product in ("teahouse", "market", ""):
        asked("tea", product=product)
    assert searches_for(SYSTEM).count() == 3
    (row,) = searches_for(principal(people.alice))
    assert row.product == people.teahouse
    for user in (people.bob, people.charlie):
        with pytest.raises(PermissionDenied, match="maintainers"):
            searches_for(principal(user))


def test_a_deleted_product_takes_its_searches_along(people: People) -> None:
    asked("tea", product="teahouse")
    Product.objects.get(name="teahouse").delete()
    assert not SearchLog.objects.exists()


def test_the_command_is_logged_too() -> None:
    call_command("search", "tea", "--mode", "keyword")
    assert SearchLog.objects.get().query == "tea"
