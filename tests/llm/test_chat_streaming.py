"""Answers that come piece by piece: their text, tool calls, ends and faults."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

from devrag.llm.chat import Completion, Message, ToolCall, ToolSpec, Usage
from devrag.llm.chat_registry import build_chat
from devrag.llm.errors import (
    ChatError,
    ChatInternal,
    ChatInvalidArgument,
    ChatRefused,
    ChatResourceExhausted,
    ChatToolsUnsupported,
    ChatUnavailable,
)
from devrag.llm.remote.chat import RemoteChat
from devrag.llm.remote.endpoint import Endpoint
from tests.llm.chat_server import Call, ChatServer, Reply, chat_server
from tests.scripted_server import KEY, Scripted

TURNS = [Message("system", "You answer."), Message("user", "What is tea?")]
SEARCH = ToolSpec(
    "search",
    "Find passages.",
    {"type": "object", "properties": {"query": {"type": "string"}}},
)
CALLED = (
    Call("search", {"query": "お茶"}, "call_a"),
    Call("search", {"query": "kettle"}, "call_b"),
)
both = pytest.mark.parametrize("provider", ["openai", "anthropic"])


def build(server: ChatServer, provider: str, seconds: float = 5) -> RemoteChat:
    address = server.url if provider == "openai" else server.url.removesuffix("/v1")
    endpoint = Endpoint(address, KEY, "THE_KEY", "THE_URL")
    chat = build_chat(provider, "small", endpoint=endpoint, timeout_seconds=seconds)
    assert isinstance(chat, RemoteChat)
    return chat


async def read(
    chat: RemoteChat, turns: list[Message] = TURNS, **options: Any
) -> tuple[list[str], Completion]:
    """Return the pieces of text and the completion that ends them."""
    pieces = [piece async for piece in chat.stream(turns, **options)]
    *texts, last = pieces
    assert isinstance(last, Completion)
    return [text for text in texts if isinstance(text, str)], last


def ask(
    server: ChatServer, provider: str, **options: Any
) -> tuple[list[str], Completion]:
    return asyncio.run(read(build(server, provider), **options))


def failure(server: ChatServer, provider: str, seconds: float = 5) -> ChatError:
    with pytest.raises(ChatError) as caught:
        asyncio.run(read(build(server, provider, seconds), tools=[SEARCH]))
    return caught.value


@both
def test_text_comes_in_pieces_and_whole_at_the_end(
    server: ChatServer, provider: str
) -> None:
    text = "".join(f"お茶{number}です。 " for number in range(40))
    server.script = [Reply(text, cached=60, output_tokens=33)]
    pieces, answer = ask(server, provider)
    assert len(pieces) > 10
    assert "".join(pieces) == answer.text == text
    assert (answer.finish_reason, answer.tool_calls) == ("stop", ())
    assert answer.usage == Usage(100, 33, cached_input_tokens=60)


@both
@pytest.mark.parametrize("is_plain", [False, True])
def test_tool_calls_are_put_together(
    server: ChatServer, provider: str, is_plain: bool
) -> None:
    server.script = [Reply("Let me look.", calls=CALLED, is_plain=is_plain)]
    pieces, answer = ask(server, provider, tools=[SEARCH])
    assert "".join(pieces) == answer.text == "Let me look."
    assert [(call.id, call.name) for call in answer.tool_calls] == [
        ("call_a", "search"),
        ("call_b", "search"),
    ]
    (sent,) = server.seen[0].body["tools"]
    described = sent.get("function", sent)
    assert (described["name"], described["description"]) == ("search", "Find passages.")


@both
def test_an_answer_of_calls_alone_is_one(server: ChatServer, provider: str) -> None:
    server.script = [Reply("", calls=CALLED[:1])]
    pieces, answer = ask(server, provider, tools=[SEARCH])
    assert (pieces, answer.text) == ([], "")
    (call,) = answer.tool_calls
    assert call.arguments == CALLED[0].text


@both
def test_broken_arguments_are_handed_on_as_they_are(
    server: ChatServer, provider: str
) -> None:
    server.script = [Reply("", calls=(Call("search", '{"query": "te'),))]
    _, answer = ask(server, provider, tools=[SEARCH])
    assert answer.tool_calls[0].arguments == '{"query": "te'


def test_calls_that_share_an_index_are_told_by_their_ids(server: ChatServer) -> None:
    """As Gemini's compatible API sends them: whole, each with the index 0."""
    calls = [
        {"index": 0, "id": f"c{n}", "function": {"name": "search", "arguments": "{}"}}
        for n in range(3)
    ]
    choice = {"message": {"tool_calls": calls}, "finish_reason": "tool_calls"}
    server.script = [Scripted(200, {"choices": [choice]})]
    _, answer = ask(server, "openai", tools=[SEARCH])
    assert answer.tool_calls == tuple(
        ToolCall(f"c{n}", "search", "{}") for n in range(3)
    )


LOOKED = [
    *TURNS,
    Message(
        "assistant",
        "",
        tool_calls=(
            ToolCall("call_a", "search", '{"query": "tea"}'),
            ToolCall("call_b", "search", '{"query": '),
        ),
    ),
    Message("tool", "Tea is a drink.", tool_call_id="call_a"),
    Message("tool", "No JSON.", tool_call_id="call_b", is_repeated=True),
]


def test_results_of_tools_are_sent_to_openai_each_by_itself(server: ChatServer) -> None:
    asyncio.run(read(build(server, "openai"), LOOKED, tools=[SEARCH]))
    _, _, called, *results = server.seen[0].body["messages"]
    assert called["content"] is None
    assert [call["function"]["arguments"] for call in called["tool_calls"]] == [
        '{"query": "tea"}',
        "{}",
    ]
    assert results == [
        {"role": "tool", "tool_call_id": "call_a", "content": "Tea is a drink."},
        {"role": "tool", "tool_call_id": "call_b", "content": "No JSON."},
    ]


def test_results_of_tools_are_one_turn_of_the_user_for_anthropic(
    server: ChatServer,
) -> None:
    asyncio.run(read(build(server, "anthropic"), LOOKED, tools=[SEARCH]))
    _, called, results = server.seen[0].body["messages"]
    assert [block["input"] for block in called["content"]] == [{"query": "tea"}, {}]
    assert results["role"] == "user"
    assert [block["tool_use_id"] for block in results["content"]] == [
        "call_a",
        "call_b",
    ]
    assert ["cache_control" in block for block in results["content"]] == [False, True]


@both
def test_an_option_that_a_model_refuses_is_left_out(
    server: ChatServer, provider: str
) -> None:
    words = {"error": {"message": "`temperature` is not supported by this model."}}
    server.script = [Scripted(400, words)]
    _, answer = ask(server, provider)
    assert answer.text == "Tea is served."
    assert ["temperature" in asked.body for asked in server.seen] == [True, False]


@both
@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "registry.ollama.ai/library/gemma does not support tools"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice'),
        (404, "No endpoints found that support tool use."),
        (500, "tools param requires --jinja flag"),
    ],
)
def test_a_model_that_takes_no_tools_is_named(
    server: ChatServer, provider: str, status: int, words: str
) -> None:
    server.script = [Scripted(status, {"error": {"message": words}})]
    error = failure(server, provider)
    assert isinstance(error, ChatToolsUnsupported)
    assert "ASK_MODEL" in error.message
    assert error.permanent
    assert error.usage == Usage()


@both
def test_a_refusal_without_tools_is_not_taken_for_one_of_tools(
    server: ChatServer, provider: str
) -> None:
    server.script = [Scripted(400, {"error": {"message": "this tool is too long"}})]
    with pytest.raises(ChatInvalidArgument) as caught:
        ask(server, provider)
    assert not isinstance(caught.value, ChatToolsUnsupported)


# -- bounds ------------------------------------------------------------------------


@both
def test_an_answer_that_goes_round_is_stopped(
    server: ChatServer, provider: str
) -> None:
    begin = "Tea is brewed in a pot, and the pot is kept warm. "
    server.script = [Reply(begin + "The pot is kept warm by its cosy.\n- " * 300)]
    _, answer = ask(server, provider)
    assert answer.finish_reason == "length"
    assert len(answer.text) < 1_000


@both
def test_arguments_that_go_round_are_stopped(server: ChatServer, provider: str) -> None:
    query = "where is the kettle and " * 3_000
    server.script = [Reply("", calls=(Call("search", {"query": query}),))]
    _, answer = ask(server, provider, tools=[SEARCH])
    assert answer.finish_reason == "length"
    assert len(answer.tool_calls[0].arguments) < 2_000


@both
def test_an_answer_without_end_is_stopped(server: ChatServer, provider: str) -> None:
    server.script = [Reply(" ".join(map(str, range(400_000))))]
    _, answer = ask(server, provider, max_output_tokens=100)
    assert answer.finish_reason == "length"
    assert len(answer.text) < 5000


@both
@pytest.mark.parametrize("fault", ["cut", "end"])
def test_a_connection_cut_in_the_middle_is_no_answer(
    server: ChatServer, provider: str, fault: Any
) -> None:
    server.script = [Reply("Tea is served. " * 20, fault=fault)]
    error = failure(server, provider)
    assert isinstance(error, ChatInternal)
    assert "was lost after" in error.message
    assert error.usage.output_tokens > 30


@both
def test_an_overload_in_the_middle_is_told(server: ChatServer, provider: str) -> None:
    server.script = [Reply("Tea is served. " * 20, fault="error")]
    assert "Overloaded" in failure(server, provider).message


@both
@pytest.mark.parametrize("answer", [Scripted(is_late=True), Reply("x", fault="stall")])
def test_silence_ends_the_call(server: ChatServer, provider: str, answer: Any) -> None:
    server.script = [answer]
    error = failure(server, provider, seconds=0.3)
    assert isinstance(error, ChatUnavailable)
    assert "within 0.3 s" in error.message
    assert error.usage.input_tokens > 0


@both
def test_an_answer_that_drips_on_and_on_ends(server: ChatServer, provider: str) -> None:
    server.script = [Reply("Tea is served. " * 200, fault="drip")]
    error = failure(server, provider, seconds=0.6)
    assert isinstance(error, ChatUnavailable)
    assert "1.8 s" in error.message


@both
def test_signs_of_life_alone_are_no_answer(server: ChatServer, provider: str) -> None:
    """OpenRouter comments and Anthropic's pings come while nothing is written."""
    server.script = [Reply("Tea", fault="pings")]
    error = failure(server, provider, seconds=0.3)
    assert isinstance(error, ChatUnavailable)
    assert "0.9 s" in error.message


@both
def test_the_time_of_a_slow_reader_is_not_the_models(
    server: ChatServer, provider: str
) -> None:
    server.script = [Reply("Tea is served. " * 3)]

    async def read_slowly() -> Completion | str:
        stream = build(server, provider, seconds=0.1).stream(TURNS)
        await anext(stream)
        await asyncio.to_thread(server.is_left.wait, 0.5)
        return [piece async for piece in stream][-1]

    assert isinstance(asyncio.run(read_slowly()), Completion)


# -- other failures ----------------------------------------------------------------


@both
@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, {"error": {"message": f"bad key {KEY}"}}, ChatUnavailable),
        (429, {"error": {"message": "slow down"}}, ChatResourceExhausted),
        (302, "", ChatUnavailable),
        (500, {"error": {"message": "oops"}}, ChatInternal),
        (200, "<html>Welcome to the router</html>", ChatInternal),
        (200, {"hello": "world"}, ChatInternal),
    ],
)
def test_a_failure_is_what_it_is_without_a_stream(
    server: ChatServer, provider: str, status: int, body: Any, kind: type[ChatError]
) -> None:
    server.script = [Scripted(status, body, {"Location": "http://127.0.0.1:1/"})]
    error = failure(server, provider)
    assert type(error) is kind
    assert KEY not in error.message
    assert error.__cause__ is None
    assert len(server.seen) == 1


@both
def test_a_refusal_to_answer_is_told(server: ChatServer, provider: str) -> None:
    server.script = [Reply("I cannot help with that.", "refusal")]
    assert isinstance(failure(server, provider), ChatRefused)


@both
def test_a_server_that_is_away_is_named(provider: str) -> None:
    with chat_server() as server:
        pass
    error = failure(server, provider)
    assert isinstance(error, ChatUnavailable)
    assert "THE_URL" in error.message
    assert error.usage == Usage()


# -- closing -----------------------------------------------------------------------


@both
def test_closing_a_stream_closes_its_connection(
    server: ChatServer, provider: str
) -> None:
    server.script = [Reply("Tea is served. " * 200, fault="drip")]

    async def read_some() -> Usage:
        async with aclosing(build(server, provider).stream(TURNS)) as stream:
            for _ in range(3):
                await anext(stream)
        assert await asyncio.to_thread(server.is_left.wait, 5)
        return stream.usage

    usage = asyncio.run(read_some())
    assert usage.input_tokens > 0
    assert usage.output_tokens > 0


@both
def test_a_cancelled_reader_closes_the_connection(
    server: ChatServer, provider: str
) -> None:
    server.script = [Reply("Tea is served. " * 200, fault="drip")]

    async def cancel() -> Usage:
        is_begun = asyncio.Event()
        stream = build(server, provider).stream(TURNS)

        async def consume() -> None:
            async for _ in stream:
                is_begun.set()

        task = asyncio.create_task(consume())
        await is_begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(server.is_left.wait, 5)
        return stream.usage

    assert asyncio.run(cancel()).output_tokens > 0


@both
def test_a_stream_that_was_never_read_used_nothing(
    server: ChatServer, provider: str
) -> None:
    async def close() -> Usage:
        stream = build(server, provider).stream(TURNS)
        await stream.aclose()
        return stream.usage

    assert asyncio.run(close()) == Usage()
    assert server.seen == []


@both
def test_one_model_streams_in_one_event_loop_after_another(
    server: ChatServer, provider: str
) -> None:
    chat = build(server, provider)
    for _ in range(2):
        assert asyncio.run(read(chat))[1].text == "Tea is served."
