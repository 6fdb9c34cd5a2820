"""Paths and addresses of repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.locations import exists_here, looks_like_path, make_absolute


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with what a repository of somebody else may contain."""
    for name in ("src", "host.example/group", "https:/host.example", "git@host:x"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "manual.pdf").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("text", ["src", "src/", "host.example/group", "manual.pdf"])
def test_what_exists_is_a_path(folder: Path, text: str) -> None:
    assert exists_here(text)
    assert make_absolute(text) == str(folder / text)


@pytest.mark.parametrize(
    "text",
    ["https://host.example", "git@host:x", "nothing", "", "a\0b", "x" * 5000],
)
def test_addresses_and_what_does_not_exist_are_no_paths(text: str) -> None:
    assert not exists_here(text)
    assert make_absolute(text) == text


@pytest.mark.parametrize("text", [".", "./src", "~", "~/src"])
def test_paths_by_their_form_are_made_absolute(folder: Path, text: str) -> None:
    assert looks_like_path(text)
    assert make_absolute(text) == str(folder / text.lstrip("~").lstrip("./"))
