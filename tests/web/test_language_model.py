"""The language model in the browser: chosen, tested, estimated by administrators."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from devrag.search.semantic.specs import ensure_active_spec
from devrag.spending.language_model import model_endpoint, model_name
from devrag.spending.model_settings import cap_of, forget_settings
from devrag.spending.models import LanguageModelSettings
from tests.llm.chat_server import ChatServer, Reply, chat_server
from tests.scripted_server import KEY, Scripted

from .conftest import Harbour
from .markup import squeeze

PAGE, CHANGE = "/settings/models/", "/settings/models/language/"
TEST = f"{CHANGE}test/"
GIVEN = {"provider": "openai", "model": "gpt-4.1", "secret": KEY, "cap_per_month": "20"}
HTMX = {"HX-Request": "true"}


@pytest.fixture
def root(harbour: Harbour) -> Client:
    ensure_active_spec()
    forget_settings()
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as serving:
        yield serving


@pytest.fixture
def save(
    root: Client, django_capture_on_commit_callbacks: Callable[..., Any]
) -> Callable[..., int]:
    """Send the form as the page does, with changes; return the status."""

    def save(**changes: str) -> int:
        with django_capture_on_commit_callbacks(execute=True):
            return root.post(CHANGE, GIVEN | changes).status_code

    return save


def test_a_saved_model_is_in_force_at_once(
    root: Client, save: Callable[..., int]
) -> None:
    assert "No model" in root.get(PAGE).content.decode()
    assert save() == 303
    assert (model_name(), model_endpoint().key) == ("gpt-4.1", KEY)
    assert cap_of("LLM_CAP_PER_MONTH") == 20
    page = squeeze(root.get(PAGE))
    assert "OpenAI · gpt-4.1" in page
    assert "Last changed by root on" in page


def test_no_page_shows_the_key_again(root: Client, save: Callable[..., int]) -> None:
    save()
    page = root.get(PAGE).content.decode()
    assert KEY not in page
    assert f"ends in …{KEY[-4:]}" in squeeze(page)
    refused = root.post(CHANGE, GIVEN | {"model": "two words"})
    assert refused.status_code == 422
    assert KEY not in refused.content.decode()
    assert "no spaces" in refused.content.decode()
    tried = root.post(TEST, GIVEN | {"base_url": "http://127.0.0.1:9/v1"})
    assert KEY not in tried.content.decode()


def test_other_people_are_refused(
    root: Client, alice: Client, bob: Client, stranger: Client
) -> None:
    for person in (alice, bob):
        assert person.post(CHANGE, GIVEN).status_code == 403
        assert person.post(TEST, GIVEN).status_code == 403
        page = person.get(PAGE).content.decode()
        assert 'name="secret"' not in page
        assert "Administrators choose the model here." in page
    for url in (CHANGE, TEST):
        assert stranger.post(url, GIVEN)["Location"].startswith("/sign-in/")
    assert not LanguageModelSettings.objects.exists()


def test_forms_need_their_token(root: Client) -> None:
    strict = Client(HTTP_HOST="localhost", enforce_csrf_checks=True)
    strict.force_login(User.objects.get(username="root"))
    for url in (CHANGE, TEST):
        answer = strict.post(url, GIVEN, headers={"Origin": "http://localhost"})
        assert answer.status_code == 403
        assert KEY not in answer.content.decode()
    assert not LanguageModelSettings.objects.exists()


def test_what_the_environment_sets_is_shown_and_stays(
    root: Client, save: Callable[..., int], settings: Any
) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", "sk-environment"
    settings.LLM_MODEL = "house-model"
    settings.MODEL_SETTINGS_IN_ENVIRONMENT = frozenset({"LLM_PROVIDER", "LLM_MODEL"})
    page = squeeze(root.get(PAGE))
    for name in ("LLM_PROVIDER", "LLM_MODEL", "OPENAI_API_KEY"):
        assert f"Set by <code>{name}</code>" in re.sub(r"(?<! )<code>", " <code>", page)
    assert len(re.findall(r"<(?:input|select)[^>]*\bdisabled", page)) == 4
    assert "sk-environment" not in page
    assert save(provider="anthropic", model="mine", secret="") == 303
    assert (model_name(), model_endpoint().key) == ("house-model", "sk-environment")


def test_a_test_says_model_time_and_cost(root: Client, server: ChatServer) -> None:
    server.script.append(Reply("ready", input_tokens=1000, output_tokens=100))
    answer = root.post(TEST, GIVEN | {"base_url": server.url}, headers=HTMX)
    said = squeeze(answer)
    assert "gpt-4.1" in said
    assert re.search(r"answered in \d+ ms with 1100 tokens", said)
    assert "$0.0028" in said
    assert "<html" not in said
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert not LanguageModelSettings.objects.exists()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Scripted(401, {"error": {"message": "bad key"}}), "missing or refused"),
        (Scripted(404, {"error": {"message": "unknown"}}), "has no model “gpt-4.1”"),
        (Scripted(402, {"error": {"message": "pay"}}), "no credit left"),
    ],
)
def test_a_test_says_in_plain_words_what_is_wrong(
    root: Client, server: ChatServer, answer: Scripted, words: str
) -> None:
    server.script.append(answer)
    said = root.post(TEST, GIVEN | {"base_url": server.url}, headers=HTMX)
    assert words in said.content.decode()
    assert 'role="alert"' in said.content.decode()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://127.0.0.1:9/v1", "cannot be reached"),
        ("http://169.254.169.254/v1", "an address that is not allowed"),
        ("ftp://models.example/v1", "The base URL must have the form"),
    ],
)
def test_an_address_that_does_not_do_is_named(
    root: Client, address: str, words: str
) -> None:
    said = root.post(TEST, GIVEN | {"base_url": address}, headers=HTMX)
    assert words in said.content.decode()


def test_the_cost_of_a_wiki_stands_beside_its_button(
    indexed: Harbour, root: Client, save: Callable[..., int], bob: Client
) -> None:
    address = f"{CHANGE}estimate/harbour/"
    assert "at no cost" in root.get(address).content.decode()
    save()
    assert address in root.get(PAGE).content.decode()
    said = squeeze(root.get(address, headers=HTMX))
    assert re.search(r"\d+ of \d+ pages to write, about \d+ calls", said)
    assert "About $" in said
    assert 'action="/p/harbour/wiki-regenerate/"' in said
    assert bob.get(address).status_code in {403, 404}
    indexed.product.is_external_models_allowed = False
    indexed.product.save()
    said = squeeze(root.get(address, headers=HTMX))
    assert "About $" in said
    assert "Allow external models" in said
    assert 'action="/p/harbour/wiki-regenerate/"' not in said


def test_maintainers_see_the_cost_in_their_settings(
    harbour: Harbour, alice: Client, save: Callable[..., int]
) -> None:
    place = "/settings/models/language/estimate/harbour/"
    assert place not in alice.get("/p/harbour/settings/").content.decode()
    save()
    assert place in alice.get("/p/harbour/settings/").content.decode()
