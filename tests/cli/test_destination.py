"""Which devrag a command asks, and that a token goes to nobody else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from devrag.cli.remote.address_check import remember_trust
from devrag.cli.remote.destination import (
    Destination,
    find_destination,
    read_command_line,
)
from devrag.core.errors import InvalidInput

HERE, THERE = "http://localhost:8080", "https://devrag.example"
FILE = {"server": {"url": THERE, "token": "of-file"}}


@pytest.fixture(autouse=True)
def _empty_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("DEVRAG_URL", "DEVRAG_API_TOKEN", "DEVRAG_CONFIG"):
        monkeypatch.setenv(name, "")  # so that what a command sets goes again
        monkeypatch.delenv(name)


def ask(*words: str) -> Destination | None:
    return find_destination(read_command_line(["devrag", "search", *words, "q"]))


def configure(config: object) -> None:
    Path(".devrag.json").write_text(json.dumps(config))


@pytest.mark.parametrize(
    "argv",
    [
        ["--config", "c.json", "search", "q"],  # before or after the command
        ["search", "--config", "c.json", "q"],
        ["search", "--config=c.json", "q"],
        ["-c", "c.json", "search", "q"],
        ["search", "q", "-c", "c.json"],
    ],
)
def test_the_configuration_is_named_before_or_after_the_command(
    argv: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEVRAG_CONFIG", "other.json")
    line = read_command_line(["devrag", *argv])
    assert (line.words, line.config) == (["devrag", "search", "q"], "c.json")


def test_what_is_not_ours_stays() -> None:
    for argv in (["devrag", "shell", "-c", "1"], ["devrag", "search", "--", "-c"]):
        assert read_command_line(argv).words == argv


def test_an_option_without_its_value_is_said() -> None:
    with pytest.raises(InvalidInput, match="--server needs a value"):
        read_command_line(["devrag", "search", "q", "--server"])


def test_without_an_address_the_data_of_this_machine_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    configure({"project": {"root": "."}})
    monkeypatch.setenv("DEVRAG_API_TOKEN", "for something else")
    assert ask() is None


def test_a_token_alone_asks_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask("--token", "t") == Destination(HERE, "t")


def test_the_environment_names_server_and_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DEVRAG_URL", f"{THERE}/")
    monkeypatch.setenv("DEVRAG_API_TOKEN", "t")
    assert ask() == Destination(THERE, "t")
    assert ask("--server", HERE, "--token", "u") == Destination(HERE, "u")


def test_a_file_names_both() -> None:
    configure(FILE)
    assert ask("--config", ".devrag.json") == Destination(THERE, "of-file")


def test_a_found_file_leads_to_another_machine_once_it_is_trusted() -> None:
    configure(FILE)
    with pytest.raises(InvalidInput, match=r"your search queries .*--server https"):
        ask()
    remember_trust(Path.cwd() / ".devrag.json", "https://other.example")
    with pytest.raises(InvalidInput, match="not named by you"):
        ask()
    remember_trust(Path.cwd() / ".devrag.json", THERE)
    assert ask() == Destination(THERE, "of-file")


def test_a_found_file_with_a_token_leads_to_a_server_of_this_machine() -> None:
    configure({"server": {"url": "http://localhost:9", "token": "of-file"}})
    assert ask() == Destination("http://localhost:9", "of-file")


def test_trust_is_remembered_once() -> None:
    for _ in range(2):
        remember_trust(Path.cwd() / ".devrag.json", THERE)
    kept = Path("config/devrag/trusted_servers.json").read_text()
    assert kept.count(THERE) == 1


def test_trust_that_cannot_be_remembered_is_a_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("config").touch()
    remember_trust(Path.cwd() / ".devrag.json", THERE)
    assert "you will be asked about" in capsys.readouterr().err


def test_a_files_token_stays_with_its_server() -> None:
    configure(FILE)
    with pytest.raises(InvalidInput, match="requires a token"):
        ask("--server", "https://other.example")
    assert ask("--server", THERE) == Destination(THERE, "of-file")


def test_a_file_that_was_only_found_gets_no_token_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    configure({"server": {"url": THERE}})
    monkeypatch.setenv("DEVRAG_API_TOKEN", "secret")
    for given in ((), ("--token", "secret")):
        with pytest.raises(InvalidInput, match=r"not named by you.*--server https"):
            ask(*given)
    assert ask("--config", ".devrag.json") == Destination(THERE, "secret")
    assert ask("--server", THERE, "--token", "u") == Destination(THERE, "u")


@pytest.mark.parametrize(
    "url",
    [
        *("devrag.example", "ftp://a", "http://", "/x", "http://[", "http://a b"),
        *("http://a:99999", "http://a:abc", "http://a..b", "http://a/é"),
    ],
)
def test_what_is_no_address_is_said(url: str) -> None:
    with pytest.raises(InvalidInput, match="not a server address"):
        ask("--server", url, "--token", "t")


@pytest.mark.parametrize("token", ["devrag_abc123…", "one\ntwo", "one two"])
def test_what_is_no_token_is_said_and_not_shown(token: str) -> None:
    with pytest.raises(InvalidInput, match="Copy it again") as raised:
        ask("--server", THERE, "--token", token)
    assert token not in str(raised.value)


def test_a_file_with_no_address_is_told_of() -> None:
    configure({"server": {"url": "http://[", "token": "t"}})
    with pytest.raises(InvalidInput, match="not a server address"):
        ask()
