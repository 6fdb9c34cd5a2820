"""Answers as messages of a chat: whole, or in chunks as OpenAI's API sends them."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any
from uuid import uuid4

from devrag.api.chat.errors import failure_fields
from devrag.ask.documents import GrowingText, Link, link_citations, url_in_markdown
from devrag.ask.types import Answer, AskEvent, Checked, Finished, Passage
from devrag.core.event_stream import COMMENT, format_event, with_pauses
from devrag.core.text import code_text

# Between the answer and the list of the places that it cites.
_RULE = "\n\n---\n\n"
_PLACE = re.compile(r"^\d+\. \[`(.+?):\d+(?:-\d+)?`\]\(", re.MULTILINE)


class Completion:
    """One completion of a chat. model: as it was asked for."""

    def __init__(self, model: str, link: Link) -> None:
        self._id = f"chatcmpl-{uuid4().hex}"
        self._created = int(time.time())
        self._model = model
        self._link = link

    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return the answer as one message."""
        text = self._text(answer) + self._appendix(answer)
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {
            "index": 0,
            "message": message,
            "logprobs": None,
            "finish_reason": _finish_reason(answer),
        }
        return {
            **self._head("chat.completion"),
            "choices": [choice],
            "usage": _usage(answer),
        }

    async def write_chunks(
        self, events: AsyncIterator[AskEvent], *, has_usage: bool
    ) -> AsyncGenerator[bytes, None]:
        """Yield the chunks of an answer as they are sent.

        What has been sent cannot be taken back: only checked text is, and where a
        second model may refuse it, not before the end. Closing this iterator waits
        until the work has ended.
        """
        yield self._chunk({"role": "assistant", "content": ""})
        sent = GrowingText()
        try:
            async with aclosing(with_pauses(events)) as paused:
                async for event in paused:
                    for chunk in self._chunks_of(event, sent, has_usage=has_usage):
                        yield chunk
        except Exception as error:  # noqa: BLE001 - the edge of the request: logged and reported
            yield _event(failure_fields(error))

    def _chunks_of(
        self, event: AskEvent | None, sent: GrowingText, *, has_usage: bool
    ) -> Iterator[bytes]:
        if event is None:
            yield COMMENT
        elif isinstance(event, Checked):
            if not event.is_settled:
                yield COMMENT
            elif new := sent.add(self._text(event)):
                yield self._chunk({"content": new})
        elif isinstance(event, Finished):
            yield from self._end(event.answer, sent, has_usage=has_usage)

    def _end(
        self, answer: Answer, sent: GrowingText, *, has_usage: bool
    ) -> Iterator[bytes]:
        text = sent.finish(self._text(answer)) + self._appendix(answer)
        yield self._chunk({"content": text})
        yield self._chunk({}, finish_reason=_finish_reason(answer))
        if has_usage:
            head = self._head("chat.completion.chunk")
            yield _event({**head, "choices": [], "usage": _usage(answer)})
        yield format_event("[DONE]")

    def _chunk(self, delta: dict[str, str], finish_reason: str | None = None) -> bytes:
        choice = {
            "index": 0,
            "delta": delta,
            "logprobs": None,
            "finish_reason": finish_reason,
        }
        head = self._head("chat.completion.chunk")
        return _event({**head, "choices": [choice]})

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": self._id,
            "object": kind,
            "created": self._created,
            "model": self._model,
        }

    def _text(self, answer: Answer | Checked) -> str:
        linked = link_citations(answer.markdown, answer.citations, self._link)
        return linked.rstrip()

    def _appendix(self, answer: Answer) -> str:
        """Return the diagram, the notes and the places that are cited."""
        parts = [f"\n\n```mermaid\n{answer.diagram}\n```"] if answer.diagram else []
        parts += [f"\n\n> {note}" for note in answer.notes]
        listed = "\n".join(
            f"{number}. {self._place(each)}"
            for number, each in enumerate(answer.citations, 1)
        )
        return "".join(parts) + (_RULE + listed if listed else "")

    def _place(self, passage: Passage) -> str:
        """Return a link to lines; paths and titles are a repository's, so code."""
        name = code_text(f"{passage.path}:{_lines(passage)}")
        title = f" `{code_text(passage.title)}`" if passage.title else ""
        return f"[`{name}`]({url_in_markdown(self._link(passage))}){title}"


def without_places(text: str) -> str:
    """Return an earlier answer without the list of places at its end."""
    before, rule, after = text.rpartition(_RULE)
    return before if rule and _PLACE.match(after) else text


def read_places(text: str) -> tuple[str, ...]:
    """Return the paths that an earlier answer lists, each once."""
    _, rule, after = text.rpartition(_RULE)
    return tuple(dict.fromkeys(_PLACE.findall(after))) if rule else ()


def _lines(passage: Passage) -> str:
    first, last = passage.start_line, passage.end_line
    return f"{first}-{last}" if last > first else str(first)


def _finish_reason(answer: Answer) -> str:
    return "stop" if answer.is_complete else "length"


def _usage(answer: Answer) -> dict[str, int]:
    return {
        "prompt_tokens": answer.input_tokens,
        "completion_tokens": answer.output_tokens,
        "total_tokens": answer.input_tokens + answer.output_tokens,
    }


def _event(document: dict[str, Any]) -> bytes:
    return format_event(json.dumps(document, ensure_ascii=False))
