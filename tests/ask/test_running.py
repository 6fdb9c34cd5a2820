"""Answers are kept however they end: done, stopped, failed, or deleted."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import ExitStack, aclosing
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from devrag.ask.api import (
    Stopped,
    TooManyRunning,
    add_turn,
    delete_conversation,
    end_abandoned_turns,
    owner_of,
    readable_turns,
    run_new_turn,
    run_turn,
    stop_turn,
)
from devrag.ask.conversations import running
from devrag.ask.limits import MAX_RUNNING_PER_OWNER, asker_of, running_answer
from devrag.ask.models import Conversation, Turn
from devrag.ask.threads import in_thread
from devrag.ask.types import (
    AskEvent,
    AskRequest,
    Checked,
    EvidenceFound,
    Finished,
    Scope,
)
from devrag.core.errors import Conflict, DevragError, NotFound
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from tests.llm.chat_server import ChatServer, chat_server, use_server
from tests.people import People, principal
from tests.waiting import wait_until

from .talking import answer, ask, held_up, make_product

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_answer_is_kept_with_the_lines_that_it_cites() -> None:
    make_product("harbour")
    turn = ask(SYSTEM, "Where is Greeter greet?", "harbour", secret="s")
    events = answer(turn, SYSTEM)
    assert [type(each) for each in events][-1] is Finished
    assert any(isinstance(each, EvidenceFound) for each in events)
    assert turn.state == Turn.State.DONE
    assert "cite:1" in turn.markdown
    cited = turn.citations.get(number=1)
    assert (cited.path, cited.product.name) == ("src/greeter.py", "harbour")
    assert "class Greeter" in cited.excerpt


def test_a_turn_is_answered_once() -> None:
    make_product("harbour")
    turn = ask(SYSTEM, "greet", "harbour", secret="s")
    answer(turn, SYSTEM)
    with pytest.raises(Conflict):
        answer(turn, SYSTEM)


@pytest.fixture
def model(settings: Any) -> Iterator[ChatServer]:
    with chat_server() as server:
        use_server(server, settings)
        yield server


def test_a_reader_who_goes_away_ends_the_work_at_once(model: ChatServer) -> None:
    make_product("harbour")
    turn = ask(SYSTEM, "greet", "harbour", secret="s")

    async def go_away() -> float:
        reading = asyncio.create_task(_read(turn))
        await asyncio.to_thread(_wait_for, turn, Turn.State.RUNNING)
        gone_at = time.monotonic()
        reading.cancel()
        await asyncio.wait({reading})
        return time.monotonic() - gone_at

    with held_up():
        assert asyncio.run(go_away()) < 2
    turn.refresh_from_db()
    assert turn.state == Turn.State.STOPPED
    assert turn.finished_at


def test_without_a_model_an_answer_is_finished_when_its_reader_goes_away() -> None:
    make_product("harbour")
    turn = ask(SYSTEM, "greet", "harbour", secret="s")

    async def go_away() -> None:
        with held_up():
            reading = asyncio.create_task(_read(turn))
            await asyncio.to_thread(_wait_for, turn, Turn.State.RUNNING)
            reading.cancel()
            await asyncio.wait({reading})
        await asyncio.to_thread(_wait_for, turn, Turn.State.DONE)

    asyncio.run(go_away())
    turn.refresh_from_db()
    assert turn.citations.filter(number=1).exists()


def test_without_a_reader_an_answer_does_not_go_on_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running, "_ALONE_SECONDS", 0.0)
    make_product("harbour")
    turn = ask(SYSTEM, "greet", "harbour", secret="s")

    async def go_away() -> None:
        reading = asyncio.create_task(_read(turn))
        await asyncio.to_thread(_wait_for, turn, Turn.State.RUNNING)
        reading.cancel()
        await asyncio.wait({reading})
        await asyncio.to_thread(_wait_for, turn, Turn.State.STOPPED)

    with held_up():
        asyncio.run(go_away())


def test_a_heartbeat_after_the_end_does_not_take_it_for_a_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running, "_HEARTBEAT_SECONDS", 0.0)
    make_product("harbour")
    turn = ask(SYSTEM, "greet", "harbour", secret="s")
    assert isinstance(answer(turn, SYSTEM)[-1], Finished)


def test_a_stop_is_noticed_while_all_that_searches_is_busy(
    model: ChatServer,
) -> None:
    make_product("harbour")
    turns = [ask(SYSTEM, "greet", "harbour", secret=str(n)) for n in range(6)]

    async def stop_all() -> None:
        reading = [asyncio.create_task(_read(turn)) for turn in turns]
        for turn in turns:
            await asyncio.to_thread(_wait_for, turn, Turn.State.RUNNING)
            await in_thread(stop_turn, turn)
        for each in reading:
            with pytest.raises(Stopped):
                await each

    with held_up():
        asyncio.run(stop_all())


def test_two_questions_in_one_conversation_are_both_read_in_order() -> None:
    make_product("harbour")
    first = ask(SYSTEM, "Where is Greeter greet?", "harbour", secret="s")
    both = [first, ask(SYSTEM, "greet", conversation=first.conversation, secret="s")]

    async def answer_both() -> None:
        await asyncio.gather(*map(_read, both))

    asyncio.run(answer_both())
    found = readable_turns(first.conversation, SYSTEM)
    assert [each.turn.question for each in found] == [each.question for each in both]
    assert all(each.turn.state == Turn.State.DONE and each.markdown for each in found)


def test_closing_the_iterator_keeps_what_was_found_as_stopped(
    model: ChatServer,
) -> None:
    make_product("harbour")
    turn = ask(SYSTEM, "greet", "harbour", secret="s")

    async def close_early() -> None:
        async with aclosing(run_turn(turn, SYSTEM)) as events:
            await anext(events)

    asyncio.run(close_early())
    turn.refresh_from_db()
    assert turn.state == Turn.State.STOPPED
    assert turn.citations.filter(number=0).exists()


@pytest.mark.parametrize("is_settled", [True, False])
def test_a_stopped_answer_tells_what_a_second_model_did_not_check(
    model: ChatServer, monkeypatch: pytest.MonkeyPatch, *, is_settled: bool
) -> None:
    async def write(_request: AskRequest) -> AsyncGenerator[AskEvent, None]:
        yield Checked("It greets.\n", (), is_settled=is_settled)
        await asyncio.Event().wait()

    monkeypatch.setattr(running, "answer_uncounted", write)
    make_product("harbour")
    turn = ask(SYSTEM, "greet", "harbour", secret="s")

    async def close_early() -> None:
        async with aclosing(run_turn(turn, SYSTEM)) as events:
            await anext(events)

    asyncio.run(close_early())
    [kept] = readable_turns(turn.conversation, SYSTEM)
    assert kept.markdown == "It greets.\n"
    assert ["before its second check" in note for note in kept.notes] == (
        [] if is_settled else [True]
    )


def test_a_reader_who_goes_away_at_the_end_leaves_a_whole_answer() -> None:
    make_product("harbour")
    asked = AskRequest("how?", SYSTEM, Scope(products=("harbour",)), "trace")
    turn = add_turn(owner=owner_of(SYSTEM, "s"), request=asked)
    release = threading.Event()

    async def go_away() -> None:
        async with aclosing(run_turn(turn, SYSTEM)) as events:
            await anext(events)
            waiting = (in_thread(release.wait) for _ in range(4))
            busy = [asyncio.create_task(each) for each in waiting]
            ending = asyncio.ensure_future(anext(events))
            await asyncio.sleep(0)  # lets them begin
            ending.cancel()
            asyncio.get_running_loop().call_later(0.1, release.set)
            await asyncio.wait({ending, *busy})
        await asyncio.to_thread(_wait_for, turn, Turn.State.DONE)

    asyncio.run(go_away())


def test_an_answer_that_is_stopped_elsewhere_ends() -> None:
    make_product("harbour")
    turn = ask(SYSTEM, "greet", "harbour", secret="s")

    async def stop() -> None:
        reading = asyncio.create_task(_read(turn))
        await asyncio.to_thread(_wait_for, turn, Turn.State.RUNNING)
        await in_thread(stop_turn, turn)
        with pytest.raises(Stopped):
            await reading

    with held_up():
        asyncio.run(stop())
    turn.refresh_from_db()
    assert turn.state == Turn.State.STOPPED


@pytest.mark.parametrize("what", ["conversation", "product"])
def test_what_is_deleted_ends_its_answer(what: str) -> None:
    harbour = make_product("harbour")
    turn = ask(SYSTEM, "greet", "harbour", secret="s")

    def delete() -> None:
        if what == "conversation":
            delete_conversation(turn.conversation)
        else:
            Product.objects.filter(pk=harbour.product.pk).update(is_deleting=True)

    async def delete_meanwhile() -> None:
        reading = asyncio.create_task(_read(turn))
        await asyncio.to_thread(_wait_for, turn, Turn.State.RUNNING)
        await in_thread(delete)
        with pytest.raises(DevragError):
            await reading

    with held_up():
        asyncio.run(delete_meanwhile())
    assert not Turn.objects.filter(state=Turn.State.RUNNING).exists()


def test_a_new_turn_that_is_refused_leaves_nothing() -> None:
    make_product("harbour")
    kept = ask(SYSTEM, "greet", "harbour", secret="s")
    answer(kept, SYSTEM)
    new = ask(SYSTEM, "greet", "harbour", secret="s")
    follow = ask(SYSTEM, "greet", conversation=kept.conversation, secret="s")

    async def refuse(turn: Turn) -> None:
        with pytest.raises(TooManyRunning):
            async for _ in run_new_turn(turn, SYSTEM):
                pass

    with ExitStack() as others:
        for _ in range(MAX_RUNNING_PER_OWNER):
            asker = asker_of(SYSTEM, kept.conversation.owner_key)
            others.enter_context(running_answer(asker))
        asyncio.run(refuse(new))
        asyncio.run(refuse(follow))
    assert list(Turn.objects.all()) == [kept]
    assert list(Conversation.objects.all()) == [kept.conversation]


def test_a_failure_is_kept_with_its_reason(people: People) -> None:
    turn = ask(principal(people.bob), "what?", "teahouse")
    # Bob lost the product between question and answer.
    people.teahouse.memberships.all().delete()
    with pytest.raises(NotFound) as refused:
        answer(turn, principal(people.bob))
    turn.refresh_from_db()
    assert (turn.state, turn.error) == (Turn.State.FAILED, refused.value.message)


def test_an_owner_has_so_many_answers_at_once_in_all_processes() -> None:
    make_product("harbour")
    for _ in range(MAX_RUNNING_PER_OWNER):
        ask(SYSTEM, "greet", "harbour", secret="s")
    Turn.objects.update(state=Turn.State.RUNNING, seen_at=timezone.now())
    refused = ask(SYSTEM, "greet", "harbour", secret="s")
    with pytest.raises(TooManyRunning):
        answer(refused, SYSTEM)
    refused.refresh_from_db()
    assert refused.state == Turn.State.WAITING
    other = ask(SYSTEM, "greet", "harbour", secret="another")
    answer(other, SYSTEM)
    assert other.state == Turn.State.DONE


def test_a_process_that_died_neither_counts_nor_keeps_its_turn_running() -> None:
    make_product("harbour")
    lost = [ask(SYSTEM, "greet", "harbour", secret="s") for _ in range(2)]
    then = timezone.now() - timedelta(minutes=1)
    Turn.objects.update(state=Turn.State.RUNNING, seen_at=then)
    again = ask(SYSTEM, "greet", "harbour", secret="s")
    answer(again, SYSTEM)
    assert again.state == Turn.State.DONE
    assert end_abandoned_turns() == 2
    lost[0].refresh_from_db()
    assert lost[0].state == Turn.State.STOPPED


async def _read(turn: Turn) -> None:
    async for _ in run_turn(turn, SYSTEM):
        pass


def _wait_for(turn: Turn, state: str) -> None:
    try:
        wait_until(lambda: Turn.objects.filter(pk=turn.pk, state=state).exists())
    finally:
        connection.close()
