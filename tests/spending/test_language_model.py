"""The configured model on a product's account, against a server on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest

from devrag.core.errors import ConfigurationError, PermissionDenied
from devrag.llm.chat import ChatModel, Message
from devrag.llm.errors import ChatInternal, ChatUnavailable
from devrag.products.models import Product
from devrag.spending.budget import CapReached
from devrag.spending.language_model import (
    check_model_name,
    model_endpoint,
    model_price,
    open_model,
)
from devrag.spending.models import ModelCall
from tests.llm.chat_server import ChatServer, Reply, chat_server, use_server
from tests.scripted_server import KEY, Scripted
from tests.tiers import mostly_slow

pytestmark = pytest.mark.django_db(transaction=True)
RUN = UUID(int=7)
TURNS = [Message("user", "Write about tea.")]
BUSY = Scripted(429, {"error": {"message": "slow down"}}, {"Retry-After": "9"})


@pytest.fixture(params=mostly_slow(["openai", "anthropic"]))
def server(settings: Any, request: pytest.FixtureRequest) -> Iterator[ChatServer]:
    with chat_server() as server:
        use_server(server, settings, request.param)
        yield server


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def model(server: ChatServer, product: Product, pauses: list[float]) -> ChatModel:
    return open_model(
        product_id=product.pk, run=RUN, purpose="page", pause=pauses.append
    )


def test_a_call_is_counted_with_what_it_cost(
    server: ChatServer, model: ChatModel
) -> None:
    server.script = [Reply("Tea.", input_tokens=1000, output_tokens=100, cached=400)]
    assert model.complete(TURNS).text == "Tea."
    call = ModelCall.objects.get(run=RUN)
    assert (call.input_tokens, call.cached_input_tokens) == (1000, 400)
    assert (call.output_tokens, call.purpose, call.model) == (100, "page", "gpt-4.1")
    # 600 at $2, 400 at $0.5, 100 at $8 a million
    assert call.cost == Decimal("0.0022")
    assert call.reserved_cost > call.cost
    assert call.finished_at is not None


def test_each_attempt_is_an_entry_of_its_own(
    server: ChatServer, model: ChatModel, pauses: list[float]
) -> None:
    server.script = [Reply("Tea is served. " * 9, fault="cut"), BUSY, "Tea."]
    assert model.complete(TURNS).text == "Tea."
    cut, busy, done = ModelCall.objects.filter(run=RUN).order_by("pk")
    assert cut.cost > 0
    assert busy.cost == 0
    assert done.output_tokens == 20
    assert pauses == [1, 9]


def test_the_fourth_failure_is_told(server: ChatServer, model: ChatModel) -> None:
    server.script = [Scripted(500, {"error": "oops"})] * 5
    with pytest.raises(ChatInternal):
        model.complete(TURNS)
    assert len(server.seen) == 4
    assert set(ModelCall.objects.values_list("cost", flat=True)) == {0}


def test_a_cap_stops_the_run_before_it_is_passed(
    server: ChatServer, model: ChatModel, settings: Any
) -> None:
    settings.LLM_CAP_PER_RUN = 0.1
    server.write = lambda asked: Reply("Tea.", output_tokens=2048)
    answers = (model.complete(TURNS) for _ in range(50))
    with pytest.raises(CapReached):
        list(answers)
    spent = sum(ModelCall.objects.values_list("cost", flat=True))
    assert Decimal("0.08") < spent <= Decimal("0.1")
    assert len(server.seen) == ModelCall.objects.count()


def test_nothing_is_sent_of_a_product_that_keeps_its_texts(
    server: ChatServer, model: ChatModel
) -> None:
    Product.objects.update(is_external_models_allowed=False)
    with pytest.raises(PermissionDenied, match="LLM_PROVIDER=structural"):
        model.complete(TURNS)
    assert server.seen == []


def test_what_looks_like_a_secret_does_not_leave(
    server: ChatServer, model: ChatModel
) -> None:
    model.complete([Message("user", 'api_key = "abcdefgh12345678"')])
    (asked,) = server.seen
    assert "api_key" in asked.prompt
    assert "abcdefgh12345678" not in asked.prompt


def test_a_wrong_key_is_told_with_its_setting(
    server: ChatServer, model: ChatModel
) -> None:
    server.script = [Scripted(401, {"error": {"message": "bad key"}})]
    with pytest.raises(ChatUnavailable, match="Check LLM_API_KEY"):
        model.complete(TURNS)
    assert len(server.seen) == 1


def test_no_model_is_opened_where_none_is_set(product: Product, settings: Any) -> None:
    settings.LLM_PROVIDER = "structural"
    with pytest.raises(ConfigurationError, match="LLM_PROVIDER"):
        open_model(product_id=product.pk, run=uuid4(), purpose="page")


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_missing_key_is_told_with_its_setting(
    product: Product, settings: Any, provider: str
) -> None:
    settings.LLM_PROVIDER = provider
    model = open_model(product_id=product.pk, run=RUN, purpose="page")
    with pytest.raises(ChatUnavailable, match=f"Set {provider.upper()}_API_KEY"):
        model.complete(TURNS)


def test_another_model_of_the_provider_may_check(
    product: Product, settings: Any
) -> None:
    settings.LLM_PROVIDER, settings.LLM_MODEL = "openai", "writer"
    assert check_model_name() == "writer"
    settings.LLM_CHECK_MODEL = "judge"
    name = check_model_name()
    model = open_model(product_id=product.pk, run=RUN, purpose="check", model=name)
    assert model.model == "judge"


def test_a_key_goes_only_to_the_address_it_is_for(settings: Any) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", KEY
    assert model_endpoint().key == KEY
    settings.LLM_BASE_URL = "http://elsewhere/v1"
    assert model_endpoint().key == ""


def test_a_local_model_has_no_price_until_settings_say_one(settings: Any) -> None:
    settings.LLM_PROVIDER, settings.LLM_MODEL = "openai", "qwen3:8b"
    assert model_price() is None
