"""Every tool, with every kind of token.

The tools are those of the registry. A new one needs a line under `[tools.names]` in
scripts/permissions.toml, and arguments in tests/mcp/test_hidden.py.
"""

from __future__ import annotations

from typing import Any

from devrag.mcp.tools.registry import TOOLS
from scripts.permissions import DECLARED
from tests.mcp.teahouse import Teahouse
from tests.mcp.test_hidden import NAMED, UNNAMED, fill_arguments, ids
from tests.mcp.test_http_app import Address, post

__all__ = ["ids"]  # a fixture

_DECLARED: dict[str, str] = DECLARED["tools"]["names"]
_LEVELS: dict[str, dict[str, str]] = DECLARED["tools"]["levels"]


def test_every_tool_is_declared() -> None:
    missing = TOOLS.keys() - _DECLARED.keys()
    assert not missing, (
        f"{sorted(missing)}: say in scripts/permissions.toml, under [tools.names], who "
        "may call them, then `make permissions`."
    )
    assert _DECLARED.keys() - TOOLS.keys() == set()


def test_every_token_gets_what_is_declared(
    address: Address, teahouse: Teahouse, ids: dict[str, str]
) -> None:
    wrong = {}
    for name, level in _DECLARED.items():
        scope = _LEVELS[level]["scope"]
        arguments = fill_arguments((NAMED | UNNAMED)[name], ids)
        is_named = name in NAMED and name not in UNNAMED
        expected = {
            "": "no token",
            "read": "yes" if scope == "read" else "no",
            "other": "hidden" if is_named else "yes",
        }
        for token, declared in expected.items():
            got = _call(address, teahouse.secrets.get(token, ""), name, arguments)
            if got != declared:
                wrong[f"{name} with {token or 'no token'}"] = f"{got}, not {declared}"
    assert wrong == {}


def _call(address: Address, secret: str, name: str, arguments: Any) -> str:
    params = {"name": name, "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    status, answer = post(address, body, Authorization=f"Bearer {secret}".strip())
    if status == 401:
        return "no token"
    if "result" in answer:
        return "yes"
    said = answer["error"]["message"]
    return "no" if "lacks the scope" in said else "hidden"
