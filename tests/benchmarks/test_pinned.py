"""Files of repositories at the commits that questions name."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.pinned import PinnedPart, check_out, find_repository, list_files
from tests.benchmarks.pinned_sets import head, write_git
from tests.conftest import Repository


@pytest.fixture
def git(tmp_path: Path) -> Path:
    return write_git(tmp_path)


@pytest.mark.parametrize("place", ["acme+tea/repo", "acme+tea", "tea"])
def test_a_repository_is_found_under_its_usual_names(git: Path, place: str) -> None:
    Repository(git / place)
    assert find_repository(git, "acme/tea") == git / place


def test_a_repository_that_is_not_there_is_named(git: Path) -> None:
    with pytest.raises(FileNotFoundError, match="acme\\+tea"):
        find_repository(git, "acme/tea")


def test_a_part_is_checked_out_at_its_commit_and_alone(
    git: Path, tmp_path: Path
) -> None:
    commit = head(git, "acme+shop/repo")
    later = Repository.__new__(Repository)
    later.path = git / "acme+shop" / "repo"
    later.commit({"README.md": "later", "NOTES.md": "later"})
    target = tmp_path / "out"
    target.mkdir()
    (target / "old.txt").touch()
    check_out(git, [PinnedPart("acme/shop", commit, ("*.md",))], target)
    assert [path.name for path in target.rglob("*")] == ["README.md"]
    assert (target / "README.md").read_text().startswith("# Shop")


def test_without_globs_a_part_is_everything(git: Path) -> None:
    part = PinnedPart("acme/shop", head(git, "acme+shop/repo"))
    found = list_files(find_repository(git, "acme/shop"), part)
    assert {"README.md", "shop/till.py"} <= set(found)


def test_globs_that_match_nothing_are_an_error(git: Path, tmp_path: Path) -> None:
    part = PinnedPart("acme/shop", head(git, "acme+shop/repo"), ("*.zig",))
    with pytest.raises(FileNotFoundError, match=r"\*\.zig"):
        check_out(git, [part], tmp_path / "out")
