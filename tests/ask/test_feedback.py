"""Documentation gaps: what is asked and searched in vain, by equal words."""

from __future__ import annotations

import pytest

from devrag.ask.api import bad_ratings, documentation_gaps, rate_turn
from devrag.ask.models import Turn
from devrag.core.errors import PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.search.models import SearchLog
from tests.people import People, principal

from .test_reading import add_conversation

pytestmark = pytest.mark.django_db


def ask_in_vain(people: People, question: str, product: Product | None) -> None:
    turn = add_conversation(people.bob, product).turns.get()
    turn.question, turn.outcome = question, "not_found"
    turn.save()


def search_in_vain(words: str, product: Product, hits: int = 0) -> None:
    SearchLog.objects.create(
        query=words,
        words=words.lower(),
        product=product,
        mode="hybrid",
        hit_count=hits,
        latency_ms=1,
    )


def test_questions_and_searches_of_equal_words_are_one_gap(people: People) -> None:
    ask_in_vain(people, "How is tea exported?", people.teahouse)
    ask_in_vain(people, "how is  tea exported", people.teahouse)
    search_in_vain("How is tea exported", people.teahouse)
    search_in_vain("kettle", people.teahouse)
    search_in_vain("tea", people.teahouse, hits=3)
    gaps = documentation_gaps(principal(people.alice))
    assert [(each.asked, each.searched) for each in gaps] == [(2, 1), (0, 1)]
    assert gaps[0].text.lower().startswith("how is")
    assert gaps[0].product == "teahouse"


def test_gaps_are_of_products_that_one_maintains(people: People) -> None:
    ask_in_vain(people, "Where is fish?", people.market)
    ask_in_vain(people, "Where is everything?", None)
    assert documentation_gaps(principal(people.alice)) == []
    assert len(documentation_gaps(SYSTEM)) == 2
    with pytest.raises(PermissionDenied):
        documentation_gaps(principal(people.bob))


def test_answered_questions_are_no_gaps(people: People) -> None:
    add_conversation(people.bob, people.teahouse)
    Turn.objects.update(outcome="answered")
    assert documentation_gaps(principal(people.alice)) == []


def test_bad_ratings_wait_for_a_maintainer(people: People) -> None:
    good, bad = (add_conversation(people.bob, people.teahouse) for _ in range(2))
    rate_turn(good.turns.get(), rating=1)
    rate_turn(bad.turns.get(), rating=-1)
    assert [each.conversation for each in bad_ratings(people.teahouse)] == [bad]
    assert not bad_ratings(people.market)
