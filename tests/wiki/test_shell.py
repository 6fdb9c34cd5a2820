"""Commands of scripts are sorted by what they are for."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.structural.shell import is_telling, publishes, shortened


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
