"""Judges that are asked over HTTP, and those who read and write files."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from benchmarks.judging import (
    BadAnswerError,
    Prompt,
    Row,
    add_judge_options,
    collect_verdicts,
    read_answer,
    write_prompts,
)
from tests.llm.chat_server import ChatServer

PROMPT = Prompt("A-1", "Judge.", "Is tea served?", ("1", "2"))
GOOD = '{"items": [{"id": 1, "ok": true}, {"id": "2", "ok": true}]}'


def _check(row: Row) -> str:
    return "" if row["ok"] else "it is not ok"


def _options(*argv: object) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_judge_options(parser)
    return parser.parse_args([str(each) for each in argv])


def test_an_answer_may_have_text_around_its_json() -> None:
    found = read_answer(f"Sure.\n```json\n{GOOD}\n```\n", PROMPT, _check)
    assert {item: row["ok"] for item, row in found.items()} == {"1": True, "2": True}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I cannot.", "not JSON"),
        ('{"items": ["1"]}', "not JSON"),
        (GOOD.replace('"2"', '"3"'), "Item 2: it is missing"),
        (GOOD.replace("true}]", "false}]"), "Item 2: it is not ok"),
    ],
)
def test_an_unusable_answer_says_why(text: str, problem: str) -> None:
    with pytest.raises(BadAnswerError, match=problem):
        read_answer(text, PROMPT, _check)


def test_several_folders_of_answers_are_several_judges(tmp_path: Path) -> None:
    folders = [tmp_path / "first", tmp_path / "second"]
    for number, folder in enumerate(folders):
        folder.mkdir()
        text = GOOD.replace('"ok"', f'"by": {number}, "ok"')
        (folder / f"{PROMPT.name}.json").write_text(text)
    found = collect_verdicts([PROMPT], _options("--answers", *folders), _check)
    assert [[v["1"]["by"] for v in judge] for judge in found] == [[0], [1]]


def test_an_answer_counts_for_the_same_text_under_another_letter(
    tmp_path: Path,
) -> None:
    (tmp_path / f"{PROMPT.name}.json").write_text(GOOD)
    again = Prompt("B-1", PROMPT.instructions, PROMPT.text, PROMPT.ids)
    found = collect_verdicts([again], _options("--answers", tmp_path), _check)
    assert found[0][0].keys() == {"1", "2"}


def test_a_missing_answer_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadAnswerError, match=rf"{PROMPT.name}\.json"):
        collect_verdicts([PROMPT], _options("--answers", tmp_path), _check)


def test_a_prompt_that_changed_has_another_name() -> None:
    changed = Prompt("A-1", "Judge.", "Is cake served?", ("1", "2"))
    assert changed.name != PROMPT.name
    assert changed.name.startswith("A-1-")


def test_prompts_are_written_whole(tmp_path: Path) -> None:
    told = write_prompts([PROMPT], tmp_path / "prompts")
    (file,) = (tmp_path / "prompts").iterdir()
    assert file.read_text() == "Judge.\n\nIs tea served?\n"
    assert told["prompts"] == 1


def test_a_server_is_asked_once_a_run(judge: ChatServer) -> None:
    judge.write = lambda _: GOOD
    found = collect_verdicts(
        [PROMPT], _options("--judge", judge.url, "--runs", "2"), _check
    )
    assert len(found) == 2
    assert [turn for turn, _ in judge.seen[0].messages] == ["system", "user"]


def test_a_server_that_breaks_the_form_is_told_so(judge: ChatServer) -> None:
    judge.script = [GOOD.replace('"2"', '"3"'), GOOD]
    collect_verdicts([PROMPT], _options("--judge", judge.url), _check)
    assert "Item 2: it is missing." in judge.seen[1].prompt


def test_a_server_that_never_keeps_the_form_is_an_error(judge: ChatServer) -> None:
    judge.write = lambda _: json.dumps({"items": []})
    with pytest.raises(BadAnswerError, match="Item 1: it is missing"):
        collect_verdicts([PROMPT], _options("--judge", judge.url), _check)
    assert len(judge.seen) == 2
