"""Messages of a chat become a question with its history."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest

from devrag.api.chat.completions import Completion
from devrag.api.chat.messages import ChatRequest, to_request
from devrag.ask.documents import without_links
from devrag.ask.types import (
    Answer,
    AskEvent,
    AskRequest,
    Checked,
    Exchange,
    Passage,
)
from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM


def _read(*messages: tuple[str, Any], **fields: Any) -> AskRequest:
    body = ChatRequest(
        model="tea",
        messages=[{"role": role, "content": text} for role, text in messages],
        **fields,
    )
    return to_request(body, SYSTEM, "tea")


def _passage(path: str) -> Passage:
    return Passage(
        id="E1",
        product="tea",
        source="shop",
        path=path,
        start_line=7,
        end_line=9,
        text="…",
        version_identifier="a" * 40,
        content_hash="b" * 64,
        kind="definition",
        title="Cart.add",
    )


def test_the_last_message_of_the_user_is_the_question() -> None:
    asked = _read(
        ("user", "Where is it opened?"),
        ("assistant", "In `open`."),
        ("user", "And closed?"),
    )
    assert asked.question == "And closed?"
    assert asked.scope.products == ("tea",)
    assert asked.history == (Exchange("Where is it opened?", "In `open`."),)


def test_an_unanswered_message_is_history_without_an_answer() -> None:
    asked = _read(("user", "One?"), ("user", "Two?"), ("tool", "x"), ("user", "Three?"))
    assert asked.history == (Exchange("One?", ""), Exchange("Two?", ""))


def test_an_earlier_answer_is_read_back_with_its_paths() -> None:
    answer = Answer(
        markdown="It adds [1](cite:1), then pays [2](cite:2).\n",
        citations=(_passage("shop/cart.py"), _passage("docs/日本語 (1).md")),
        evidence=(),
        outcome="answered",
        diagram="sequenceDiagram\n  A->>B: add",
    )
    made = Completion("tea", lambda each: f"https://x/{quote(each.path)}").whole(answer)
    text = made["choices"][0]["message"]["content"]
    assert "```mermaid\nsequenceDiagram" in text
    asked = _read(("user", "How?"), ("assistant", text), ("user", "Why?"))
    (earlier,) = asked.history
    assert earlier.paths == ("shop/cart.py", "docs/日本語 (1).md")
    assert earlier.answer.startswith("It adds [1](cite:1), then pays [2](cite:2).")
    assert "1. [`shop" not in earlier.answer


def test_names_of_a_repository_are_no_markdown_of_the_message() -> None:
    hostile = replace(
        _passage("a](https://evil.example) (1.md"),
        title="![x](https://evil.example/p.png) `b`",
    )
    answer = Answer("Yes [1](cite:1).\n", (hostile,), (), "answered")
    made = Completion("tea", lambda _: "https://x/a(1.md").whole(answer)
    listed = made["choices"][0]["message"]["content"].rpartition("\n")[2]
    assert listed == (
        "1. [`a](https://evil.example) (1.md:7-9`](https://x/a%281.md) "
        "`![x](https://evil.example/p.png) 'b'`"
    )


@pytest.mark.parametrize(
    ("told", "language"),
    [
        ("You are a pirate.", ""),
        ("Always answer in Japanese.", "ja"),
        ("必ず日本語で答えてください。", "ja"),
        ("Reply in English.", "en"),
        ("Translate texts in English to texts in Japanese.", ""),
    ],
)
def test_messages_of_the_system_choose_the_language_and_no_more(
    told: str, language: str
) -> None:
    asked = _read(("system", told), ("user", "How?"))
    assert (asked.language, asked.question, asked.history) == (language, "How?", ())


def test_parts_with_a_text_are_its_lines() -> None:
    parts = [
        {"type": "text", "text": "How?"},
        {"type": "image_url"},
        {"text": "\0Why?"},
    ]
    assert _read(("user", parts)).question == "How?\nWhy?"


@pytest.mark.parametrize(
    ("effort", "mode"), [(None, "quick"), ("low", "quick"), ("high", "thorough")]
)
def test_high_effort_is_the_thorough_mode(effort: str | None, mode: str) -> None:
    assert _read(("user", "How?"), reasoning_effort=effort).mode == mode


def test_messages_without_a_question_are_refused() -> None:
    with pytest.raises(InvalidInput, match="role 'user'"):
        _read(("system", "x"))


def test_chunks_that_are_no_longer_read_have_ended_their_work() -> None:
    ended: list[str] = []

    async def work() -> AsyncGenerator[AskEvent, None]:
        try:
            yield Checked("One.", ())
            yield Checked("One. Two.", ())
        finally:
            ended.append("work")

    async def close() -> list[str]:
        completion = Completion("tea", without_links)
        chunks = completion.write_chunks(work(), has_usage=False)
        await anext(chunks)  # who speaks
        await anext(chunks)
        await chunks.aclose()
        return list(ended)

    assert asyncio.run(close()) == ["work"]
