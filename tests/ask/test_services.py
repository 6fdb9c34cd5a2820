"""Conversations are begun, gone on with, renamed and rated; follow-ups know before."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from devrag.ask.api import (
    add_turn,
    owner_of,
    rate_turn,
    rename_conversation,
    resolve_rating,
)
from devrag.ask.conversations.selectors import history_before
from devrag.ask.models import Conversation, Turn
from devrag.ask.types import AskRequest, Exchange, Scope
from devrag.core.errors import Conflict, InvalidInput, NotFound, PermissionDenied
from devrag.core.principal import ANONYMOUS
from devrag.products.models import Product
from tests.people import People, principal

from .test_reading import add_conversation, cite

pytestmark = pytest.mark.django_db


def ask(people: People, question: str, **scope: object) -> Turn:
    asker = principal(people.alice)
    request = AskRequest(question, asker, Scope(**scope))  # type: ignore[arg-type]
    return add_turn(owner=owner_of(asker), request=request)


def test_a_question_begins_a_conversation_named_after_it(people: People) -> None:
    turn = ask(people, "  Where is tea?\nAnd why?\x00 ", products=("teahouse",))
    made = turn.conversation
    assert (made.title, made.product) == ("Where is tea?", people.teahouse)
    assert turn.question == "Where is tea?\nAnd why?\ufffd"
    assert turn.state == Turn.State.WAITING


def test_a_source_alone_belongs_to_its_product(people: People) -> None:
    turn = ask(people, "what?", source="teahouse-code", path="tea/")
    made = turn.conversation
    assert (made.product, made.source, made.path) == (
        people.teahouse,
        "teahouse-code",
        "tea/",
    )


@pytest.mark.parametrize(
    "scope", [{"products": ("teahouse",)}, {"source": "teahouse-code"}]
)
def test_a_hidden_scope_is_not_found(people: People, scope: dict[str, object]) -> None:
    asker = principal(people.charlie)
    request = AskRequest("what?", asker, Scope(**scope))  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        add_turn(owner=owner_of(asker), request=request)
    assert not Conversation.objects.exists()


@pytest.mark.parametrize("question", ["", " \n", "x" * 100_000])
def test_a_question_that_cannot_be_asked_begins_nothing(
    people: People, question: str
) -> None:
    with pytest.raises(InvalidInput):
        ask(people, question)
    assert not Conversation.objects.exists()


def test_nobody_owns_what_nobody_could_find_again(people: People) -> None:
    request = AskRequest("what?", ANONYMOUS, Scope())
    with pytest.raises(InvalidInput):
        add_turn(owner=owner_of(ANONYMOUS), request=request)


def test_a_follow_up_keeps_lines_and_knows_what_was_said(people: People) -> None:
    first = ask(people, "what?", source="teahouse-code", path="tea.py", lines=(3, 9))
    Turn.objects.update(state=Turn.State.DONE, markdown="This. [1](cite:1)")
    cite(first, 1, people.teahouse, "tea.py")
    asker = principal(people.alice)
    second = add_turn(
        owner=owner_of(asker),
        request=AskRequest("and why?", asker),
        conversation=first.conversation,
    )
    assert (second.ordinal, second.start_line, second.end_line) == (2, 3, 9)
    said = "This. [1](cite:1)"
    assert history_before(second, asker) == (
        Exchange("what?", said, ("tea.py",), said),
    )


@pytest.mark.parametrize("reason", ["membership", "external models"])
def test_a_follow_up_knows_only_what_may_be_sent(people: People, reason: str) -> None:
    asker = principal(people.alice)
    first = add_turn(owner=owner_of(asker), request=AskRequest("what?", asker))
    Turn.objects.update(
        state=Turn.State.DONE,
        markdown="Tea is brewed. [1](cite:1)\n\nFish is sold. [2](cite:2)",
    )
    cite(first, 1, people.teahouse, "tea.py")
    cite(first, 2, people.market, "fish.py")
    second = add_turn(
        owner=owner_of(asker),
        request=AskRequest("and why?", asker),
        conversation=first.conversation,
    )
    if reason == "membership":
        people.teahouse.memberships.all().delete()
    else:
        Product.objects.filter(name="teahouse").update(is_external_models_allowed=False)
    (known,) = history_before(second, principal(people.alice))
    assert known.sent_answer == "Fish is sold. [2](cite:2)"
    is_seen = reason == "external models"
    assert ("Tea is brewed" in known.answer) == is_seen
    assert ("tea.py" in known.paths) == is_seen


@pytest.mark.parametrize("products", [("teahouse",), ()], ids=["one", "all"])
def test_an_answer_that_cites_nothing_is_sent_where_all_products_allow_it(
    people: People, products: tuple[str, ...]
) -> None:
    asker = principal(people.alice)
    first = ask(people, "how does a reach b?", products=products)
    Turn.objects.update(state=Turn.State.DONE, markdown="`brew` is in tea.")
    request = AskRequest("and why?", asker)
    second = add_turn(
        owner=owner_of(asker), request=request, conversation=first.conversation
    )
    (known,) = history_before(second, asker)
    assert known.sent_answer == "`brew` is in tea."
    Product.objects.filter(name="teahouse").update(is_external_models_allowed=False)
    (known,) = history_before(second, asker)
    assert (known.answer, known.sent_answer) == ("`brew` is in tea.", "")


def test_a_thread_has_an_end(people: People) -> None:
    first = ask(people, "what?")
    Turn.objects.update(ordinal=100)
    asker = principal(people.alice)
    with pytest.raises(Conflict):
        add_turn(
            owner=owner_of(asker),
            request=AskRequest("and?", asker),
            conversation=first.conversation,
        )


def test_a_title_has_words_and_an_end(people: People) -> None:
    made = ask(people, "what?").conversation
    before = made.updated_at
    rename_conversation(made, "  About\n tea ")
    made.refresh_from_db()
    assert (made.title, made.updated_at) == ("About tea", before)
    for title in (" ", "x" * 201):
        with pytest.raises(InvalidInput):
            rename_conversation(made, title)


def test_a_bad_rating_is_settled_by_a_maintainer(people: People) -> None:
    turn = add_conversation(people.bob, people.teahouse).turns.get()
    rate_turn(turn, rating=-1, remark=" Wrong. ")

    def settle(user: User) -> None:
        resolve_rating(
            principal=principal(user), product=people.teahouse, turn_id=turn.pk
        )

    with pytest.raises(PermissionDenied):
        settle(people.bob)
    settle(people.alice)
    turn.refresh_from_db()
    assert (turn.rating, turn.remark) == (-1, "Wrong.")
    assert turn.resolved_at
    rate_turn(turn, rating=0)
    with pytest.raises(NotFound):
        settle(people.alice)
    for rating, remark in ((2, ""), (1, "x" * 3_000)):
        with pytest.raises(InvalidInput):
            rate_turn(turn, rating=rating, remark=remark)
