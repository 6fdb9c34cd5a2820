"""Random claims of exported wikis, shown with the lines that they cite."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from benchmarks.exported_wiki import CitedPlace
from benchmarks.wiki_claims import cited_lines, draw_probes, main, wilson
from tests.benchmarks.judge import verdicts_on
from tests.conftest import SHOP, Repository


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    return tmp_path / "prompts"


def _run(capsys: pytest.CaptureFixture[str], *argv: object) -> Any:
    main([str(each) for each in argv])
    return json.loads(capsys.readouterr().out)


def _answers(prompts: Path, folder: Path, **verdicts: str) -> Path:
    """Write answers; verdicts: a claim's beginning → what is said of it."""
    folder.mkdir()
    for prompt in prompts.glob("*.md"):
        text = prompt.read_text()
        rows = verdicts_on(text)["items"]
        for row in rows:
            shown = text.partition(f"claim {row['id']} ==")[2].partition("\n====")[0]
            for start, verdict in verdicts.items():
                if f"Claim: {start}" in shown:
                    row["verdict"] = verdict
        (folder / f"{prompt.stem}.json").write_text(json.dumps({"items": rows}))
    return folder


def test_lines_are_those_of_the_cited_commit(cited_repository: Repository) -> None:
    commit = cited_repository.git("rev-parse", "HEAD")[:12]
    cited_repository.commit({"shop/till.py": "everything = 'changed'\n"})
    place = CitedPlace("shop", "shop/till.py", 1, 2, commit)
    wanted = "\n".join(SHOP["shop/till.py"].split("\n")[:2])
    assert cited_lines(place, cited_repository.path) == wanted


def test_lines_without_a_commit_are_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("one\ntwo\nthree\n")
    place = CitedPlace("notes", "notes.txt", 2, 3, "")
    assert cited_lines(place, tmp_path) == "two\nthree"


def test_a_seed_draws_the_same_claims_again(exported_wiki: Path) -> None:
    totals, first = draw_probes([exported_wiki], 3, "7")
    assert totals == {exported_wiki: 5}
    assert [probe.id for probe in first] == ["1", "2", "3"]
    assert draw_probes([exported_wiki], 3, "7")[1] == first


def test_claims_of_several_wikis_are_shuffled_together(exported_wiki: Path) -> None:
    other = exported_wiki.parent / "other"
    shutil.copytree(exported_wiki, other)
    orders = {
        tuple(
            probe.wiki.name for probe in draw_probes([exported_wiki, other], 2, seed)[1]
        )
        for seed in "abcdefgh"
    }
    assert len(orders) > 1
    assert all(sorted(order) == ["other", "other", "shop", "shop"] for order in orders)


def test_a_prompt_shows_the_claim_and_its_lines(
    exported_wiki: Path,
    cited_repository: Repository,
    prompts: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source = f"shop={cited_repository.path}"
    _run(capsys, "--source", source, exported_wiki, "--prompts", prompts)
    (file,) = prompts.iterdir()
    text = file.read_text()
    assert "Claim: | `charge` | Takes money. |" in text
    assert "---- shop/till.py, from line 1 ----\n" in text
    assert SHOP["shop/till.py"].split("\n")[0] in text
    assert str(exported_wiki) not in text


def test_the_report_counts_verdicts_and_names_what_is_not_supported(
    exported_wiki: Path,
    cited_repository: Repository,
    prompts: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rest = ("--source", f"shop={cited_repository.path}", exported_wiki)
    _run(capsys, *rest, "--prompts", prompts)
    answers = _answers(prompts, tmp_path / "answers", Till="partly", Tea="not")
    found = _run(capsys, *rest, "--answers", answers)[str(exported_wiki)]
    assert (found["full"], found["partly"], found["not"]) == (3, 1, 1)
    assert found["share"] == 0.6
    assert found["quotations"]["not"] == 1
    assert found["own_sentences"]["share"] == 0.75
    claims = {each["claim"]: each["verdicts"] for each in found["unsupported"]}
    assert claims["Tea is served."] == ["not"]
    assert len(claims) == 2


def test_judges_are_averaged_and_their_agreement_is_told(
    exported_wiki: Path,
    cited_repository: Repository,
    prompts: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rest = ("--source", f"shop={cited_repository.path}", exported_wiki)
    _run(capsys, *rest, "--prompts", prompts)
    mild = _answers(prompts, tmp_path / "mild")
    strict = _answers(prompts, tmp_path / "strict", Tea="not")
    found = _run(capsys, *rest, "--answers", mild, strict)[str(exported_wiki)]
    assert (found["full"], found["not"], found["sampled"]) == (4.5, 0.5, 5)
    assert found["agreement"] == 0.8
    assert found["interval"] == [round(bound, 4) for bound in wilson(4.5, 5)]


@pytest.mark.parametrize(
    ("successes", "total", "interval"),
    [
        (0, 0, (0.0, 1.0)),
        (8, 10, (0.4902, 0.9433)),
        (200, 200, (0.9812, 1.0)),
        (194, 200, (0.9361, 0.9862)),
        (0, 10, (0.0, 0.2775)),
    ],
)
def test_wilson_intervals(
    successes: int, total: int, interval: tuple[float, float]
) -> None:
    assert wilson(successes, total) == pytest.approx(interval, abs=1e-4)
