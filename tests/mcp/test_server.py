"""Text of repositories is marked as data in the answers of tools."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest
from mcp import Client

from devrag.core.untrusted import BEGIN_KEY, END_KEY
from devrag.jobs.models import Job
from devrag.mcp.server import DevragServer
from devrag.parsing.tokens import estimate_tokens


def _word(answer: dict[str, Any]) -> str:
    return str(answer[BEGIN_KEY]).rpartition(" ")[2]


def _call(server: DevragServer, tool: str, **arguments: Any) -> Any:
    async def call() -> Any:
        async with Client(server) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(call)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {"query": "charge", "collection": "shop"}),
        ("search_code", {"query": "charge", "collection": "shop"}),
        ("find_symbol", {"name": "charge"}),
        ("ask", {"question": "What charges?"}),
        ("gather_context", {"question": "What charges?"}),
        ("read_file", {"source": "shop", "path": "shop/till.py"}),
    ],
)
def test_answers_with_text_of_repositories_are_marked(
    server: DevragServer, tool: str, arguments: dict[str, Any]
) -> None:
    result = _call(server, tool, **arguments)

    text = result.content[0].text
    answer = json.loads(text)
    assert answer == result.structured_content
    assert next(iter(answer)) == BEGIN_KEY
    assert list(answer)[-1] == END_KEY
    assert _word(answer) == answer[END_KEY]
    assert text.count(answer[END_KEY]) == 2
    marks = {key: answer[key] for key in (BEGIN_KEY, END_KEY)}
    assert estimate_tokens(json.dumps(marks)) < 40


def test_what_a_git_host_says_of_a_job_is_marked(server: DevragServer) -> None:
    started = _call(server, "reindex", source="shop", wait_seconds=0)
    job_id = str(Job.objects.latest("created_at").pk)
    followed = _call(server, "get_job", job_id=job_id)
    for result in (started, followed):
        assert list(result.structured_content)[-1] == END_KEY


@pytest.mark.parametrize("tool", ["list_collections", "get_document_count"])
def test_answers_without_such_text_are_not(server: DevragServer, tool: str) -> None:
    assert BEGIN_KEY not in _call(server, tool).structured_content


def test_equal_answers_have_equal_marks(server: DevragServer) -> None:
    asked = {"source": "shop", "path": "shop/till.py"}
    first = _call(server, "read_file", **asked).structured_content

    assert _call(server, "read_file", **asked).structured_content == first


def test_instructions_say_what_the_marks_mean(server: DevragServer) -> None:
    assert BEGIN_KEY in str(server.instructions)
    assert END_KEY in str(server.instructions)
