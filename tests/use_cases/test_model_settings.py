"""The language model that administrators choose: stored, tested, never shown."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
import structlog
from django.contrib.auth.models import User

from devrag.core.errors import Conflict, InvalidInput, PermissionDenied, ProviderError
from devrag.core.principal import ANONYMOUS, SYSTEM, Principal, Role
from devrag.core.reencryption import reencrypt_all
from devrag.spending.language_model import (
    is_model_set,
    model_endpoint,
    model_name,
    model_price,
    model_window,
)
from devrag.spending.model_settings import cap_of, forget_settings, remember_settings
from devrag.spending.models import LanguageModelSettings
from devrag.use_cases.api import (
    ModelChoice,
    change_model,
    get_model_state,
    try_model,
)
from tests.llm.chat_server import ChatServer, Reply, chat_server
from tests.scripted_server import KEY, Scripted

pytestmark = pytest.mark.django_db
_CHOICE = ModelChoice(provider="openai", model="gpt-4.1", secret=KEY)


@pytest.fixture(autouse=True)
def _read_each_time(db: None) -> None:
    forget_settings()


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as serving:
        yield serving


def store(choice: ModelChoice) -> None:
    """Store a choice, and let this process see it as another one does soon."""
    change_model(principal=SYSTEM, choice=choice)
    forget_settings()


def administrator() -> Principal:
    """Return an administrator who tested nothing a moment ago."""
    return Principal("tester", Role.ADMIN, uuid4().int % 2**31)


def fix(settings: Any, **values: Any) -> None:
    """Set them as the environment does."""
    for name, value in values.items():
        setattr(settings, name, value)
    settings.MODEL_SETTINGS_IN_ENVIRONMENT = frozenset(values)


def test_what_was_chosen_is_in_force() -> None:
    assert not is_model_set()
    store(replace(_CHOICE, window=64_000, price="1/0.5/4", cap_per_month=7.5))
    assert (is_model_set(), model_name(), model_window()) == (True, "gpt-4.1", 64_000)
    assert model_endpoint().key == KEY
    assert cap_of("LLM_CAP_PER_MONTH") == 7.5
    price = model_price()
    assert price is not None
    assert price.output == Decimal(4)


def test_another_process_sees_a_change_when_it_reads_again() -> None:
    remember_settings(None, seconds=0)  # what it had read before
    store(_CHOICE)
    assert model_name() == "gpt-4.1"
    store(replace(_CHOICE, model="gpt-5", secret=""))
    assert model_name() == "gpt-5"


def test_the_key_is_stored_encrypted_and_shown_by_nothing() -> None:
    with structlog.testing.capture_logs() as logs:
        state = change_model(principal=SYSTEM, choice=_CHOICE)
    row = LanguageModelSettings.objects.get()
    assert KEY.encode() not in bytes(row.key or b"")
    assert KEY not in repr(state) + repr(_CHOICE) + str(logs) + repr(row)
    assert state.key_source == "stored"
    assert state.key_ending == KEY[-4:]
    (entry,) = [each for each in logs if each["event"] == "language_model_changed"]
    assert entry["by"] == "system"
    assert {"provider", "model", "key"} <= set(entry["changed"])


def test_of_a_short_key_no_part_is_shown() -> None:
    state = change_model(principal=SYSTEM, choice=replace(_CHOICE, secret="short-key"))
    assert state.key_ending == ""


def test_an_empty_key_keeps_the_stored_one() -> None:
    store(_CHOICE)
    store(replace(_CHOICE, model="gpt-5", secret=""))
    assert model_endpoint().key == KEY
    store(replace(_CHOICE, secret="", is_key_removed=True))
    assert model_endpoint().key == ""


@pytest.mark.parametrize(
    "other", [{"base_url": "http://127.0.0.1:9/v1"}, {"provider": "anthropic"}]
)
def test_a_key_never_goes_to_another_address(other: dict[str, str]) -> None:
    store(_CHOICE)
    store(replace(_CHOICE, secret="", **other))
    assert model_endpoint().key == ""
    assert LanguageModelSettings.objects.get().key is None


def test_the_environment_wins_name_by_name(settings: Any) -> None:
    store(replace(_CHOICE, cap_per_month=7.5))
    fix(settings, LLM_MODEL="house-model", LLM_CAP_PER_MONTH=3.0)
    assert (model_name(), cap_of("LLM_CAP_PER_MONTH")) == ("house-model", 3.0)
    assert model_endpoint().key == KEY
    state = get_model_state(SYSTEM)
    assert state.fixed == {"model": "LLM_MODEL", "cap_per_month": "LLM_CAP_PER_MONTH"}
    with pytest.raises(InvalidInput, match="LLM_MODEL is set in the environment"):
        change_model(principal=SYSTEM, choice=replace(_CHOICE, model="mine"))
    store(replace(_CHOICE, model="house-model"))
    assert LanguageModelSettings.objects.get().model == "gpt-4.1"


def test_no_model_in_the_environment_stays_none(settings: Any) -> None:
    store(_CHOICE)
    fix(settings, LLM_PROVIDER="structural")
    assert not is_model_set()


def test_a_key_of_the_environment_goes_to_no_address_of_the_browser(
    settings: Any,
) -> None:
    settings.LLM_API_KEY = settings.OPENAI_API_KEY = "sk-of-the-environment"
    store(replace(_CHOICE, base_url="http://127.0.0.1:9/v1", secret=""))
    assert model_endpoint().base_url == "http://127.0.0.1:9/v1"
    assert model_endpoint().key == ""


def test_a_provider_key_of_the_environment_goes_first(settings: Any) -> None:
    settings.OPENAI_API_KEY = "sk-of-the-environment"
    store(replace(_CHOICE, secret=""))
    assert model_endpoint().key == "sk-of-the-environment"
    assert get_model_state(SYSTEM).key_source == "OPENAI_API_KEY"
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY is set"):
        change_model(principal=SYSTEM, choice=_CHOICE)


def test_a_key_can_be_entered_for_a_provider_of_the_environment(settings: Any) -> None:
    fix(settings, LLM_PROVIDER="anthropic")
    store(ModelChoice(provider="anthropic", secret=KEY))
    assert model_endpoint().key == KEY
    fix(settings, LLM_PROVIDER="openai")
    assert model_endpoint().key == ""


def test_a_model_of_another_provider_is_not_asked_for(settings: Any) -> None:
    store(_CHOICE)
    fix(settings, LLM_PROVIDER="anthropic")
    assert model_name() == "claude-sonnet-4-6"


@pytest.mark.parametrize(
    "caller",
    [
        ANONYMOUS,
        Principal("reader", Role.VIEWER, 1),
        Principal("maintainer", Role.MAINTAINER, 1),
        Principal("token", Role.ADMIN, 1, scopes=frozenset({"wiki"})),
        Principal("limited", Role.ADMIN, 1, product_ids=frozenset({1})),
    ],
)
def test_only_administrators_of_everything_may(caller: Principal) -> None:
    for act in (
        lambda: get_model_state(caller),
        lambda: change_model(principal=caller, choice=_CHOICE),
        lambda: try_model(principal=caller, choice=_CHOICE),
    ):
        with pytest.raises(PermissionDenied):
            act()
    assert not LanguageModelSettings.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"provider": "oracle"}, "Unknown provider 'oracle'"),
        ({"base_url": "file:///etc/passwd"}, "The base URL must have the form"),
        ({"base_url": "https://key@host.example/v1"}, "must not contain a user name"),
        ({"base_url": "https://host.example/v1?key=x"}, "must not contain a user name"),
        ({"base_url": "http://169.254.169.254/v1"}, "an address that is not allowed"),
        (
            {"base_url": "http://[::ffff:169.254.169.254]/v1"},
            "an address that is not allowed",
        ),
        ({"base_url": "http://8.8.8.8/v1"}, "Use https"),
        ({"model": "two words"}, "no spaces"),
        ({"secret": "ключ"}, "not a valid API key"),
        ({"secret": "two\nlines"}, "not a valid API key"),
        ({"window": 100}, "window"),
        ({"price": "cheap"}, "The price must have the form"),
        ({"price": "1/1/1,other=2/2/2"}, "The price must have the form"),
        ({"cap_per_run": -1.0}, "A limit must be an amount"),
        ({"ask_cap_per_day": float("nan")}, "A limit must be an amount"),
    ],
)
def test_what_cannot_be_used_is_refused(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        change_model(principal=SYSTEM, choice=replace(_CHOICE, **wrong))
    assert not LanguageModelSettings.objects.exists()


def test_internal_servers_can_be_forbidden(settings: Any) -> None:
    local = replace(_CHOICE, base_url="http://127.0.0.1:11434/v1")
    change_model(principal=SYSTEM, choice=local)
    settings.SOURCES_PUBLIC_ONLY = True
    with pytest.raises(InvalidInput, match="an address that is not allowed"):
        change_model(principal=SYSTEM, choice=local)


def test_a_test_says_model_time_and_cost_and_stores_nothing(server: ChatServer) -> None:
    server.script.append(Reply("ready", input_tokens=1000, output_tokens=100))
    choice = replace(_CHOICE, base_url=server.url)
    found = try_model(principal=administrator(), choice=choice)
    assert (found.model, found.said) == ("gpt-4.1", "ready")
    assert found.cost == Decimal("0.0028")
    assert not LanguageModelSettings.objects.exists()
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Scripted(401, {"error": {"message": "bad key"}}), "key"),
        (Scripted(404, {"error": {"message": "no such model"}}), "model"),
        (Scripted(429, {"error": {"code": "insufficient_quota"}}), "quota"),
        (Scripted(429, {"error": {"message": "slow down"}}), "rate"),
        (Scripted(500, {"error": {"message": "oops"}}), "server"),
        (Scripted(302, {}), "redirect"),
    ],
)
def test_a_refusal_is_told_apart(
    server: ChatServer, answer: Scripted, reason: str
) -> None:
    server.script.append(answer)
    with pytest.raises(ProviderError) as refused:
        try_model(
            principal=administrator(), choice=replace(_CHOICE, base_url=server.url)
        )
    assert refused.value.reason == reason
    assert KEY not in refused.value.message


def test_a_server_that_is_away_is_told_apart() -> None:
    choice = replace(_CHOICE, base_url="http://127.0.0.1:9/v1")
    with pytest.raises(ProviderError) as refused:
        try_model(principal=administrator(), choice=choice)
    assert refused.value.reason == "connection"


def test_a_test_in_the_same_moment_waits(server: ChatServer) -> None:
    choice = replace(_CHOICE, base_url=server.url)
    caller = administrator()
    try_model(principal=caller, choice=choice)
    with pytest.raises(Conflict):
        try_model(principal=caller, choice=choice)


def test_a_key_of_a_lost_encryption_key_is_asked_for_again(settings: Any) -> None:
    store(_CHOICE)
    settings.CREDENTIALS_KEYS = ["another one of thirty-two characters"]
    state = get_model_state(SYSTEM)
    assert state.needs_key
    assert model_endpoint().lacks_key
    store(_CHOICE)
    assert model_endpoint().key == KEY


def test_rotation_includes_the_key(settings: Any) -> None:
    settings.CREDENTIALS_KEYS = ["old" * 12]
    store(_CHOICE)
    settings.CREDENTIALS_KEYS = ["new" * 12, "old" * 12]
    assert reencrypt_all() == 1
    settings.CREDENTIALS_KEYS = ["new" * 12]
    forget_settings()
    assert model_endpoint().key == KEY


def test_who_changed_it_is_kept() -> None:
    user = User.objects.create_superuser("root")
    change_model(principal=Principal("root", Role.ADMIN, user.pk), choice=_CHOICE)
    state = get_model_state(SYSTEM)
    assert state.changed_by == "root"
    assert state.changed_at is not None


def test_an_event_loop_takes_what_was_read_last() -> None:
    store(_CHOICE)
    assert model_name() == "gpt-4.1"
    forget_settings()

    async def ask() -> str:
        return model_name()  # a query would raise SynchronousOnlyOperation

    assert asyncio.run(ask()) == "gpt-4.1"
