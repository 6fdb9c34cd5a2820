"""The language model of the installation, for tokens of administrators."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from django.http import HttpRequest
from ninja import Field, Router

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import ADMIN, NO_NUL, Request, caller
from devrag.api.sample_values import TIME
from devrag.core.errors import ProviderError
from devrag.core.json_names import json_name
from devrag.use_cases.api import (
    ModelChoice,
    ModelState,
    change_model,
    get_model_state,
    try_model,
)

router = Router(tags=["model"], by_alias=True)
Provider = Literal["", "structural", "openai", "anthropic"]
_Name = Annotated[str, Field(max_length=100, pattern=NO_NUL)]
_Dollars = Annotated[float, Field(ge=0, le=1_000_000)]


class ModelOut(JsonSchema):
    """What is in force. keySource: `stored`, a variable of the environment, or ''.

    fixed: fields that the environment sets, with the variable of each.
    """

    provider: str
    model: str
    base_url: str
    check_model: str
    ask_model: str
    window: int | None
    price: str
    cap_per_run: float | None
    cap_per_month: float | None
    ask_cap_per_day: float | None
    conflicts_cap_per_month: float | None
    fixed: dict[str, str]
    key_source: str
    key_ending: str = Field(description="The last characters of a stored key.")
    key_set_at: datetime | None
    needs_key: bool
    changed_by: str
    changed_at: datetime | None

    EXAMPLE: ClassVar = {
        "provider": "openai",
        "model": "gpt-4.1-mini",
        "baseURL": "",
        "checkModel": "",
        "askModel": "",
        "window": None,
        "price": "",
        "capPerRun": None,
        "capPerMonth": 20.0,
        "askCapPerDay": None,
        "conflictsCapPerMonth": None,
        "fixed": {"capPerMonth": "LLM_CAP_PER_MONTH"},
        "keySource": "stored",
        "keyEnding": "1234",
        "keySetAt": TIME,
        "needsKey": False,
        "changedBy": "alice",
        "changedAt": TIME,
    }


class ModelChange(Request):
    """All that is chosen; what is left out is as the server's settings say.

    key: left out keeps the stored one if provider and address stay; removeKey drops it.
    """

    provider: Provider
    base_url: Annotated[str, Field(max_length=500, pattern=NO_NUL)] = ""
    key: Annotated[str, Field(max_length=1000, pattern=NO_NUL)] = ""
    remove_key: bool = False
    model: _Name = ""
    check_model: _Name = ""
    ask_model: _Name = ""
    window: int | None = Field(None, ge=8_192, le=10_000_000)
    price: Annotated[str, Field(max_length=60, pattern=NO_NUL)] = Field(
        "", description="Dollars per million tokens: input/cached input/output."
    )
    cap_per_run: _Dollars | None = None
    cap_per_month: _Dollars | None = None
    ask_cap_per_day: _Dollars | None = None
    conflicts_cap_per_month: _Dollars | None = None

    EXAMPLE: ClassVar = {
        "provider": "openai",
        "model": "gpt-4.1-mini",
        "key": "sk-…",
        "capPerMonth": 20.0,
    }


class ModelTestOut(JsonSchema):
    """The result of a test. cost: dollars, null if the price is unknown."""

    is_ok: bool
    model: str
    milliseconds: int
    input_tokens: int
    output_tokens: int
    cost: str | None
    reason: str = Field(
        description="What to fix: key, model, quota, rate, connection, timeout, "
        "redirect, server, prompt, or empty."
    )
    detail: str

    EXAMPLE: ClassVar = {
        "isOk": True,
        "model": "gpt-4.1-mini",
        "milliseconds": 640,
        "inputTokens": 15,
        "outputTokens": 2,
        "cost": "0.000010",
        "reason": "",
        "detail": "",
    }


@router.get("", auth=ADMIN, response={200: ModelOut, **describe_errors()})
def get_model(request: HttpRequest) -> dict[str, Any]:
    """Return the current language model, without its key."""
    return _describe(get_model_state(caller(request)))


@router.put("", auth=ADMIN, response={200: ModelOut, **describe_errors(413, 415)})
def set_model(request: HttpRequest, body: ModelChange) -> dict[str, Any]:
    """Change the language model; settings from the environment cannot be changed."""
    given = body.model_dump()
    secret, is_key_removed = given.pop("key"), given.pop("remove_key")
    choice = ModelChoice(**given, secret=secret, is_key_removed=is_key_removed)
    return _describe(change_model(principal=caller(request), choice=choice))


@router.post("/test", auth=ADMIN, response={200: ModelTestOut, **describe_errors(409)})
def test_model(request: HttpRequest) -> dict[str, Any]:
    """Test the current model with one word, at minimal cost."""
    found = dict.fromkeys(("milliseconds", "inputTokens", "outputTokens"), 0)
    try:
        answer = try_model(principal=caller(request))
    except ProviderError as error:
        model = get_model_state(caller(request)).model
        failed = {"reason": error.reason, "detail": error.message}
        return {"isOk": False, "model": model, "cost": None, **found, **failed}
    return {
        "isOk": True,
        "model": answer.model,
        "milliseconds": answer.milliseconds,
        "inputTokens": answer.usage.input_tokens,
        "outputTokens": answer.usage.output_tokens,
        "cost": None if answer.cost is None else str(answer.cost),
        "reason": "",
        "detail": "",
    }


def _describe(state: ModelState) -> dict[str, Any]:
    choice = state.choice
    names = ("check_model", "ask_model", "window", "price", "cap_per_run")
    caps = ("cap_per_month", "ask_cap_per_day", "conflicts_cap_per_month")
    return {
        "provider": state.provider,
        "model": state.model,
        "baseURL": state.base_url,
        **{json_name(name): getattr(choice, name) for name in (*names, *caps)},
        "fixed": {json_name(name): variable for name, variable in state.fixed.items()},
        "keySource": state.key_source,
        "keyEnding": state.key_ending,
        "keySetAt": state.key_set_at,
        "needsKey": state.needs_key,
        "changedBy": state.changed_by,
        "changedAt": state.changed_at,
    }
