"""Ask a language model for JSON; where its API knows no schemas, by words alone."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from devrag.llm.chat import ChatModel, Message, Schema
from devrag.llm.errors import ChatInternal

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)
_WISH = "Answer with one JSON object of this JSON schema and nothing else:\n"


def ask_for_object(
    model: ChatModel,
    messages: Sequence[Message],
    *,
    schema: Schema,
    max_output_tokens: int = 2048,
) -> dict[str, Any]:
    """Return a JSON object; ChatInternal when the answer holds none.

    Its shape is what the model made of the schema: the caller checks what it reads.
    """
    wish = Message("user", _WISH + json.dumps(schema, ensure_ascii=False))
    answer = model.complete(
        [*messages, wish], max_output_tokens=max_output_tokens, schema=schema
    )
    if answer.finish_reason == "length":
        raise ChatInternal(
            f"The JSON of {model.model} was cut at {max_output_tokens} tokens. Ask it "
            "for less at a time.",
            permanent=True,
        )
    found = _FENCED.search(answer.text)
    try:
        data = json.loads(found[1] if found else answer.text)
    except ValueError as error:
        reason = str(error)
    else:
        if isinstance(data, dict):
            return data
        reason = f"a {type(data).__name__}, not an object"
    raise ChatInternal(f"{model.model} returned no JSON ({reason}). Ask it again.")
