"""Language models against a server that speaks their protocols, by the real clients."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from devrag.core.errors import ProviderError
from devrag.core.texts import Text
from devrag.llm.chat import ChatModel, Completion, Message, Usage
from devrag.llm.chat_registry import DEFAULT_MODELS, build_chat
from devrag.llm.errors import (
    ChatError,
    ChatInternal,
    ChatInvalidArgument,
    ChatModelNotFound,
    ChatRefused,
    ChatResourceExhausted,
    ChatUnavailable,
)
from devrag.llm.remote.endpoint import Endpoint
from tests.llm.chat_server import ChatServer, Reply, chat_server
from tests.scripted_server import KEY, Scripted

PROVIDERS = ("openai", "anthropic")
SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}}
TURNS = [
    Message("system", "You write.", is_repeated=True),
    Message("user", "The evidence.", is_repeated=True),
    Message("user", "Write about tea."),
]
both = pytest.mark.parametrize("provider", PROVIDERS)


def build(server: ChatServer, provider: str, seconds: float = 5) -> ChatModel:
    address = server.url if provider == "openai" else server.url.removesuffix("/v1")
    endpoint = Endpoint(address, KEY, "THE_KEY", "THE_URL")
    return build_chat(provider, "small", endpoint=endpoint, timeout_seconds=seconds)


def ask(server: ChatServer, provider: str, **options: Any) -> Completion:
    return build(server, provider).complete(TURNS, **options)


def failure(server: ChatServer, provider: str, seconds: float = 5) -> ChatError:
    with pytest.raises(ChatError) as caught:
        build(server, provider, seconds).complete(TURNS)
    return caught.value


@both
def test_the_answer_comes_whole_with_what_it_used(
    server: ChatServer, provider: str
) -> None:
    text = "".join(f"お茶{number}です。 " for number in range(40))
    server.script = [Reply(text, cached=60, output_tokens=33)]
    answer = ask(server, provider)
    assert answer.text == text
    assert answer.finish_reason == "stop"
    assert answer.usage == Usage(100, 33, cached_input_tokens=60)


@both
def test_it_is_asked_for_2048_tokens_at_02(server: ChatServer, provider: str) -> None:
    ask(server, provider)
    (asked,) = server.seen
    assert asked.body["max_tokens"] == 2048
    assert asked.body["temperature"] == 0.2
    assert asked.body["model"] == "small"
    assert asked.body["stream"] is True
    assert asked.headers["authorization"] == f"Bearer {KEY}"


@both
def test_turns_of_one_role_are_one_turn(server: ChatServer, provider: str) -> None:
    ask(server, provider)
    assert server.seen[0].messages == [
        ("system", "You write."),
        ("user", "The evidence.\n\nWrite about tea."),
    ]


def test_what_calls_begin_with_is_marked_for_the_cache(server: ChatServer) -> None:
    server.script = [Reply("Tea.", input_tokens=100, cached=30, written=50)]
    answer = ask(server, "anthropic")
    body = server.seen[0].body
    blocks = [*body["system"], *body["messages"][0]["content"]]
    assert ["cache_control" in block for block in blocks] == [True, True, False]
    assert answer.usage == Usage(100, 20, 30, 50)


@both
def test_a_server_that_does_not_stream_is_understood(
    server: ChatServer, provider: str
) -> None:
    server.script = [Reply("Tea.", "length", is_plain=True)]
    answer = ask(server, provider)
    assert (answer.text, answer.finish_reason) == ("Tea.", "length")
    assert answer.usage == Usage(100, 20)


@both
def test_an_answer_cut_at_the_limit_says_so(server: ChatServer, provider: str) -> None:
    server.script = [Reply("Tea is", "length")]
    assert ask(server, provider).finish_reason == "length"


@both
def test_an_answer_that_goes_round_is_stopped(
    server: ChatServer, provider: str
) -> None:
    begin = "Tea is brewed in a pot, and the pot is kept warm. "
    server.script = [Reply(begin + "The pot is kept warm by its cosy.\n- " * 300)]
    answer = ask(server, provider)
    assert answer.finish_reason == "length"
    assert answer.text.startswith(begin)
    assert len(answer.text) < 1_000


@both
def test_an_answer_without_end_is_stopped(server: ChatServer, provider: str) -> None:
    server.script = [Reply(" ".join(map(str, range(400_000))))]
    answer = ask(server, provider, max_output_tokens=100)
    assert answer.finish_reason == "length"
    assert len(answer.text) < 5000


@both
def test_what_a_server_does_not_count_is_estimated(
    server: ChatServer, provider: str
) -> None:
    server.script = [Reply("x" * 350, is_counted=False)]
    usage = ask(server, provider).usage
    assert usage.output_tokens == 100
    assert 5 < usage.input_tokens < 15


@both
def test_a_schema_is_sent_as_the_api_wants_it(
    server: ChatServer, provider: str
) -> None:
    ask(server, provider, schema=SCHEMA)
    body = server.seen[0].body
    if provider == "openai":
        assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    else:
        assert body["output_config"]["format"]["schema"] == SCHEMA


@pytest.mark.parametrize(
    ("provider", "option", "status"),
    [
        ("openai", "temperature", 400),
        ("openai", "stream_options", 422),
        ("openai", "response_format", 500),  # as llama-cpp-python says it
        ("anthropic", "temperature", 400),
        ("anthropic", "output_config", 400),
    ],
)
def test_an_option_that_a_model_refuses_is_left_out_from_then_on(
    server: ChatServer, provider: str, option: str, status: int
) -> None:
    words = {"error": {"message": f"`{option}` is not supported by this model."}}
    server.script = [Scripted(status, words)]
    model = build(server, provider)
    for _ in range(2):
        assert model.complete(TURNS, schema=SCHEMA).text == "Tea is served."
    assert [option in asked.body for asked in server.seen] == [True, False, False]


def test_a_model_that_wants_the_limits_new_name_gets_it(server: ChatServer) -> None:
    words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."
    server.script = [Scripted(400, {"error": {"message": words}})]
    ask(server, "openai")
    assert server.seen[1].body["max_completion_tokens"] == 2048
    assert "max_tokens" not in server.seen[1].body


# -- what goes wrong ---------------------------------------------------------------


ERRORS = [
    (401, {"error": {"message": f"bad key {KEY}"}}, ChatUnavailable, True),
    (403, "no", ChatUnavailable, True),
    (404, {"error": {"message": "unknown"}}, ChatModelNotFound, True),
    (400, {"error": {"message": "prompt is too long"}}, ChatInvalidArgument, True),
    (413, "too long", ChatInvalidArgument, True),
    (500, {"error": {"message": "oops"}}, ChatInternal, False),
    (529, {"error": {"type": "overloaded_error"}}, ChatInternal, False),
    (502, "<html>bad gateway</html>", ChatInternal, False),
    (302, "", ChatUnavailable, True),
    (402, {"error": {"message": "pay"}}, ChatResourceExhausted, True),
    (
        400,
        {"error": {"message": "Your credit balance is too low"}},
        ChatResourceExhausted,
        True,
    ),
    (
        429,
        {"error": {"message": "no money", "code": "insufficient_quota"}},
        ChatResourceExhausted,
        True,
    ),
    (429, {"error": {"message": "slow down"}}, ChatResourceExhausted, False),
]


@both
@pytest.mark.parametrize(("status", "body", "kind", "is_permanent"), ERRORS)
def test_a_refusal_says_who_why_and_the_way_out(
    server: ChatServer,
    provider: str,
    status: int,
    body: Any,
    kind: type[ProviderError],
    is_permanent: bool,
) -> None:
    server.script = [Scripted(status, body, {"Location": "/elsewhere"})]
    error = failure(server, provider)
    assert (type(error), error.permanent) == (kind, is_permanent)
    assert server.url.removesuffix("/v1") in error.message
    assert str(status) in error.message
    assert error.message.count(".") >= 2
    assert isinstance(error.message, Text)  # to be told in the reader's language
    assert error.usage == Usage()
    assert len(server.seen) == 1


@both
def test_a_limit_says_how_long_to_wait(server: ChatServer, provider: str) -> None:
    server.script = [Scripted(429, {"error": {}}, {"Retry-After": "7"})]
    assert failure(server, provider).retry_after_seconds == 7


@both
@pytest.mark.parametrize("fault", ["cut", "end"])
def test_a_connection_cut_in_the_middle_is_no_answer(
    server: ChatServer, provider: str, fault: Any
) -> None:
    server.script = [Reply("Tea is served. " * 20, fault=fault)]
    error = failure(server, provider)
    assert isinstance(error, ChatInternal)
    assert "was lost after" in error.message
    assert isinstance(error.message, Text)
    assert not error.permanent
    assert error.usage.output_tokens > 30  # paid for all the same
    assert error.usage.input_tokens > 0


@both
def test_an_end_before_the_first_word_names_the_size_of_the_prompt(
    server: ChatServer, provider: str
) -> None:
    """llama.cpp's server answers so to what is longer than the model's window."""
    server.script = [Reply("Tea is served.", fault="none")]
    error = failure(server, provider)
    assert isinstance(error, ChatInternal)
    assert "before the first word" in error.message
    assert "larger context window" in error.message
    assert not error.permanent


@both
def test_an_overload_in_the_middle_is_told(server: ChatServer, provider: str) -> None:
    server.script = [Reply("Tea is served. " * 20, fault="error")]
    error = failure(server, provider)
    assert isinstance(error, ChatInternal)
    assert "Overloaded" in error.message
    assert not error.permanent


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
    assert error.usage.output_tokens > 5


@both
@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_answer_is_none(server: ChatServer, provider: str, text: str) -> None:
    server.script = [Reply(text)]
    error = failure(server, provider)
    assert "returned an empty answer" in error.message
    assert error.usage == Usage(100, 20)


@both
def test_a_model_that_only_thinks_is_named(server: ChatServer, provider: str) -> None:
    server.script = [Reply("", "length", output_tokens=2048)]
    error = failure(server, provider)
    assert error.permanent
    assert "2048 tokens before its first word" in error.message


@both
def test_a_model_that_refuses_is_named(server: ChatServer, provider: str) -> None:
    server.script = [Reply("I cannot help with that.", "refusal")]
    error = failure(server, provider)
    assert isinstance(error, ChatRefused)
    assert error.permanent
    assert "small" in error.message
    assert error.usage == Usage(100, 20)


def test_a_filter_that_stops_an_answer_is_a_refusal(server: ChatServer) -> None:
    choice = {"message": {"content": "Te"}, "finish_reason": "content_filter"}
    server.script = [Scripted(200, {"choices": [choice]})]
    assert isinstance(failure(server, "openai"), ChatRefused)


@both
@pytest.mark.parametrize(
    "body", ["<html>Welcome to the router</html>", {"hello": "world"}, [], None]
)
def test_garbage_is_no_answer(server: ChatServer, provider: str, body: Any) -> None:
    server.script = [Scripted(200, body)]
    error = failure(server, provider)
    assert isinstance(error, ChatInternal)
    assert "THE_URL" in error.message


@both
def test_a_server_that_is_away_is_named(provider: str) -> None:
    with chat_server() as server:
        pass
    error = failure(server, provider)
    assert isinstance(error, ChatUnavailable)
    assert "THE_URL" in error.message
    assert error.usage == Usage()


@both
def test_the_key_is_nowhere_to_be_read(
    server: ChatServer, provider: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    words = f"Incorrect API key provided: {KEY} or sk-proj-abcdefgh12345678"
    server.script = [Scripted(401, {"error": {"message": words}})]
    error = failure(server, provider)
    for shown in (error.message, caplog.text, repr(vars(build(server, provider)))):
        assert KEY not in shown
        assert "abcdefgh12345678" not in shown
    assert error.__cause__ is None


@both
def test_a_server_without_a_key_gets_none(server: ChatServer, provider: str) -> None:
    endpoint = Endpoint(server.url)
    model = build_chat(provider, "small", endpoint=endpoint, timeout_seconds=5)
    assert model.complete(TURNS).text
    assert not {"authorization", "x-api-key"} & set(server.seen[0].headers)


@both
def test_a_provider_of_its_own_wants_a_key(provider: str) -> None:
    endpoint = Endpoint(key_setting="THE_KEY")
    model = build_chat(provider, "", endpoint=endpoint, timeout_seconds=5)
    assert model.model == DEFAULT_MODELS[provider]
    with pytest.raises(ChatUnavailable, match="Set THE_KEY"):
        model.complete(TURNS)


def test_an_unknown_provider_is_told_the_known_ones() -> None:
    with pytest.raises(ChatModelNotFound, match="anthropic, openai"):
        build_chat("oracle", "", endpoint=Endpoint(), timeout_seconds=5)
