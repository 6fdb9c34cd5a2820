from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.errors import ConfigurationError
from devrag.runtime.layout import Home


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_folders_are_for_their_owner_only(tmp_path: Path) -> None:
    home = Home(tmp_path / "home").ensure()
    folders = list(home.root.iterdir())
    assert len(folders) == 8
    assert {mode(folder) for folder in folders} == {0o700}
    assert mode(home.root) & 0o066 == 0


def test_root_is_absolute_with_symlinks_resolved(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert Home(tmp_path / "link" / "..").root == tmp_path


def test_a_home_that_cannot_be_created_names_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ConfigurationError, match=r"file.*DEVRAG_HOME"):
        Home(tmp_path / "file" / "home").ensure()


def test_a_home_on_a_read_only_place_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"/proc/devrag .*DEVRAG_HOME"):
        Home(Path("/proc/devrag")).ensure()
