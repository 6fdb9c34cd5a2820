"""Schemas of REST, whose fields have their keys by one rule."""

from __future__ import annotations

from typing import Any, ClassVar

from ninja import Schema
from pydantic import ConfigDict

from devrag.core.json_names import json_name


class JsonSchema(Schema):
    """A schema whose fields have their keys from `json_name`.

    `Field(alias=…)` is for the keys that the rule does not give. Python code may set
    fields by their own names.
    EXAMPLE: a document as it is sent, for the description of the interface.
    """

    EXAMPLE: ClassVar[dict[str, Any]] = {}

    model_config = ConfigDict(alias_generator=json_name, validate_by_name=True)


def own_examples(schema: type[JsonSchema] = JsonSchema) -> dict[str, dict[str, Any]]:
    """Return name → example of the schemas below one, without inherited examples."""
    found: dict[str, dict[str, Any]] = {}
    for each in schema.__subclasses__():
        if "EXAMPLE" in vars(each):
            found[each.__name__] = each.EXAMPLE
        found |= own_examples(each)
    return found
