"""The arguments of the tools, as a model is told of them and as they are checked."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)

from devrag.core.errors import InvalidInput
from devrag.core.text import clean_text

_LAST_LINE = 10_000_000


def _none_is_empty(value: Any) -> Any:
    """Take null for an empty text: models send it for what they leave out."""
    return "" if value is None else value


_Clean = AfterValidator(lambda text: clean_text(text).strip())
Text = Annotated[str, Field(min_length=1, max_length=500), _Clean]
OptionalText = Annotated[
    str, BeforeValidator(_none_is_empty), Field(max_length=500), _Clean
]
LineNumber = Annotated[int, Field(ge=1, le=_LAST_LINE)]
FactKind = Literal[
    "route", "command", "setting", "model", "task", "entry_point", "dependency"
]


class Arguments(BaseModel):
    """What every tool takes: whatever else a model adds is left out."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class SearchArguments(Arguments):
    query: Text = Field(description="Words or a question; names are found exactly.")
    path: OptionalText = Field("", description="A folder or file to search in.")


class SymbolArguments(Arguments):
    name: Text = Field(description="As in add or Cart.add.")
    path: OptionalText = Field("", description="Of its file, where there are several.")
    source: OptionalText = Field("", description="Where there are several sources.")


class LinesArguments(Arguments):
    path: Text = Field(description="Of the file, as passages name it.")
    start_line: LineNumber = Field(description="From 1.")
    end_line: LineNumber = Field(description="At most 120 lines are read.")
    source: OptionalText = Field("", description="Where there are several sources.")


class FactsArguments(Arguments):
    kind: FactKind
    name: OptionalText = Field("", description="A part of its name or path.")


def schema_of(arguments: type[Arguments]) -> dict[str, Any]:
    """Return the JSON schema of a tool's arguments, without what says nothing."""
    schema = arguments.model_json_schema()
    properties = {
        name: {k: v for k, v in each.items() if k in ("type", "enum", "description")}
        for name, each in schema["properties"].items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": schema.get("required", []),
    }


def read_arguments(text: str, arguments: type[Arguments]) -> Arguments:
    """Return checked arguments. Raises InvalidInput that says what to send instead."""
    try:
        given = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f"The arguments are no JSON ({error}). Send one object with the keys "
            f"{_keys(arguments)}."
        ) from None
    if not isinstance(given, dict):
        raise InvalidInput(
            f"The arguments are no JSON object. Send one with the keys "
            f"{_keys(arguments)}."
        )
    try:
        return arguments.model_validate(given)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, each['loc']))}: {each['msg']}"
            for each in error.errors(include_input=False, include_url=False)
        )
        raise InvalidInput(f"Wrong arguments ({faults}). Call it again.") from None


def _keys(arguments: type[Arguments]) -> str:
    return ", ".join(arguments.model_fields)
