"""What a provider may answer with, over HTTP: the page is right or reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from devrag.core.errors import ProviderError
from devrag.llm.chat import ChatModel
from devrag.llm.chat_registry import build_chat
from devrag.llm.remote.endpoint import Endpoint
from devrag.products.models import Product
from devrag.spending import language_model
from devrag.wiki.models import Version, Wiki
from tests.llm.chat_server import Asked, ChatServer, Reply, use_server
from tests.scripted_server import KEY, Scripted
from tests.tiers import mostly_slow, mostly_slow_rows
from tests.wiki.model_pages import (
    DESIGN,
    SECTION_BY_SECTION,
    gates_of,
    lead_of,
    structural_lead,
    write,
)
from tests.wiki.runs import generate
from tests.wiki.scripted import ScriptedModel

HONEST = ScriptedModel()
BAD: Mapping[str, Any] = {
    "refusal": Reply("I cannot help with that.", "refusal"),
    "nothing": Reply(""),
    "blanks": Reply(" \n\n"),
    "cut connection": Reply("It sells tea [[E1]]. " * 20, fault="cut"),
    "early end": Reply("It sells tea [[E1]]. " * 20, fault="end"),
    "overload": Reply("It sells tea [[E1]]. " * 20, fault="error"),
    "500": Scripted(500, {"error": {"message": "oops"}}),
    "no API": Scripted(200, "<html>Welcome to the router</html>"),
    "E99": Reply("It never loses an order [[E99]]."),
    "script": Reply("<script>alert(1)</script> It sells [[E1]]."),
    "2 MB": Reply("word " * 400_000),
    "no format": Reply('{"title": "Orders"}'),
    "language": Reply("これは日本語で書かれた長い文章である [[E1]]。"),
    "cut": Reply("=== 0\nIt keeps", "length"),
    "broken diagram": Reply("```mermaid\nflowchart TD\n  a -->\n```"),
    "name": Reply("It is in `no_such_thing()` [[E1]]."),
}
# Of no use to ask again: the prompt is as long the next time.
TOO_LONG = Scripted(400, {"error": {"message": "maximum context length is 4096"}})
# What the clients make of an answer is told apart in tests/llm.
either = pytest.mark.parametrize(
    "provider", ["openai", pytest.param("anthropic", marks=pytest.mark.slow)]
)
each = pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())


@pytest.fixture
def chat(server: ChatServer, provider: str) -> ChatModel:
    address = server.url if provider == "openai" else server.url.removesuffix("/v1")
    endpoint = Endpoint(address, KEY, "THE_KEY", "THE_URL")
    return build_chat(provider, "small", endpoint=endpoint, timeout_seconds=5)


@either
@each
def test_one_bad_answer_costs_a_call_and_nothing_of_the_page(
    bad: Any, server: ChatServer, chat: ChatModel
) -> None:
    bads = [bad]

    def answer(asked: Asked) -> Any:
        return bads.pop() if bads else ScriptedModel.serve(HONEST, asked)

    server.write = answer
    draft = write(chat, design=DESIGN)
    assert draft.findings == ()
    assert "As to “Placing an order”" in draft.markdown


@either
@pytest.mark.parametrize(
    "bad",
    mostly_slow([*BAD.values(), TOO_LONG], quick=6),
    ids=[*BAD.keys(), "too long"],
)
def test_answers_that_are_always_bad_leave_the_facts(
    bad: Any, server: ChatServer, chat: ChatModel
) -> None:
    def answer(asked: Asked) -> Any:
        is_last = "words\nTests\n" in asked.prompt
        return ScriptedModel.serve(HONEST, asked) if is_last else bad

    server.write = answer
    draft = write(chat, budget=SECTION_BY_SECTION)
    assert draft.is_unfinished
    assert "section" in gates_of(draft)
    assert lead_of(draft) == structural_lead()
    assert "sequenceDiagram" in draft.markdown
    for trace in ("E99", "<script", "no_such_thing", "never loses", "a -->"):
        assert trace not in draft.markdown
    sections = draft.markdown.count("\n## ") + 1
    assert len(server.seen) <= 3 * sections


# -- a whole run ---------------------------------------------------------------------


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that a run would have waited before it asked again."""
    waited: list[float] = []
    patient = language_model.ask_patiently

    def ask(call: Callable[[], Any], **_: Any) -> Any:
        return patient(call, pause=waited.append)

    monkeypatch.setattr(language_model, "ask_patiently", ask)
    return waited


LIMIT = Scripted(429, {"error": {"message": "slow down"}}, {"Retry-After": "7"})
PASSING: Mapping[str, tuple[Any, float]] = {
    "429 with Retry-After": (LIMIT, 7),
    "500": (BAD["500"], 1),
    "cut connection": (BAD["cut connection"], 1),
    "nothing": (BAD["nothing"], 1),
    "silence": (Reply("It sells", fault="stall"), 1),
}


@either
@pytest.mark.parametrize(
    ("fault", "seconds"), mostly_slow_rows(PASSING.values()), ids=PASSING.keys()
)
def test_what_passes_by_itself_costs_no_page(
    fault: Any,
    seconds: float,
    provider: str,
    shelf: Product,
    server: ChatServer,
    pauses: list[float],
    settings: Any,
) -> None:
    use_server(server, settings, provider)
    settings.LLM_TIMEOUT = 1.0
    model = ScriptedModel()
    left = [fault]

    def answer(asked: Asked) -> Any:
        is_due = len(model.asked) == 5 and left
        return left.pop() if is_due else model.serve(asked)

    server.write = answer
    report = generate(shelf)
    assert (report["cut"], report["unfinished"], pauses) == ([], [], [seconds])


ENDING = {
    "wrong key": (Scripted(401, {"error": {"message": "no such key"}}), "LLM_API_KEY"),
    "no money": (Scripted(402, {"error": {"message": "pay"}}), "money|credit|quota"),
    "no model": (Scripted(404, {"error": {"message": "unknown"}}), "gpt-4.1"),
}


@either
@pytest.mark.parametrize(
    ("fault", "way_out"), mostly_slow_rows(ENDING.values()), ids=ENDING.keys()
)
def test_what_does_not_pass_leaves_the_version_and_says_the_way_out(
    fault: Any,
    way_out: str,
    provider: str,
    shelf: Product,
    server: ChatServer,
    settings: Any,
) -> None:
    use_server(server, settings, provider)
    server.write = ScriptedModel().serve
    generate(shelf)
    server.write = lambda _asked: fault
    with pytest.raises(ProviderError, match=way_out) as caught:
        generate(shelf, isForced=True)
    assert caught.value.permanent
    assert Wiki.objects.get().current == Version.objects.get()
