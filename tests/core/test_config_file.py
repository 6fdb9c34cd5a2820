"""Which configuration counts, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.config_file import (
    ConfigPath,
    find_config_file,
    find_project_root,
    ignored_config_files,
    names_server,
    resolve_config_path,
    resolve_server_url,
)
from devrag.core.errors import ConfigurationError


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a configuration at its top; we stand two folders below."""
    (tmp_path / ".devrag.json").write_text('{"server": {"port": 24280}}')
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    monkeypatch.delenv("DEVRAG_CONFIG", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("option", "config", "url"),
    [
        ("https://a.example/", {"server": {"host": "b"}}, "https://a.example"),
        (None, {"server": {"host": "b", "port": 9000}}, "http://b:9000"),
        (None, {"server": {"port": 24280}}, "http://localhost:24280"),
        (None, {"server": {"url": "https://c.example"}}, "https://c.example"),
        (None, {"server": {"host": "::1"}}, "http://[::1]:8080"),
        (None, {"server": "nonsense"}, "http://localhost:8080"),
        (None, {}, "http://localhost:8080"),
    ],
)
def test_the_server_is_the_option_else_the_configuration_else_the_default(
    option: str | None, config: dict[str, object], url: str
) -> None:
    assert resolve_server_url(option, config) == url


@pytest.mark.parametrize(
    ("config", "is_named"),
    [
        ({"server": {"port": 8092}}, True),
        ({"server": {"host": "localhost"}}, True),
        ({"server": {"url": "http://localhost:8092"}}, True),
        ({"server": {"token": "t"}}, False),
        ({"project": {"root": "."}}, False),
        ({}, False),
    ],
)
def test_a_configuration_with_host_port_or_url_names_a_server(
    config: dict[str, object], is_named: bool
) -> None:
    assert names_server(config) is is_named


def test_json_comes_before_yaml_in_a_folder(place: Path) -> None:
    for name in (".devrag.yml", ".search-docs.json", ".devrag.yaml"):
        (place / name).write_text("{}")
    found = resolve_config_path()
    assert found == ConfigPath(place / ".devrag.json", is_named=False)
    assert [path.name for path in ignored_config_files(found)] == [
        *(".devrag.yaml", ".devrag.yml", ".search-docs.json")
    ]
    (place / ".devrag.json").unlink()
    assert find_config_file(place) == place / ".devrag.yaml"


def test_a_parent_is_found_by_commands_and_not_by_the_server(place: Path) -> None:
    found = resolve_config_path()
    assert found == ConfigPath(place / ".devrag.json", is_named=False)
    assert resolve_config_path(traverse_up=False) is None


def test_the_nearest_file_counts_under_either_name(place: Path) -> None:
    (place / "src" / ".search-docs.json").write_text("{}")
    found = find_config_file(place / "src" / "deep")
    assert found == place / "src" / ".search-docs.json"


def test_the_option_beats_the_environment_beats_what_is_found(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (place / name).write_text("{}")
    monkeypatch.setenv("SEARCH_DOCS_CONFIG", str(place / "one"))
    assert resolve_config_path() == ConfigPath(place / "one", is_named=True)
    monkeypatch.setenv("DEVRAG_CONFIG", str(place / "two"))
    assert resolve_config_path() == ConfigPath(place / "two", is_named=True)
    option = resolve_config_path(str(place / "one"))
    assert option == ConfigPath(place / "one", is_named=True)


def test_a_named_file_must_be_there(place: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"File not found: gone.json.*--config"
    ):
        resolve_config_path("gone.json")


def test_the_root_is_the_configured_one_else_the_files_folder_else_here(
    place: Path,
) -> None:
    (place / "link").symlink_to(place / "src")
    named = ConfigPath(place / "link" / ".devrag.json", is_named=True)
    found = ConfigPath(place / ".devrag.json", is_named=False)
    configured = {"project": {"root": f"{place}/link/"}}
    assert find_project_root(configured, found) == place / "src"
    assert find_project_root({"project": {"root": "src/deep"}}, found) == Path.cwd()
    assert find_project_root({}, named) == place / "src"
    assert find_project_root({}, found) == Path.cwd()
    assert find_project_root({}, None) == Path.cwd()
