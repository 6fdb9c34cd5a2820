"""The small parts of `demo`; the whole is what `make demo` shows."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import ServiceError
from devrag.use_cases.management.commands.demo import _absolute, _login, _run


@pytest.fixture
def password(settings: Any, tmp_path: Path) -> Path:
    settings.DEVRAG_HOME = tmp_path
    (tmp_path / "run").mkdir()
    path = tmp_path / "run" / "admin_password"
    path.write_text("one-word")
    return path


def test_the_password_is_shown_the_first_time(password: Path) -> None:
    assert "one-word" in _login()


def test_the_second_time_says_only_where_it_is(password: Path) -> None:
    _login()
    said = _login()
    assert "one-word" not in said
    assert str(password) in said


def test_the_mark_of_the_first_time_is_private(password: Path) -> None:
    _login()
    mark = password.with_name("admin_password.shown")
    assert stat.S_IMODE(mark.stat().st_mode) == 0o600


def test_a_database_of_ones_own_has_no_password_to_show(password: Path) -> None:
    password.unlink()
    assert "createsuperuser" in _login()


@pytest.mark.parametrize(
    "location",
    [
        "https://git.example/app.git",
        "git@git.example:app.git",
        "ssh://git@git.example/a",
    ],
)
def test_an_address_stays_as_it_is(location: str) -> None:
    assert _absolute(location) == location


@pytest.mark.parametrize("location", [".", "./x", "../x", "here"])
def test_a_path_becomes_absolute(
    location: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path)
    assert _absolute(location) == str((tmp_path / location).resolve())


def test_the_home_folder_is_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert _absolute("~/x") == str(tmp_path / "x")


@pytest.mark.slow
def test_a_step_that_fails_ends_the_demo_with_its_name() -> None:
    with pytest.raises(ServiceError, match="'no-such-command' failed"):
        _run(("no-such-command",))
