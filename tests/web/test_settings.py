"""Tokens, snippets, models and health below /settings/."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.contrib.auth.models import User
from django.test import Client

from devrag.access.models import ApiToken
from devrag.access.own_tokens import create_own_token
from devrag.access.services import principal_of_token
from devrag.core.errors import PermissionDenied
from devrag.core.installation import BASE_DIR
from devrag.jobs.models import Job
from devrag.search.semantic.specs import ensure_active_spec
from tests.people import principal
from tests.rerank_server import rerank_server

from .conftest import Harbour
from .markup import squeeze

PAGES = ["tokens", "connect", "models", "account", "health"]


@pytest.fixture
def root(harbour: Harbour) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.fixture
def spec(db: None) -> None:
    ensure_active_spec()


@pytest.mark.parametrize("name", PAGES)
def test_every_section_says_where_one_is(bob: Client, spec: None, name: str) -> None:
    page = squeeze(bob.get(f"/settings/{name}/"))
    assert f'href="/settings/{name}/" aria-current="page"' in page
    assert "<h1>" in page


@pytest.mark.parametrize("name", PAGES)
def test_settings_need_a_sign_in_and_lead_back(stranger: Client, name: str) -> None:
    answer = stranger.get(f"/settings/{name}/")
    assert answer["Location"] == f"/sign-in/?next=%2Fsettings%2F{name}%2F"


def test_a_token_is_shown_once_and_works(bob: Client, harbour: Harbour) -> None:
    given = {"name": "laptop", "scopes": "read", "products": "harbour", "days": "30"}
    answer = bob.post("/settings/tokens/", given)
    (secret,) = set(re.findall(r"devrag_[\w-]{20,}", answer.content.decode()))
    assert "no-store" in answer["Cache-Control"]
    found = principal_of_token(secret)
    assert found is not None
    assert found.product_ids == {harbour.product.pk}
    page = bob.get("/settings/tokens/").content.decode()
    assert secret not in page
    assert secret[:13] in page


def test_a_refused_token_keeps_what_was_typed(bob: Client) -> None:
    answer = bob.post("/settings/tokens/", {"name": "kept", "days": "30"})
    assert answer.status_code == 422
    assert 'value="kept"' in answer.content.decode()
    assert "Choose at least one scope." in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_nobody_hands_on_more_than_they_may(bob: Client, charlie: Client) -> None:
    with pytest.raises(PermissionDenied):
        create_own_token(
            principal=principal(User.objects.get(username="bob")),
            name="x",
            scopes=["admin"],
        )
    given = {"name": "x", "scopes": "read", "products": "harbour", "days": "0"}
    assert charlie.post("/settings/tokens/", given).status_code == 422


def test_one_revokes_ones_own_tokens_only(bob: Client, alice: Client) -> None:
    bobs = principal(User.objects.get(username="bob"))
    token, secret = create_own_token(principal=bobs, name="ci", scopes=["read"])
    url = f"/settings/tokens/{token.pk}/revoke/"
    assert alice.post(url).status_code == 404
    assert principal_of_token(secret) is not None
    assert bob.post(url).status_code == 303
    assert principal_of_token(secret) is None


def test_snippets_carry_this_servers_address(bob: Client) -> None:
    page = unescape(bob.get("/settings/connect/").content.decode())
    pattern = r'<code\s+id="dr-(?!chat-)[\w-]+">(.*?)</code>'
    codes = re.findall(pattern, page, re.DOTALL)
    assert len(codes) == 8
    assert sum("http://localhost/mcp" in code for code in codes) == 4
    for code in codes:
        if code.startswith("{"):
            json.loads(code)


def test_chat_clients_are_given_their_three_fields(bob: Client) -> None:
    page = unescape(bob.get("/settings/connect/").content.decode())
    assert ">http://localhost/v1</code>" in page
    assert re.findall(r'data-copy="([^"]+)"', page) == ["harbour", "all"]
    codes = dict(
        re.findall(r'<code\s+id="dr-chat-([\w-]+)">(.*?)</code>', page, re.DOTALL)
    )
    compile(codes["openai"], "snippet", "exec")
    assert (
        'OpenAI(base_url="http://localhost/v1", api_key="devrag_…")' in codes["openai"]
    )
    (model,) = yaml.safe_load(codes["llm"])
    assert model["api_base"] == "http://localhost/v1"
    assert codes["llm-run"].endswith('llm -m harbour "How do I run the tests?"')


def test_a_new_token_comes_with_what_chat_clients_want(bob: Client) -> None:
    given = {"name": "chat", "scopes": "read", "products": "harbour", "days": "30"}
    page = bob.post("/settings/tokens/", given).content.decode()
    (secret,) = set(re.findall(r"devrag_[\w-]{20,}", page))
    assert f"llm keys set devrag --value {secret}" in page


def test_products_that_one_may_not_see_are_no_models(charlie: Client) -> None:
    page = charlie.get("/settings/connect/").content.decode()
    assert re.findall(r'data-copy="([^"]+)"', page) == ["all"]


def test_paths_of_the_machine_are_told_only_to_who_sits_there(
    bob: Client, settings: Any
) -> None:
    settings.IS_OPEN_READING = True
    here = bob.get("/settings/connect/", REMOTE_ADDR="127.0.0.1").content.decode()
    away = bob.get("/settings/connect/", REMOTE_ADDR="192.0.2.7").content.decode()
    assert str(BASE_DIR) in here
    assert str(BASE_DIR) not in away


def test_an_agent_here_is_led_to_this_instances_data(
    bob: Client, settings: Any, tmp_path: Path
) -> None:
    settings.DEVRAG_HOME = BASE_DIR / "var"
    assert "DEVRAG_HOME" not in bob.get("/settings/connect/").content.decode()
    settings.DEVRAG_HOME = tmp_path
    page = bob.get("/settings/connect/").content.decode()
    assert page.count(str(tmp_path)) == 4
    away = bob.get("/settings/connect/", REMOTE_ADDR="192.0.2.7").content.decode()
    assert str(tmp_path) not in away


def test_keys_are_never_shown(root: Client, spec: None, settings: Any) -> None:
    settings.OPENAI_API_KEY = settings.ANTHROPIC_API_KEY = "sk-hidden"
    page = root.get("/settings/models/").content.decode()
    assert "sk-hidden" not in page
    assert page.count("is set") == 1


def test_only_administrators_test_models(bob: Client, spec: None) -> None:
    assert "Test OpenAI" not in bob.get("/settings/models/").content.decode()
    assert bob.post("/settings/models/embedding/openai/test/").status_code == 403


def test_a_failed_test_says_why_and_a_second_waits(
    root: Client, spec: None, settings: Any
) -> None:
    settings.OPENAI_API_KEY = ""
    url, headers = "/settings/models/embedding/openai/test/", {"HX-Request": "true"}
    first = root.post(url, headers=headers).content.decode()
    assert "OPENAI_API_KEY" in first
    assert "<html" not in first
    assert "Too many attempts." in root.post(url).content.decode()
    assert root.post("/settings/models/embedding/nobody/test/").status_code == 404


def test_the_reranker_can_be_tested_where_one_is_set(
    root: Client, spec: None, settings: Any
) -> None:
    url, headers = "/settings/models/rerank/rerank/test/", {"HX-Request": "true"}
    assert "Reranker" not in root.get("/settings/models/").content.decode()
    assert root.post(url).status_code == 404
    with rerank_server() as server:
        settings.RERANK_BASE_URL, settings.RERANK_MODEL = server.url, "judge-1"
        page = root.get("/settings/models/").content.decode()
        assert "Test Reranker" in page
        assert server.url in page
        assert "judge-1 answered in" in root.post(url, headers=headers).content.decode()
    assert server.texts == ["harbour", "mountain"]


def test_a_reranker_that_is_away_says_so(
    root: Client, spec: None, settings: Any
) -> None:
    with rerank_server() as server:
        settings.RERANK_BASE_URL = server.url
    answer = root.post("/settings/models/rerank/rerank/test/").content.decode()
    assert "Cannot reach the reranker at" in answer


def test_health_tells_what_failed_and_asks_again(
    root: Client, spec: None, make_job: Any
) -> None:
    make_job(state="failed", error="Cannot reach git.example.")
    page = root.get("/settings/health/").content.decode()
    for word in ("PostgreSQL", "Cannot reach git.example.", "GB free", "every 10s"):
        assert word in page
    part = root.get("/settings/health/", headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()


def test_health_keeps_paths_from_readers(bob: Client, spec: None) -> None:
    assert "GB free" not in bob.get("/settings/health/").content.decode()


def test_others_failures_stay_theirs(
    charlie: Client, spec: None, make_job: Any
) -> None:
    make_job(state="failed", error="Cannot reach git.example.")
    assert Job.objects.exists()
    assert "git.example" not in charlie.get("/settings/health/").content.decode()
