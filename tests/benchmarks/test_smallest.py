"""Each benchmark runs to its end at its smallest size and prints its figures.

A script names its arguments in `SMALLEST`; `{corpus}` and the like stand for what is
made here.
"""

from __future__ import annotations

import ast
import json
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from benchmarks.search_mixed import KINDS
from tests.architecture.modules import ROOT
from tests.benchmarks.asked import (
    write_asked,
    write_plain_answers,
    write_plain_home,
)
from tests.benchmarks.pinned_sets import (
    write_git,
    write_planted,
    write_sets,
    write_traces,
)
from tests.conftest import SHOP, Repository

pytestmark = pytest.mark.xdist_group("benchmarks")
FOLDER = ROOT / "benchmarks"
_SECONDS = 600


def _scripts() -> list[Path]:
    """Return what can be run; other modules are parts of those."""
    paths = sorted(FOLDER.glob("*.py"))
    return [path for path in paths if '__name__ == "__main__"' in path.read_text()]


def _smallest(path: Path) -> str | None:
    """Return the arguments that a script names, without running it."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SMALLEST":
            return str(ast.literal_eval(node.value))
    return None


# What a running server has no part in.
_ALONE = {"corpus", "models", "package", "judge", "plain_home", "planted"}
SMALLEST = {path.stem: _smallest(path) for path in _scripts()}
# The others need a server, the model or a quarter of a minute.
QUICK = (
    "ask_judged",
    "parsing",
    "plain_agent",
    "wiki_claims",
    "wiki_conflicts",
    "wiki_rubric",
    "wiki_support",
)


def test_every_benchmark_names_its_smallest_run() -> None:
    assert [name for name, arguments in SMALLEST.items() if arguments is None] == []
    assert "search_speed" in SMALLEST


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in SMALLEST],
)
def test_it_runs_at_its_smallest(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    path, arguments = FOLDER / f"{name}.py", SMALLEST[name] or ""
    needed = {field for _, field, _, _ in Formatter().parse(arguments) if field}
    places = {each: _make(each, request, tmp_path) for each in needed}
    # What names no place asks the server that runs.
    is_alone = not needed.isdisjoint(_ALONE)
    env = None if is_alone else request.getfixturevalue("instance").env
    done = subprocess.run(
        [sys.executable, str(path), *shlex.split(arguments.format(**places))],
        env=env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    figures = _figures(done.stdout)
    assert figures
    if check := _CHECKS.get(name):
        check(figures, request)


def _figures(printed: str) -> Any:
    """Return the document, or the last of a line each."""
    try:
        return json.loads(printed)
    except ValueError:
        return json.loads(printed.strip().splitlines()[-1])


def _check_plain_agent(figures: Any, _request: pytest.FixtureRequest) -> None:
    assert (figures["calls"], figures["rounds"]) == (3, 2)


def _check_ask_judged(figures: Any, _request: pytest.FixtureRequest) -> None:
    assert figures["all"]["devrag"]["sum"] == figures["all"]["plain"]["sum"] == 28


def _check_mixed_load(figures: Any, request: pytest.FixtureRequest) -> None:
    freshness, searches = figures["freshness"], figures["searches"]
    assert freshness["commits"] > 0
    assert freshness["missing"] == 0
    assert set(searches["statuses"]) <= {"200", "503"}
    assert searches["unavailable_without_retry_after"] == 0
    left = request.getfixturevalue("instance").ask("product", "list")
    assert "devrag-load-" not in json.dumps(left)  # its product is gone


def _check_recovery(figures: Any, _request: pytest.FixtureRequest) -> None:
    assert figures["web"]["searchable"]["max_seconds"] > 0
    assert set(figures["web"]["statuses"]) <= {"0", "200", "503"}


def _check_wiki_rubric(figures: Any, _request: pytest.FixtureRequest) -> None:
    (wiki,) = figures.values()
    assert wiki["score"] == round((1 + 2 * 3 / 4) / 3, 4)


def _check_wiki_claims(figures: Any, _request: pytest.FixtureRequest) -> None:
    (wiki,) = figures.values()
    assert (wiki["sampled"], wiki["full"], wiki["share"]) == (3, 3, 1.0)


def _check_wiki_conflicts(figures: Any, _request: pytest.FixtureRequest) -> None:
    assert (figures["tuned"]["found"], figures["tuned"]["wrong"]) == (1, 0)


def _check_resolution(figures: Any, _request: pytest.FixtureRequest) -> None:
    assert figures["python"]["shop"]["right"] == 2


def _check_search_quality(figures: Any, _request: pytest.FixtureRequest) -> None:
    functions, notes = figures["functions"]["figures"], figures["notes"]["figures"]
    assert functions["search_code: first 3"] == notes["mrr"] == 1.0
    assert figures["swe-qa"]["figures"]["files"] == 1.0
    assert figures["nothing"]["figures"]["right questions"] == 0.0
    assert figures["tuning"]["figures"]["overall"] > 0
    assert "words only" in figures["japanese"]["ablation"]
    mixed = figures["mixed"]
    found = [mixed["figures"][f"recall@10, {kind}"] for kind in KINDS]
    assert found == [1.0, 1.0, 1.0]
    assert mixed["ablation"]["as it is"] == mixed["figures"]


def _check_search_weights(figures: Any, _request: pytest.FixtureRequest) -> None:
    assert set(figures["weights"]) == {"GENERAL", "DEFINITIONS", "JAPANESE"}
    assert "tuning: ndcg@10" in figures["held_out"]


def _check_trace(figures: Any, _request: pytest.FixtureRequest) -> None:
    assert (figures["found"], figures["right"], figures["refused"]) == (1.0, 1.0, 1.0)


# What must be right whatever the size; the others only have to print figures.
_CHECKS: dict[str, Callable[[Any, pytest.FixtureRequest], None]] = {
    "mixed_load": _check_mixed_load,
    "search_weights": _check_search_weights,
    "recovery": _check_recovery,
    "ask_judged": _check_ask_judged,
    "plain_agent": _check_plain_agent,
    "wiki_claims": _check_wiki_claims,
    "wiki_rubric": _check_wiki_rubric,
    "wiki_conflicts": _check_wiki_conflicts,
    "resolution": _check_resolution,
    "search_quality": _check_search_quality,
    "trace": _check_trace,
}


def _make(place: str, request: pytest.FixtureRequest, folder: Path) -> str:
    """Return what a script gets for a word in braces."""
    if place in {"corpus", "models", "rubric", "exported_wiki", "checkouts"}:
        return str(request.getfixturevalue(place))
    if place == "cited_repository":
        return str(request.getfixturevalue(place).path)
    if place == "judge":
        return str(request.getfixturevalue(place).url)
    if place == "package":
        return str(Path(sysconfig.get_paths()["purelib"]) / "markdown_it")
    if place == "repository":  # the same, for what a running server reads
        return str(request.getfixturevalue("corpus"))
    return str(_MADE[place](folder))


@pytest.fixture(scope="module")
def checkouts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two repositories, of which one can be left out. `shop` is indexed as it is.

    One place for all scripts: a source of that name is one folder in the database.
    """
    folder = tmp_path_factory.mktemp("checkouts")
    for name in ("shop", "stall"):
        Repository(folder / name).commit(dict(SHOP))
    return folder


def _repositories(folder: Path) -> Path:
    path = folder / "repositories.json"
    path.write_text(json.dumps([{"name": "shop"}, {"name": "stall"}]))
    return path


def _questions(folder: Path) -> Path:
    row = {"query": "charge the customer", "relevant": ["shop/till.py"]}
    rows = [{**row, "repo": name} for name in ("shop", "stall")]
    return _write_lines(folder / "questions.jsonl", rows)


def _agent_questions(folder: Path) -> Path:
    row = {
        "question": "where is the customer charged",
        "source": "shop",
        "path": "shop/till.py",
        "definition": "charge",
        "grep": "charge",
    }
    return _write_lines(folder / "agent_questions.jsonl", [row])


def _labels(folder: Path) -> Path:
    """What a call of each checkout means: `cart.checkout()` and `charge()`."""
    calls = [
        ["tests/test_cart.py", 7, "checkout", "shop/cart.py:17"],
        ["shop/cart.py", 18, "charge", "shop/till.py:6"],
    ]
    head = {"language": "python", "repository": "shop", "commit": ""}
    return _write_lines(folder / "labels.jsonl", [head, *calls])


def _write_lines(path: Path, rows: Sequence[object]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


_MADE: dict[str, Callable[[Path], Path]] = {
    "asked": write_asked,
    "plain_home": write_plain_home,
    "plain_answers": write_plain_answers,
    "answers": lambda folder: folder / "answers",
    "labels": _labels,
    "repositories": _repositories,
    "questions": _questions,
    "agent_questions": _agent_questions,
    "search_sets": write_sets,
    "git": write_git,
    "planted": write_planted,
    "traces": write_traces,
}
