"""What the server takes from a configuration, and from which."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from devrag.runtime.configured import configured_port, describe_server


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("DEVRAG_PORT", "HTTP_PORT", "DEVRAG_CONFIG", "SEARCH_DOCS_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("server", "port"),
    [
        ({"port": 24280}, 24280),
        ({"host": "localhost", "port": 24280}, 24280),
        ({"host": "devrag.example", "port": 24280}, 8080),
        ({"url": "https://devrag.example", "port": 24280}, 8080),
        ({"url": "http://localhost:24280/"}, 24280),
        ({"url": "http://[::1]:24280", "port": 9000}, 24280),
        ({"url": "http://localhost"}, 8080),
        ({"url": "http://localhost:24280/path"}, 8080),
        ({"url": "https://localhost:24280"}, 8080),
        ({"url": "http://localhost:99999"}, 8080),
        ({"url": "http://["}, 8080),
        ({"port": "24280"}, 24280),
        ({}, 8080),
    ],
)
def test_the_port_is_that_of_a_configuration_about_this_machine(
    place: Path, server: dict[str, object], port: int
) -> None:
    (place / ".devrag.json").write_text(json.dumps({"server": server}))
    assert configured_port(8080) == port


def test_the_environment_beats_the_configuration(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / ".devrag.json").write_text('{"server": {"port": 24280}}')
    monkeypatch.setenv("HTTP_PORT", "9000")
    assert configured_port(9000) == 9000


def test_the_server_does_not_climb(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / ".devrag.json").write_text('{"server": {"port": 24280}}')
    (place / "below").mkdir()
    monkeypatch.chdir(place / "below")
    assert configured_port(8080) == 8080
    monkeypatch.setenv("DEVRAG_CONFIG", str(place / ".devrag.json"))
    assert configured_port(8080) == 24280


def test_the_pid_file_says_project_and_configuration(place: Path) -> None:
    env_file = place / "checkout" / ".env"
    record = describe_server(env_file, "127.0.0.1", 8080)
    assert (record.projectRoot, record.configPath) == (str(place), str(env_file))
    path = place / ".devrag.json"
    path.write_text('{"project": {"root": "shop"}}')
    record = describe_server(env_file, "127.0.0.1", 8080)
    assert (record.projectRoot, record.projectName) == (str(place / "shop"), "shop")
    assert record.configPath == str(path)
