"""A shop with notes, a wiki and tokens: all that an agent can ask for, standing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.server.mcpserver import MCPServer

from devrag.access.models import ApiToken
from devrag.access.services import create_token
from devrag.core.untrusted import BEGIN_KEY, END_KEY
from devrag.products.models import Product
from devrag.search.models import VectorCoverage
from devrag.search.semantic.specs import ensure_active_spec
from tests.conftest import Repository
from tests.search.shop import index_shop
from tests.wiki.runs import generate

NOTES = """* Meeting Notes 2024-01-15
  Tags: meeting, january

  Topics discussed:
  - Project timeline
  - Budget allocation

* お茶の会 2024-02-01
  Tags: tea, meeting

  抹茶を飲む。

* Bare 2023-03-01
  A word about the budget.
"""
# As an embed job would have counted them: vectors themselves take long to make.
CHUNKS, VECTORS = 40, 7
_DOC = "Walk a step. " * 25
# More than 8 KB.
LONG = "".join(
    f'def step_{n}():\n    """{_DOC}"""\n    return {n}\n\n\n' for n in range(30)
)


_CLOSED: dict[str, dict[str, Any]] = {
    "expired": {"expires_at": datetime(2026, 1, 2, 3, 4, tzinfo=UTC)},
    "revoked": {"is_revoked": True},
}


@dataclass(frozen=True, slots=True)
class Teahouse:
    """secrets: of tokens by what they may do, `other`: of another product only."""

    repository: Repository
    secrets: dict[str, str]


def open_teahouse(folder: Path) -> Teahouse:
    """Index a shop as source `shop` of product `tea`, write its wiki, make tokens."""
    files: dict[str, str | bytes | None] = {"notes.txt": NOTES, "shop/long.py": LONG}
    repository = index_shop(folder, files)
    tea = Product.objects.get(name="tea")
    generate(tea)
    VectorCoverage.objects.update_or_create(
        spec=ensure_active_spec(),
        source=tea.sources.get(),
        defaults={"chunks": CHUNKS, "embedded": VECTORS},
    )
    other = Product.objects.create(name="coffee", visibility="members")
    given = {
        "read": (["read"], [tea]),
        "index": (["read", "index"], [tea]),
        "other": (["read", "index"], [other]),
    }
    secrets = {
        name: create_token(name=name, scopes=scopes, products=products)[1]
        for name, (scopes, products) in given.items()
    }
    for name, changes in _CLOSED.items():
        token, secrets[name] = create_token(name=name, scopes=["read"])
        ApiToken.objects.filter(pk=token.pk).update(**changes)
    return Teahouse(repository, secrets)


def ask(server: MCPServer[Any], tool: str, /, **arguments: Any) -> Any:
    """Call a tool with the SDK's own client; return its structured answer.

    What a client reads as text must say the same.
    """

    async def call() -> Any:
        async with Client(server) as client:
            return await client.call_tool(tool, arguments)

    result = anyio.run(call)
    assert not result.is_error, result.content
    assert json.loads(result.content[0].text) == result.structured_content
    found = dict(result.structured_content)
    # Marks around text of repositories; what they say is tested in test_server.
    for key in (BEGIN_KEY, END_KEY):
        found.pop(key, None)
    return found
