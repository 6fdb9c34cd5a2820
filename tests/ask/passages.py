"""Passages of a small shop, and a model that says what the test wants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field

from devrag.ask.types import (
    Answer,
    AskEvent,
    AskRequest,
    Evidence,
    Finished,
    Passage,
    PassageKind,
)
from devrag.ask.writing.writing import write_answer
from devrag.core.principal import SYSTEM
from devrag.llm.chat import Completion, Message, ToolSpec, Usage

TILL = '''def charge(amount: int) -> int:
    """Take the money from the customer, tax included."""
    rate = int(os.environ.get("TAX_RATE", "10"))
    return amount + amount * rate // 100'''
CART = '''class Cart:
    """Items and their total."""

    def checkout(self) -> int:
        """Charge the customer for everything."""
        return charge(sum(price for _, price in self.items))'''
README = """# Shop

A small shop that sells tea. It has a cart and a till.
See https://shop.example/docs for more.

Run `python -m shop` and open the page."""


def passage(
    key: str,
    path: str,
    text: str,
    *,
    start: int = 1,
    kind: PassageKind = "definition",
    title: str = "",
) -> Passage:
    """Return a passage of the shop."""
    return Passage(
        id=key,
        product="shop",
        source="shop",
        path=path,
        start_line=start,
        end_line=start + text.count("\n"),
        text=text,
        version_identifier="c0ffee",
        content_hash="ab" * 32,
        kind=kind,
        title=title,
    )


PASSAGES = (
    passage("E1", "shop/till.py", TILL, start=6, title="charge"),
    passage("E2", "shop/cart.py", CART, start=6, title="Cart"),
    passage("E3", "README.md", README, kind="documentation", title="Shop"),
)
EVIDENCE = Evidence(PASSAGES, is_found=True, searched=("tax",))
ASKED = "How is the tax of a cart charged?"


class Spoken:
    """A ChatStream of a `SpokenModel`."""

    def __init__(self, model: SpokenModel) -> None:
        self._model = model
        self._pieces = self._read()
        self.usage = Usage()

    def __aiter__(self) -> Spoken:
        return self

    async def __anext__(self) -> str | Completion:
        return await anext(self._pieces)

    async def aclose(self) -> None:
        self._model.is_closed = True
        await self._pieces.aclose()

    async def _read(self) -> AsyncGenerator[str | Completion, None]:
        said, size = self._model.text, self._model.size
        for at in range(0, len(said), size):
            self.usage = Usage(100, at + size)
            yield said[at : at + size]
        if self._model.error:
            raise self._model.error
        self.usage = Usage(100, 20)
        yield Completion(said, 100, 20, self._model.finish)


@dataclass
class SpokenModel:
    """A StreamingChat that says `text` in pieces, then fails with `error` if any."""

    text: str
    error: Exception | None = None
    finish: str = "stop"
    size: int = 7
    provider: str = "test"
    model: str = "told"
    asked: list[Message] = field(default_factory=list)
    is_closed: bool = False

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_output_tokens: int = 2048,
        temperature: float = 0.2,
        tools: Sequence[ToolSpec] = (),
    ) -> Spoken:
        self.asked += messages
        return Spoken(self)


def events_of(
    model: SpokenModel,
    *,
    evidence: Evidence = EVIDENCE,
    request: AskRequest | None = None,
    until: Callable[[AskEvent], bool] = lambda _: False,
) -> list[AskEvent]:
    """Return what becomes of a question, up to an event if one is named."""

    async def collect() -> list[AskEvent]:
        events = write_answer(request or AskRequest(ASKED, SYSTEM), evidence, model)
        found = []
        async for event in events:
            found.append(event)
            if until(event):
                break
        await events.aclose()
        return found

    return asyncio.run(collect())


def answer_of(model: SpokenModel | str, *, evidence: Evidence = EVIDENCE) -> Answer:
    """Return the whole answer of a model."""
    spoken = SpokenModel(model) if isinstance(model, str) else model
    last = events_of(spoken, evidence=evidence)[-1]
    assert isinstance(last, Finished)
    return last.answer
