"""What a plain agent reads costs what a chat API would charge for it."""

from __future__ import annotations

from pathlib import Path

from benchmarks.plain_agent import SYSTEM, count_tokens
from devrag.parsing.tokens import estimate_tokens
from tests.benchmarks.asked import ID, write_plain_home


def test_each_round_sends_everything_before_it_again(tmp_path: Path) -> None:
    log = write_plain_home(tmp_path) / "log" / f"{ID}.jsonl"
    start = estimate_tokens(SYSTEM) + estimate_tokens("how")
    calls = estimate_tokens("rg money") + estimate_tokens("read shop/till.py")
    assert count_tokens("how", log) == {
        "calls": 3,
        "rounds": 2,
        "billed": start + (start + calls + 10 + 20) + calls + 10,
        "once": start + calls + 10 + 20 + 10,
        "output": calls + 10,
    }
