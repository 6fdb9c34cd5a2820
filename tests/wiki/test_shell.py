"""Commands of scripts are sorted by what they are for."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.structural.shell import (
    abbreviated,
    commands_in,
    is_telling,
    plain,
    publishes,
    runs_tests,
    shortened,
    without_assignments,
)


@pytest.mark.parametrize(
    ("command", "telling"),
    [
        ("uv run pytest -q", True),
        ("python -m build", True),
        ("make test", True),
        ("./scripts/check", True),
        ("go vet ./...", True),
        ("cat a > b", False),
        ("git config user.name x", False),
        ('sys.exit("no")', False),
        ("npm ci", False),
    ],
)
def test_commands_that_build_check_or_test(command: str, telling: bool) -> None:
    assert is_telling(command) is telling


@pytest.mark.parametrize(
    ("command", "published"),
    [
        ("gh release create v1", True),
        ("uv publish", True),
        ("echo deploy", False),
        ("pytest", False),
    ],
)
def test_commands_that_publish(command: str, published: bool) -> None:
    assert publishes(command) is published


def test_a_long_or_broken_command_is_not_shown() -> None:
    assert shortened("make   test") == "`make test`"
    assert shortened("make " + "x" * 90) == ""
    assert shortened("make \\") == ""


def test_a_long_command_is_abbreviated_at_a_word() -> None:
    assert abbreviated("make " + "xy " * 40).endswith("xy` …")
    assert abbreviated("make test") == "`make test`"


@pytest.mark.parametrize(
    ("script", "commands"),
    [
        ("A=1", []),
        ('A="b c" make test', ['A="b c" make test']),
        ("A=$(date +%s)", []),
        ("docker run\n-v x y\nmake", ["docker run -v x y", "make"]),
    ],
)
def test_an_assignment_alone_is_no_command(script: str, commands: list[str]) -> None:
    assert list(commands_in(script)) == commands


def test_a_command_is_told_without_what_stands_before_it() -> None:
    assert plain("uv run --locked --group dev tox run") == "tox run"
    assert plain("CI=1 npx jest") == "jest"
    assert without_assignments("A=1 PATH=$HOME/bin:$PATH make test") == "make test"


def test_targets_whose_names_end_with_test_run_tests() -> None:
    assert runs_tests("make richtest")
    assert not runs_tests("make latest")
