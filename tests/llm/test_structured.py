from __future__ import annotations

import pytest

from devrag.llm.chat import ChatModel, Message
from devrag.llm.chat_registry import build_chat
from devrag.llm.errors import ChatInternal
from devrag.llm.remote.endpoint import Endpoint
from devrag.llm.structured import ask_for_object
from tests.llm.chat_server import ChatServer, Reply
from tests.scripted_server import Scripted

SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}}
OUTLINE = [Message("user", "Outline tea.")]


@pytest.fixture
def model(server: ChatServer) -> ChatModel:
    endpoint = Endpoint(server.url)
    return build_chat("openai", "small", endpoint=endpoint, timeout_seconds=5)


@pytest.mark.parametrize(
    "text",
    ['{"title": "茶"}', 'Here it is:\n```json\n{"title": "茶"}\n```\nEnjoy!'],
)
def test_an_object_is_found_in_the_answer(
    server: ChatServer, model: ChatModel, text: str
) -> None:
    server.script = [text]
    assert ask_for_object(model, OUTLINE, schema=SCHEMA) == {"title": "茶"}


def test_a_model_that_knows_no_schemas_is_told_in_words(
    server: ChatServer, model: ChatModel
) -> None:
    words = {"error": {"message": "response_format is not supported"}}
    server.script = [Scripted(400, words), '{"title": "Tea"}']
    assert ask_for_object(model, OUTLINE, schema=SCHEMA) == {"title": "Tea"}
    assert '"properties"' in server.seen[1].prompt


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Reply('{"title": "Te', "length"), "cut at 2048 tokens"),
        ('{"title": ', "no JSON"),
        ("[1]", "a list, not an object"),
        ("Tea.", "no JSON"),
    ],
)
def test_half_an_object_is_none(
    server: ChatServer, model: ChatModel, answer: object, said: str
) -> None:
    server.script = [answer]
    with pytest.raises(ChatInternal, match=said):
        ask_for_object(model, OUTLINE, schema=SCHEMA)
