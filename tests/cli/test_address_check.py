"""Secrets go to no server that a file names which was only found."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from devrag.cli.remote.destination import read_command_line
from devrag.cli.remote.run import run_remote
from devrag.core.errors import InvalidInput, ServiceError


def test_a_git_hosts_token_goes_to_no_server_that_was_only_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _found(tmp_path, monkeypatch)
    words = ("source", "add", "https://git.example/tea.git", "--product", "tea")
    line = read_command_line(["devrag", *words, "--token-stdin"])
    with pytest.raises(InvalidInput, match=r"use --server https://127\.0\.0\.1:9"):
        run_remote(line)
    monkeypatch.setattr(sys, "stdin", io.StringIO("secret\n"))
    line.server = "https://127.0.0.1:9"
    with pytest.raises(ServiceError, match="Cannot reach"):
        run_remote(line)


@pytest.mark.parametrize(
    "words",
    [
        ("index", "https://ann:pw@git.example/tea.git", "--product", "tea"),
        ("index", "https://ann:a/pw@git.example/tea.git", "--product", "tea"),
        ("index", "https://git.example/tea.git?token=pw", "--product", "tea"),
        ("source", "add", "https://ghp_pw@git.example/tea.git", "--product", "tea"),
        ("source", "add", "ssh://ann:pw@git.example/tea.git", "--product", "tea"),
        ("source", "add", "ann:pw@git.example:tea.git", "--product", "tea"),
        ("source", "update", "tea", "--url", "https://ann:pw@git.example/tea.git"),
    ],
)
def test_a_login_in_an_address_goes_to_no_server_that_was_only_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    found = _found(tmp_path, monkeypatch)
    with pytest.raises(InvalidInput) as raised:
        run_remote(read_command_line(["devrag", *words]))
    assert str(found) in str(raised.value)
    assert "the login in the address of git.example" in str(raised.value)
    assert "pw" not in str(raised.value)
    named = ["devrag", "--config", str(found), *words]
    with pytest.raises(ServiceError, match="Cannot reach"):
        run_remote(read_command_line(named))


@pytest.mark.parametrize(
    "location",
    ["https://git.example/tea.git", "git@git.example:tea.git", "/srv/a:b@c"],
)
def test_an_address_without_a_secret_goes_where_a_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, location: str
) -> None:
    _found(tmp_path, monkeypatch)
    words = ("index", location, "--product", "tea")
    with pytest.raises(ServiceError, match="Cannot reach"):
        run_remote(read_command_line(["devrag", *words]))


def _found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file found on the way up that names a server nobody runs."""
    monkeypatch.setenv("DEVRAG_CONFIG", "")
    monkeypatch.delenv("DEVRAG_CONFIG")
    place = folder / "repository" / "src"
    place.mkdir(parents=True)
    monkeypatch.chdir(place)
    given = {"server": {"url": "https://127.0.0.1:9", "token": "t"}}
    found = folder / "repository" / ".devrag.json"
    found.write_text(json.dumps(given))
    return found
