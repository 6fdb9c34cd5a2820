"""Wikis judged by a rubric: blind, in parts, and scored as CodeWikiBench does."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from benchmarks.wiki_rubric import main, problem_of, read_rubric, split_portions
from devrag.parsing.tokens import estimate_tokens
from tests.benchmarks.judge import verdicts_on


@pytest.fixture
def wikis(exported_wiki: Path) -> list[Path]:
    """Two wikis of which the second tells only of the till."""
    other = exported_wiki.parent / "other"
    shutil.copytree(exported_wiki, other)
    (other / "index.md").write_text("# Shop\n\nThis is charging a customer.\n")
    return [exported_wiki, other]


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    return tmp_path / "prompts"


def _run(capsys: pytest.CaptureFixture[str], *argv: object) -> Any:
    main([str(each) for each in argv])
    return json.loads(capsys.readouterr().out)


def _answer(prompts: Path, folder: Path) -> Path:
    folder.mkdir()
    for prompt in prompts.glob("*.md"):
        text = json.dumps(verdicts_on(prompt.read_text()))
        (folder / f"{prompt.stem}.json").write_text(text)
    return folder


def test_a_score_is_the_weighted_average_of_the_parts(rubric: Path) -> None:
    found = read_rubric(rubric)
    assert [leaf.id for leaf in found.leaves()] == ["R1", "R2", "R3"]
    assert found.score({"R1": 0, "R2": 1, "R3": 0}) == pytest.approx(2 / 3 * 3 / 4)


def test_a_rubric_may_be_a_bare_list(rubric: Path) -> None:
    nodes = json.loads(rubric.read_text())["rubrics"]
    rubric.write_text(json.dumps(nodes))
    assert len(list(read_rubric(rubric).leaves())) == 3


def test_answers_in_files_give_each_wiki_its_own_score(
    rubric: Path,
    wikis: list[Path],
    prompts: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _run(capsys, "--rubric", rubric, *wikis, "--prompts", prompts)
    answers = _answer(prompts, tmp_path / "answers")
    found = _run(capsys, "--rubric", rubric, *wikis, "--answers", answers)
    first, second = (found[str(wiki)] for wiki in wikis)
    assert (first["score"], second["score"]) == (0.8333, 0.3333)
    missing = [each["requirement"] for each in second["unexplained"]]
    assert missing == ["keeping orders", "counting stock"]
    assert [part["score"] for part in first["requirements"]] == [1.0, 0.75]


def test_judges_are_averaged(
    rubric: Path,
    exported_wiki: Path,
    prompts: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _run(capsys, "--rubric", rubric, exported_wiki, "--prompts", prompts)
    mild = _answer(prompts, tmp_path / "mild")
    strict = _answer(prompts, tmp_path / "strict")
    for file in strict.iterdir():
        file.write_text(file.read_text().replace('"covered": 2', '"covered": 0'))
    found = _run(capsys, "--rubric", rubric, exported_wiki, "--answers", mild, strict)[
        str(exported_wiki)
    ]
    assert found["scores"] == [0.8333, 0.0]
    assert found["score"] == 0.4167


def test_what_is_only_mentioned_is_not_explained(
    rubric: Path,
    exported_wiki: Path,
    prompts: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _run(capsys, "--rubric", rubric, exported_wiki, "--prompts", prompts)
    answers = _answer(prompts, tmp_path / "answers")
    for file in answers.iterdir():
        file.write_text(file.read_text().replace('"covered": 2', '"covered": 1', 1))
    found = _run(capsys, "--rubric", rubric, exported_wiki, "--answers", answers)[
        str(exported_wiki)
    ]
    assert found["score"] == 0.8333
    assert found["explained"] == 0.5


def test_prompts_do_not_tell_which_wiki_they_show(
    rubric: Path,
    wikis: list[Path],
    prompts: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _run(capsys, "--rubric", rubric, *wikis, "--prompts", prompts)
    texts = [path.read_text() for path in prompts.iterdir()]
    assert sorted(path.name[:4] for path in prompts.iterdir()) == ["A-1-", "B-1-"]
    assert not any(str(wiki.parent) in text for wiki in wikis for text in texts)


def test_the_seed_draws_the_letters(
    rubric: Path, wikis: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown_as_a = set()
    for seed in range(8):
        folder = tmp_path / f"prompts-{seed}"
        _run(capsys, "--rubric", rubric, *wikis, "--prompts", folder, "--seed", seed)
        (first,) = folder.glob("A-*.md")
        shown_as_a.add("keeping orders.\n" in first.read_text())
    assert shown_as_a == {True, False}


def test_a_requirement_is_covered_if_one_part_of_the_wiki_shows_it(
    rubric: Path,
    exported_wiki: Path,
    prompts: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (exported_wiki / "features" / "till.md").write_text(
        f"counting stock {'word ' * 90}\n"
    )
    room = ("--window", 800, "--max-output", 300)
    _run(capsys, "--rubric", rubric, exported_wiki, "--prompts", prompts, *room)
    answers = _answer(prompts, tmp_path / "answers")
    found = _run(
        capsys, "--rubric", rubric, exported_wiki, "--answers", answers, *room
    )[str(exported_wiki)]
    assert found["prompts"] == 2
    assert found["score"] == 1.0


def test_portions_hold_whole_texts_where_they_fit() -> None:
    assert split_portions(["a" * 35, "b" * 35, "c" * 70], 20) == [
        "a" * 35 + "b" * 35,
        "c" * 70,
    ]


def test_a_text_larger_than_a_portion_is_split_between_paragraphs() -> None:
    text = "\n\n".join(["word " * 20] * 5)
    portions = split_portions([text], 70)
    assert len(portions) > 1
    assert all(estimate_tokens(portion) <= 70 for portion in portions)
    assert "".join(portions).split() == text.split()


def test_proofs_that_do_not_stand_in_the_wiki_are_counted(
    rubric: Path,
    exported_wiki: Path,
    prompts: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _run(capsys, "--rubric", rubric, exported_wiki, "--prompts", prompts)
    answers = _answer(prompts, tmp_path / "answers")
    (file,) = answers.iterdir()
    text = file.read_text()
    file.write_text(text.replace('"proof": "keeping', '"proof": "losing all'))
    found = _run(capsys, "--rubric", rubric, exported_wiki, "--answers", answers)
    assert found[str(exported_wiki)]["unproved"] == 1
    assert found[str(exported_wiki)]["proofs"] == 2


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"covered": 1, "proof": "Tea is served."}, ""),
        ({"covered": 0}, ""),
        ({"covered": 0.5}, "not 0, 1 or 2"),
        ({"covered": 1, "proof": " "}, "no proof"),
        ({}, "not 0, 1 or 2"),
    ],
)
def test_a_row_is_covered_with_a_proof_or_not(
    row: dict[str, Any], problem: str
) -> None:
    assert problem in problem_of(row)
    assert bool(problem_of(row)) == bool(problem)
