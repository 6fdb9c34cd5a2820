"""run_turn(): answer a kept question, and keep what becomes of it, however it ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import cast

import structlog
from django.utils.translation import gettext

from devrag.ask.conversations.records import (
    Ended,
    begin_turn,
    deleted,
    end_turn,
    is_wanted,
)
from devrag.ask.conversations.selectors import history_before
from devrag.ask.conversations.services import scope_of
from devrag.ask.models import Turn
from devrag.ask.service import answer_question
from devrag.ask.threads import in_thread, in_thread_to_end
from devrag.ask.types import (
    AskEvent,
    AskMode,
    AskRequest,
    Checked,
    EvidenceFound,
    Finished,
    Passage,
)
from devrag.core.errors import Conflict, DevragError
from devrag.core.principal import Principal

log = structlog.get_logger("devrag.ask")
# How soon an answer ends that was stopped or deleted elsewhere.
_HEARTBEAT_SECONDS = 1.0


class Stopped(Conflict):
    """The answer was stopped from elsewhere."""


async def run_turn(turn: Turn, principal: Principal) -> AsyncGenerator[AskEvent, None]:
    """Yield the events of a waiting turn; what comes of it is kept before the last.

    Closing the iterator or cancelling its task stops the work at once, a model's too:
    what was checked so far stays as a stopped answer. Raises what answer_question()
    raises (kept as failed), TooManyRunning, Conflict for a turn that was begun before,
    Stopped, and NotFound when the conversation or its product was deleted meanwhile.
    """
    kept = _Kept(turn.pk)
    await _begin(turn, kept)
    try:
        request = await in_thread(_request_of, turn, principal)
        async with aclosing(_events(request, turn.pk)) as events:
            async for event in events:
                kept.note(event)
                if isinstance(event, Finished):
                    await kept.finish(event)
                yield event
    except Stopped:
        raise
    except DevragError as error:
        await kept.fail(error.message)
        raise
    except Exception:
        log.exception("answer failed", turn=turn.pk)
        await kept.fail(gettext("Something went wrong on our side. It was logged."))
        raise
    finally:
        if not kept.has_ended:
            await kept.stop()


async def _begin(turn: Turn, kept: _Kept) -> None:
    """Claim the turn; a reader who goes away just then leaves no running one."""
    try:
        await in_thread_to_end(begin_turn, turn.pk)
    except asyncio.CancelledError:
        await kept.stop()
        raise


def _request_of(turn: Turn, principal: Principal) -> AskRequest:
    mode: AskMode = turn.mode  # type: ignore[assignment]  # one of the choices
    return AskRequest(
        question=turn.question,
        principal=principal,
        scope=scope_of(turn),
        mode=mode,
        history=history_before(turn, principal),
        language=turn.language,
    )


async def _events(request: AskRequest, turn_id: int) -> AsyncGenerator[AskEvent, None]:
    """Yield the events of an answer, made in a task of its own that this one ends."""
    queue: _Queue = asyncio.Queue()
    work = asyncio.create_task(_produce(request, queue))
    work.add_done_callback(lambda _: queue.put_nowait(_Ended()))
    heard_at = time.monotonic()
    try:
        while True:
            event = await _next(queue, heard_at + _HEARTBEAT_SECONDS)
            if isinstance(event, _Ended):
                await work  # raises what ended it
                return
            if event is not None:
                yield event
            if time.monotonic() - heard_at >= _HEARTBEAT_SECONDS:
                heard_at = time.monotonic()
                if not await in_thread(is_wanted, turn_id):
                    raise Stopped(gettext("The answer was stopped."))
    finally:
        work.cancel()
        await asyncio.wait({work})
        if not work.cancelled():
            work.exception()  # was raised above, or nobody waits for it any more


class _Ended:
    """Follows the last event in the queue."""


async def _next(queue: _Queue, deadline: float) -> AskEvent | _Ended | None:
    """Return what comes next, None when nothing came until the deadline."""
    with suppress(TimeoutError):
        async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
            return await queue.get()
    return None


_Queue = asyncio.Queue[AskEvent | _Ended]


async def _produce(request: AskRequest, queue: _Queue) -> None:
    answer = cast("AsyncGenerator[AskEvent, None]", answer_question(request))
    async with aclosing(answer) as events:
        async for event in events:
            await queue.put(event)


class _Kept:
    """What is known of an answer so far, and its end in the database."""

    def __init__(self, turn_id: int) -> None:
        self._turn_id = turn_id
        self._evidence: list[Passage] = []
        self._checked = Checked("", ())
        self.has_ended = False

    def note(self, event: AskEvent) -> None:
        """Take what an event brings."""
        if isinstance(event, EvidenceFound):
            self._evidence += event.passages
        elif isinstance(event, Checked):
            self._checked = event

    async def finish(self, event: Finished) -> None:
        """Keep the whole answer. Raises NotFound when its turn is gone."""
        answer = event.answer
        ended = Ended(
            state=Turn.State.DONE,
            markdown=answer.markdown,
            citations=answer.citations,
            evidence=answer.evidence,
            answer=answer,
        )
        await self._end(ended)

    async def fail(self, message: str) -> None:
        """Keep why there is no answer."""
        if not self.has_ended:
            with suppress(DevragError):
                await self._end(self._so_far(Turn.State.FAILED, message))

    async def stop(self) -> None:
        """Keep what was checked so far."""
        with suppress(DevragError):
            await self._end(self._so_far(Turn.State.STOPPED))

    async def _end(self, ended: Ended) -> None:
        self.has_ended = True
        # To its end: cancelled while it waits for a thread, it would never be written.
        if not await in_thread_to_end(end_turn, self._turn_id, ended):
            raise deleted()

    def _so_far(self, state: Turn.State, error: str = "") -> Ended:
        return Ended(
            state=state,
            markdown=self._checked.markdown,
            citations=self._checked.citations,
            evidence=self._evidence,
            error=error,
        )
