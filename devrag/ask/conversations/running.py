"""run_turn(): answer a kept question, and keep what becomes of it, however it ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

import structlog
from django.utils import translation
from django.utils.translation import gettext

from devrag.ask.conversations.records import (
    Ended,
    begin_turn,
    deleted,
    end_turn,
    is_wanted,
    withdraw_turn,
)
from devrag.ask.conversations.selectors import history_before
from devrag.ask.conversations.services import scope_of
from devrag.ask.language import language_of
from devrag.ask.limits import TooManyRunning, asker_of, running_answer
from devrag.ask.models import Conversation, Turn
from devrag.ask.service import answer_uncounted
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
from devrag.spending.language_model import is_model_set

log = structlog.get_logger("devrag.ask")
# How soon an answer ends that was stopped or deleted elsewhere.
_HEARTBEAT_SECONDS = 1.0
# How long an answer may take whose reader has left.
_ALONE_SECONDS = 60.0
_alone: set[asyncio.Task[None]] = set()  # the event loop holds tasks but weakly


class Stopped(Conflict):
    """The answer was stopped from elsewhere."""


class _Ended:
    """Follows the last event in a queue."""


_Queue = asyncio.Queue[AskEvent | _Ended]


async def run_turn(turn: Turn, principal: Principal) -> AsyncGenerator[AskEvent, None]:
    """Yield the events of a waiting turn; what comes of it is kept before the last.

    Closing the iterator or cancelling its task stops the work at once where a model may
    be asked: what was checked so far stays as a stopped answer. Without a model the
    answer is finished and kept, within a minute. Raises what answer_question() raises
    (kept as failed), TooManyRunning, Conflict for a turn that was begun before,
    Stopped, and NotFound when the conversation or its product was deleted meanwhile.
    """
    queue: _Queue = asyncio.Queue()
    work = asyncio.create_task(_answer(turn, principal, queue))
    work.add_done_callback(lambda _: queue.put_nowait(_Ended()))
    try:
        while not isinstance(event := await queue.get(), _Ended):
            yield event
        await work  # raises what ended it
    finally:
        if turn.mode == "trace" or not is_model_set():
            _finish_alone(work)
        else:
            await _cancel(work)


async def run_new_turn(
    turn: Turn, principal: Principal
) -> AsyncGenerator[AskEvent, None]:
    """Yield what run_turn() does, of a turn that nobody would ask for again.

    Where it is refused for too many others it is deleted.
    """
    try:
        async with aclosing(run_turn(turn, principal)) as events:
            async for event in events:
                yield event
    except TooManyRunning:
        await in_thread_to_end(withdraw_turn, turn)
        raise


def _finish_alone(work: asyncio.Task[None]) -> None:
    """Let a task come to its end while nobody waits for it, but not for ever."""
    _alone.add(work)
    work.add_done_callback(_forget)
    if not work.done():
        work.get_loop().call_later(_ALONE_SECONDS, work.cancel)


def _forget(work: asyncio.Task[None]) -> None:
    _alone.discard(work)
    if not work.cancelled():
        work.exception()  # was kept with the turn


async def _cancel(work: asyncio.Task[None]) -> None:
    """End a task and wait for its end; what it raised nobody waits for any more."""
    work.cancel()
    await asyncio.wait({work})
    if not work.cancelled():
        work.exception()


async def _answer(turn: Turn, principal: Principal, queue: _Queue) -> None:
    """Answer a turn and keep what comes of it; events are kept before they are sent."""
    asker = asker_of(principal, await in_thread(_owner_key, turn))
    with running_answer(asker):
        kept = _Kept(turn.pk)
        await _begin(turn, kept)
        try:
            request = await in_thread(_request_of, turn, principal)
            kept.language = language_of(request)
            async with aclosing(_events(request, turn.pk)) as events:
                async for event in events:
                    kept.note(event)
                    if isinstance(event, Finished):
                        await kept.finish(event)
                    queue.put_nowait(event)
        except Stopped:
            raise
        except DevragError as error:
            await kept.fail(error.message)
            raise
        except Exception:
            log.exception("answer failed", turn=turn.pk)
            await kept.fail(
                gettext("Something went wrong on the server. It was logged.")
            )
            raise
        finally:
            if not kept.has_ended:
                await kept.stop()


def _owner_key(turn: Turn) -> str:
    rows = Conversation.objects.filter(pk=turn.conversation_id)
    return rows.values_list("owner_key", flat=True).first() or ""


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
            if isinstance(event, Finished):
                continue  # it is kept, and no turn is running any more
            if time.monotonic() - heard_at >= _HEARTBEAT_SECONDS:
                heard_at = time.monotonic()
                if not await in_thread(is_wanted, turn_id):
                    raise Stopped(gettext("The answer was stopped."))
    finally:
        await _cancel(work)


async def _next(queue: _Queue, deadline: float) -> AskEvent | _Ended | None:
    """Return what comes next, None when nothing came until the deadline."""
    with suppress(TimeoutError):
        async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
            return await queue.get()
    return None


async def _produce(request: AskRequest, queue: _Queue) -> None:
    async with aclosing(answer_uncounted(request)) as events:
        async for event in events:
            queue.put_nowait(event)


class _Kept:
    """What is known of an answer so far, and its end in the database."""

    def __init__(self, turn_id: int) -> None:
        self._turn_id = turn_id
        self._evidence: list[Passage] = []
        self._checked = Checked("", ())
        self.language = ""
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
            notes=self._notes(),
        )

    def _notes(self) -> tuple[str, ...]:
        """Return what a reader of an answer that broke off should know of it."""
        if self._checked.is_settled or not self._checked.markdown:
            return ()
        with translation.override(self.language or None):
            return (
                gettext(
                    "The answer ended before its second check: its sentences were not "
                    "checked against the cited lines by a model."
                ),
            )
