"""A judge behind a chat API: it finds whatever a prompt shows the words of."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.llm.chat_server import Asked

_REQUIREMENT = re.compile(r"^(R\d+): (.+)$", re.MULTILINE)
_PAIR = re.compile(r"^=+ question (\S+) =+$", re.MULTILINE)
_POINTS = dict.fromkeys(("correct", "complete", "relevant", "clear"), 7)
_CLAIM = re.compile(r"^=+ claim (\d+) =+$", re.MULTILINE)


def verdicts_on(prompt: str) -> dict[str, Any]:
    """Return an answer to a prompt of any script.

    A requirement is explained when its text stands on a page; every claim is supported;
    answers are alike.
    """
    pages = prompt.partition("======== requirements ========")[0]
    rows: list[dict[str, Any]] = [
        {
            "id": number,
            "covered": 2 * (text in pages),
            "page": "index.md" if text in pages else "",
            "proof": text if text in pages else "",
        }
        for number, text in _REQUIREMENT.findall(prompt)
    ]
    rows += [
        {"id": number, "verdict": "full", "why": ""}
        for number in _CLAIM.findall(prompt)
    ]
    rows += [
        {"id": number, "A": _POINTS, "B": _POINTS, "why": ""}
        for number in _PAIR.findall(prompt)
    ]
    return {"items": rows}


def answer(asked: Asked) -> str:
    """Answer a request as models do: with a word before the JSON."""
    return f"Here it is:\n```json\n{json.dumps(verdicts_on(asked.prompt))}\n```"
