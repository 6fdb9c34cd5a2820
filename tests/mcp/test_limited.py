"""A source that only some members see exists for no other agent, by any tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from devrag.access.services import create_token
from devrag.products.models import Membership, Product
from tests.conftest import Stand
from tests.mcp.teahouse import Teahouse, open_teahouse
from tests.mcp.test_hidden import UNNAMED, _say
from tests.mcp.test_http_app import Address
from tests.standing import Standing
from tests.vault import QUESTION, WORD, Vault, add_vault

SECRETS: dict[str, str] = {}
IDS: dict[str, str] = {}
# With arguments that lead to the vault.
LEADING: dict[str, dict[str, Any]] = {
    "search": {"query": QUESTION},
    "rag-search": {"query": f"exact:{QUESTION}"},
    "search_code": {"query": f"count {QUESTION}", "collection": "tea"},
    "find_symbol": {"name": "count_zebrafish"},
    "ask": {"question": f"Who counts every {QUESTION} in the tank?"},
    "gather_context": {"question": f"Who counts every {QUESTION} in the tank?"},
    "query_memos": {"query": QUESTION},
    "list_tags": {"collection": "tea"},
    "get_recent_memos": {"collection": "tea"},
    "get_document_count": {"collection": "tea"},
    "list_collections": {},
    "list_wiki_pages": {"product": "tea"},
    "list_conflicts": {"product": "tea"},
    "list_mentions": {"source": "shop", "path": "shop/till.py"},
    "get_references": {"symbol": "UUID"},
    "get_function_details": {"function_id": "UUID", "collection": "tea"},
    "find_related": {"place": "UUID"},
    "get_job": {"job_id": "JOB"},
    "read_file": {"source": "SOURCE", "path": "quokka/tank.py"},
    "list_tree": {"source": "SOURCE"},
    "reindex": {"source": "SOURCE"},
    "add_folder": {"path": "/no/such/folder", "product": "tea"},
}
# What is related to the one definition there is nothing else.
FOUND_BY_MEMBERS = LEADING.keys() - {
    *("list_wiki_pages", "reindex", "add_folder", "get_document_count", "find_related"),
}


@pytest.fixture(scope="module")
def standing_teahouse(stand: Stand) -> Standing[Teahouse]:
    def make(folder: Path) -> Teahouse:
        teahouse = open_teahouse(folder)
        tea = Product.objects.get(name="tea")
        member, reader = (User.objects.create_user(n) for n in ("member", "reader"))
        for user in (member, reader):
            Membership.objects.create(product=tea, user=user, role="maintainer")
            _, secret = create_token(
                name=user.username, scopes=["read", "index"], user=user
            )
            SECRETS[user.username] = secret
        _note(add_vault(tea, member))
        return teahouse

    return stand(make)


def _note(vault: Vault) -> None:
    IDS.update(
        UUID=str(vault.symbol.uuid), JOB=str(vault.job.pk), SOURCE=vault.source.name
    )


def _call(address: Address, who: str, name: str, asked: dict[str, Any]) -> str:
    arguments = {key: IDS.get(value, value) for key, value in asked.items()}
    secret = SECRETS.get(who, who)
    answer = _say(address, secret, "tools/call", name=name, arguments=arguments)
    said = json.dumps(answer, ensure_ascii=False).lower()
    # What was asked may be repeated.
    for value in arguments.values():
        said = said.replace(str(value).lower(), "")
    return said


def test_no_tool_names_what_is_limited(address: Address, teahouse: Teahouse) -> None:
    for name, asked in LEADING.items():
        for who in ("reader", teahouse.secrets["read"]):
            said = _call(address, who, name, asked)
            assert WORD not in said, name
            assert "777" not in said, name
        if name in UNNAMED:
            assert WORD not in _call(address, "reader", name, UNNAMED[name]), name


def test_members_are_answered(address: Address, teahouse: Teahouse) -> None:
    # Else the test above would pass for arguments that find nothing.
    for name in FOUND_BY_MEMBERS:
        assert WORD in _call(address, "member", name, LEADING[name]), name


def test_every_tool_that_reads_is_asked() -> None:
    assert LEADING.keys() | {"read_wiki"} >= UNNAMED.keys()
