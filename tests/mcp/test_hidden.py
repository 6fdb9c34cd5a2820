"""What a token may not see does not exist, for every tool and resource that there is.

A new tool has to be added here, with arguments that find something in product `tea`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from devrag.jobs.models import Job
from devrag.mcp.resources import FILE, WIKI
from devrag.mcp.tools.registry import TOOLS
from devrag.navigation.symbol_search import current_symbols
from tests.mcp.teahouse import Teahouse
from tests.mcp.test_http_app import Address, post

NOWHERE = "00000000-0000-0000-0000-000000000000"
# Tools that are given the name of something, with the place of the name.
NAMED: dict[str, dict[str, Any]] = {
    "search": {"query": "charge", "collection": "shop"},
    "rag-search": {"query": "charge product:tea"},
    "search_code": {"query": "charge", "collection": "shop"},
    "get_function_details": {"function_id": "UUID", "collection": "shop"},
    "find_symbol": {"name": "charge", "collection": "shop"},
    "get_references": {"symbol": "UUID"},
    "find_related": {"place": "shop:shop/till.py:7"},
    "read_file": {"source": "shop", "path": "shop/till.py"},
    "list_tree": {"source": "shop"},
    "list_mentions": {"source": "shop", "path": "shop/till.py"},
    "list_wiki_pages": {"product": "tea"},
    "list_conflicts": {"product": "tea"},
    "read_wiki": {"product": "tea"},
    "ask": {"question": "What charges?", "collection": "tea"},
    "gather_context": {"question": "What charges?", "collection": "shop"},
    "query_memos": {"query": "budget", "collection": "shop"},
    "list_tags": {"collection": "tea"},
    "get_recent_memos": {"collection": "shop"},
    "get_document_count": {"collection": "tea"},
    "reindex": {"source": "shop"},
    "get_job": {"job_id": "JOB"},
    "add_folder": {"path": "/no/such/folder", "product": "tea"},
}
# The same and others, asked for all that there is.
UNNAMED: dict[str, dict[str, Any]] = {
    "list_collections": {},
    "search": {"query": "charge"},
    "rag-search": {"query": "exact:charge"},
    "find_symbol": {"name": "charge"},
    "ask": {"question": "What charges?"},
    "gather_context": {"question": "What charges?"},
    "query_memos": {"query": "budget"},
    "list_tags": {},
    "get_recent_memos": {},
    "get_document_count": {},
}


@pytest.fixture
def ids(teahouse: Teahouse) -> dict[str, str]:
    """Return ids of what is there."""
    job = Job.objects.filter(product__name="tea").first()
    symbol = current_symbols().filter(name="charge").first()
    assert symbol is not None
    assert job is not None
    return {"UUID": str(symbol.uuid), "JOB": str(job.pk)}


_NOT_THERE = (
    "Available: coffee.",
    "not found",
    "Nothing found",
    "does not exist",
    "no ",
)


def fill_arguments(arguments: dict[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    """Return the arguments with ids of what is there."""
    return {key: ids.get(value, value) for key, value in arguments.items()}


def _elsewhere(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments with names and ids of nothing."""
    text = json.dumps(arguments)
    for old, new in (
        ('"tea"', '"nil"'),
        ("product:tea", "product:nil"),
        ('"shop', '"none'),
        ("UUID", NOWHERE),
        ("JOB", NOWHERE),
    ):
        text = text.replace(old, new)
    asked: dict[str, Any] = json.loads(text)
    return asked


def _say(address: Address, secret: str, method: str, **params: Any) -> dict[str, Any]:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    status, answer = post(address, body, Authorization=f"Bearer {secret}")
    assert status == 200
    return answer


def _call(
    address: Address, teahouse: Teahouse, name: str, arguments: dict[str, Any]
) -> dict[str, Any]:
    """Ask with a token of another product, that may do all."""
    secret = teahouse.secrets["other"]
    return _say(address, secret, "tools/call", name=name, arguments=arguments)


def test_every_tool_is_asked() -> None:
    assert NAMED.keys() | UNNAMED.keys() == TOOLS.keys()


def test_hidden_and_unknown_are_answered_alike(
    address: Address, teahouse: Teahouse, ids: dict[str, str]
) -> None:
    # Nothing is changed by who is refused: one teahouse serves for all tools.
    for name, arguments in NAMED.items():
        asked, unknown = fill_arguments(arguments, ids), _elsewhere(arguments)
        hidden = _call(address, teahouse, name, asked)["error"]
        nothing = _call(address, teahouse, name, unknown)["error"]
        assert hidden["code"] == nothing["code"], name
        said = nothing["message"]
        for key, value in asked.items():
            said = said.replace(str(unknown[key]), str(value))
        said = said.replace("'nil'", "'tea'").replace("'none", "'shop")
        assert hidden["message"] == said, name
        assert any(words in said for words in _NOT_THERE), (name, said)


def test_nothing_names_what_is_hidden(address: Address, teahouse: Teahouse) -> None:
    for name, arguments in UNNAMED.items():
        result = _call(address, teahouse, name, arguments)["result"]
        text = json.dumps(result["structuredContent"])
        assert "shop" not in text, name
        assert '"tea"' not in text, name


def test_who_may_see_it_is_answered(
    address: Address, teahouse: Teahouse, ids: dict[str, str]
) -> None:
    # Else the tests above would pass for arguments that find nothing.
    for name in NAMED.keys() - {"reindex", "add_folder"}:
        params = {"name": name, "arguments": fill_arguments(NAMED[name], ids)}
        answer = _say(address, teahouse.secrets["read"], "tools/call", **params)
        assert "result" in answer, (name, answer)


@pytest.mark.parametrize("template", [WIKI, FILE])
def test_resources_of_what_is_hidden_are_unknown(
    address: Address, teahouse: Teahouse, template: str
) -> None:
    names = {"{product}": "tea", "{+page}": "index.md"}
    names |= {"{source}": "shop", "{+path}": "shop/till.py"}
    uri = template
    for key, value in names.items():
        uri = uri.replace(key, value)
    secrets = teahouse.secrets
    assert "result" in _say(address, secrets["read"], "resources/read", uri=uri)
    error = _say(address, secrets["other"], "resources/read", uri=uri)["error"]
    assert error["code"] == -32001
    assert "Available: coffee." in error["message"]


def test_every_template_is_asked(address: Address, teahouse: Teahouse) -> None:
    secret = teahouse.secrets["other"]
    listed = _say(address, secret, "resources/templates/list")["result"]
    uris = {each["uriTemplate"] for each in listed["resourceTemplates"]}
    assert uris == {WIKI, FILE}
    assert _say(address, secret, "resources/list")["result"]["resources"] == []
    shown = _say(address, teahouse.secrets["read"], "resources/list")["result"]
    assert [each["uri"] for each in shown["resources"]] == [
        "devrag://wiki/tea/index.md"
    ]
