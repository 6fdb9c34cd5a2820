from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.errors import ConfigurationError
from devrag.runtime import state_files as private


def test_state_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    private.write_json(tmp_path / "state.json", {"password": "x"})
    assert (tmp_path / "state.json").stat().st_mode & 0o777 == 0o600
    assert private.read_json(tmp_path / "state.json") == {"password": "x"}


def test_missing_state_is_none(tmp_path: Path) -> None:
    assert private.read_json(tmp_path / "state.json") is None


def test_damaged_state_names_the_file_and_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text("{")
    with pytest.raises(ConfigurationError, match=r"state\.json.*Delete it"):
        private.read_json(tmp_path / "state.json")


def test_a_large_log_makes_room(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    with log.open("wb") as file:
        file.truncate(11 * 1024 * 1024)
    private.open_log(log).close()
    assert log.stat().st_size == 0
    assert (tmp_path / "web.log.1").exists()


def test_last_lines_show_the_end(tmp_path: Path) -> None:
    (tmp_path / "web.log").write_text("one\ntwo\nthree\n")
    assert private.last_lines(tmp_path / "web.log", 2) == "\n  | two\n  | three"
