"""An answer that was kept, beside what a plain agent read and answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ID = "shop-01"
CITED = {"id": "E1", "path": "shop/till.py", "start_line": 6, "end_line": 9}


def answer_row(markdown: str, **changes: Any) -> dict[str, Any]:
    """Return an answer as ask_answers.py keeps it, with one citation."""
    return {
        "id": ID,
        "group": "shop",
        "question": "how is money taken",
        "outcome": "answered",
        "is_extractive": False,
        "markdown": markdown,
        "citations": [CITED | {"text": "def charge(amount: int) -> int:"}],
        "input_tokens": 90,
        "output_tokens": 10,
        **changes,
    }


def write_asked(folder: Path) -> Path:
    """Write one kept answer; return the folder of it."""
    kept = folder / "asked"
    kept.mkdir()
    row = answer_row("`charge` takes the money [1](cite:1).")
    (kept / f"{ID}.json").write_text(json.dumps(row))
    return kept


def write_plain_answers(folder: Path) -> Path:
    """Write an agent's answer to the same question; return the folder of it."""
    kept = folder / "plain-answers"
    kept.mkdir()
    (kept / f"{ID}.md").write_text("The till does (`shop/till.py:6`).\n")
    return kept


def write_plain_home(folder: Path) -> Path:
    """Write a log of two calls in one round and an answer; return its home."""
    home = folder / "plain"
    (home / "log").mkdir(parents=True)
    row = {"id": ID, "repo": "shop", "question": "how is money taken"}
    (home / "questions.json").write_text(json.dumps([row]))
    calls = [
        {"at": 1.0, "ended": 1.1, "call": "rg money", "output": "x" * 35},
        {"at": 1.2, "ended": 1.3, "call": "read shop/till.py", "output": "y" * 70},
        {"at": 9.0, "ended": 9.1, "call": "answer", "output": "z" * 35},
    ]
    lines = "\n".join(map(json.dumps, calls))
    (home / "log" / f"{ID}.jsonl").write_text(lines)
    return home
