"""Judged answers: whose they are cannot be seen, and each pair is judged both ways."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks.ask_judged import claims_of, main, support_figures
from tests.benchmarks.asked import answer_row, write_asked, write_plain_answers
from tests.benchmarks.judge import verdicts_on
from tests.benchmarks.pinned_sets import write_sets


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    asked, plain = write_asked(tmp_path), write_plain_answers(tmp_path)
    places = {"--devrag": asked, "--plain": plain, "--data": write_sets(tmp_path)}
    named = [part for name, place in places.items() for part in (name, str(place))]
    return ["pairs", "--git", str(tmp_path / "git"), *named]


def _judge(prompt: str) -> Any:
    """Give nine points a criterion to the answer that speaks of `charge`."""
    rows = verdicts_on(prompt)["items"]
    letter = re.split(r"answer ([AB]) -+\n`charge`", prompt)[1]
    for row in rows:
        row[letter] = dict.fromkeys(row[letter], 9)
    return {"items": rows}


def test_points_go_to_the_writer_in_both_orders(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*arguments, "--prompts", str(tmp_path / "prompts")])
    capsys.readouterr()
    answers = tmp_path / "verdicts"
    answers.mkdir()
    for path in (tmp_path / "prompts").iterdir():
        text = path.read_text()
        assert "devrag" not in text
        assert "takes the money [1]." in text
        assert "\n[1] `shop/till.py:6-9`" in text
        (answers / f"{path.stem}.json").write_text(json.dumps(_judge(text)))
    main([*arguments, "--answers", str(answers)])
    figures = json.loads(capsys.readouterr().out)
    assert (figures["questions"], figures["devrag ahead"]) == (1, 1)
    assert figures["all"]["devrag"]["sum"] == 36
    assert (
        figures["order 1"]["plain"]["sum"] == figures["order 2"]["plain"]["sum"] == 28
    )


def test_only_sentences_of_answers_are_claims() -> None:
    text = "Money is taken so:\n\n- `charge` does [1](cite:1).\n\nNobody knows."
    # The path and lines of copied code say nothing.
    text += "\n\n`shop/till.py:6-9` [1](cite:1)\n\n```python\nx\n```"
    rows = [
        answer_row(text),
        answer_row("`charge` [1](cite:1)", outcome="not_found"),
        answer_row("`charge` [1](cite:1)", is_extractive=True),
    ]
    claims = list(claims_of(rows))
    assert [claim.text for _, claim in claims] == ["`charge` does."]
    verdict = {"1": {"verdict": "partly", "why": "it is more"}}
    figures = support_figures(claims, [verdict], rows)
    assert (figures["share"], figures["uncited"]) == (0.0, ["Nobody knows."])
    assert figures["doubted"][0]["why"] == ["it is more"]
