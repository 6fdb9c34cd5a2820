"""Keys in files: a rotation that is cut off anywhere loses none."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from devrag.core import key_files
from devrag.core.key_files import (
    forget_old_keys,
    old_path,
    read_keys,
    read_old_keys,
    replace_key,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "credentials_key"
    path.write_text("first-key", encoding="ascii")
    return path


def test_a_new_key_goes_before_the_former_ones(path: Path) -> None:
    replace_key(path)
    second = path.read_text()
    replace_key(path)
    assert read_keys(path) == [path.read_text(), second, "first-key"]
    assert len(set(read_keys(path))) == 3


def test_an_older_version_finds_the_key_in_use_alone_in_its_file(path: Path) -> None:
    replace_key(path)
    assert path.read_text().split() == [read_keys(path)[0]]


def test_both_files_are_private(path: Path) -> None:
    replace_key(path)
    for each in (path, old_path(path)):
        assert stat.S_IMODE(each.stat().st_mode) == 0o600


def test_a_rotation_that_ends_between_its_files_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(key_files, "new_key", end)
    with pytest.raises(KeyboardInterrupt):
        replace_key(path)
    monkeypatch.undo()
    assert read_keys(path) == ["first-key"]
    replace_key(path)
    assert read_keys(path)[1:] == ["first-key"]


def test_only_keys_that_are_old_enough_are_forgotten(path: Path) -> None:
    replace_key(path)
    second, before = path.read_text(), datetime.now(UTC)
    replace_key(path)
    assert forget_old_keys(path, before=before) == 1
    assert [old.key for old in read_old_keys(path)] == [second]
    assert forget_old_keys(path, before=before + timedelta(days=1)) == 1
    assert not old_path(path).exists()
    assert forget_old_keys(path, before=before) == 0
