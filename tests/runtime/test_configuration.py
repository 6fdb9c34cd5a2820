"""Configuration files as JSON and YAML: what is read, and what is wrong with a file."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from devrag.core.config_file import ConfigPath, resolve_server_url
from devrag.core.errors import ConfigurationError
from devrag.runtime.configuration import read_config

_SAME = {
    "server": {"host": "localhost", "port": 8092, "token": "t"},
    "project": {"root": "src"},
}
_YAML = """# of this project
server:
  host: localhost
  port: 8092
  token: "t"
project: {root: src}
other:
  - is ignored
"""


def write(folder: Path, name: str, text: str, *, is_named: bool) -> ConfigPath:
    path = folder / name
    path.write_bytes(text.encode(errors="surrogateescape"))
    return ConfigPath(path, is_named=is_named)


def test_yaml_says_the_same_as_json(tmp_path: Path) -> None:
    text = json.dumps({**_SAME, "other": ["is ignored"]})
    json_file = write(tmp_path, ".devrag.json", text, is_named=True)
    yaml_file = write(tmp_path, "devrag.YAML", _YAML, is_named=True)
    assert read_config(json_file) == read_config(yaml_file) == _SAME


_BROKEN = [
    ("c.json", '{"server":\n  {"port": }}', "line 2, column 12: not valid JSON"),
    ("c.json", '{"a": ' + "1" * 5000 + "}", "not valid JSON (a number is too long)"),
    ("c.json", "[]", "must contain an object"),
    ("c.json", "\udcff", "Cannot read "),
    ("c.json", "[" * 60_000, "nested too deeply"),
    ("c.json", " " * 70_000, "larger than 65,536 bytes"),
    ("c.yaml", "server:\n  port: [\n", "line 3, column 1: not valid YAML"),
    ("c.yaml", "server:\n  port: 1\n host: x\n", "line 3, column 2: not valid YAML"),
    ("c.yaml", "server:\n\tport: 1\n", "line 2, column 1: not valid YAML"),
    ("c.yaml", "a: 2024-99-99\n", "not valid YAML (month"),
    ("c.yaml", "a: \x01\n", "not valid YAML"),
    ("c.yaml", "a: !!python/name:os.system x\n", "tags are not supported"),
    ("c.yaml", "a: !!timestamp x\n", "line 1, column 4: not valid YAML (tags"),
    ("c.yaml", "a: !!bool x\n", "tags are not supported"),
    ("c.yaml", "a: !!int ''\n", "tags are not supported"),
    ("c.yaml", "[" * 60_000, "nested too deeply"),
    ("c.yaml", "a: &x {b: c}\nd: *x\n", "line 2, column 4: not valid YAML (aliases"),
    ("c.yml", "- a\n- b\n", "must contain an object"),
]


@pytest.mark.parametrize(("name", "text", "reason"), _BROKEN)
def test_a_named_file_that_cannot_be_parsed_is_an_error(
    tmp_path: Path, name: str, text: str, reason: str
) -> None:
    used = write(tmp_path, name, text, is_named=True)
    with pytest.raises(ConfigurationError) as raised:
        read_config(used)
    assert str(used.path) in raised.value.message
    assert reason in raised.value.message


@pytest.mark.parametrize(("name", "text", "reason"), _BROKEN)
def test_a_found_file_that_cannot_be_parsed_means_the_default_and_a_warning(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    text: str,
    reason: str,
) -> None:
    used = write(tmp_path, name, text, is_named=False)
    assert resolve_server_url(None, read_config(used)) == "http://localhost:8080"
    said = capsys.readouterr().err
    assert said.startswith("devrag: warning: ")
    assert str(used.path) in said
    assert reason in said


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"Cannot read .*: Is a directory"):
        read_config(ConfigPath(tmp_path, is_named=True))


@pytest.mark.parametrize("is_named", [True, False])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("server: 5", "line 1: `server` must have keys: url, host, port, token."),
        ("server:\n  port: many", "line 2: `server.port` must be a port"),
        ("server:\n  port: 0", "from 1 to 65535, not 0"),
        ("server:\n  port: 65536", "must be a port"),
        (
            "server:\n\n  host: [a]",
            "line 3: `server.host` must be a string, not a list",
        ),
        ("project: {root: {a: b}}", "`project.root` must be a string, not a dict"),
    ],
)
def test_a_wrong_value_is_named_with_its_line(
    tmp_path: Path, is_named: bool, text: str, reason: str
) -> None:
    used = write(tmp_path, "c.yaml", text, is_named=is_named)
    with pytest.raises(ConfigurationError, match=re.escape(reason)):
        read_config(used)


@pytest.mark.parametrize("value", ["true", "8092.0", "-1", '"١"', "null", "1e3"])
def test_only_whole_numbers_are_ports(tmp_path: Path, value: str) -> None:
    text = f'{{"server": {{"port": {value}}}}}'
    used = write(tmp_path, "c.json", text, is_named=True)
    if value == "null":
        assert read_config(used) == {"server": {}}
        return
    with pytest.raises(ConfigurationError, match="must be a port"):
        read_config(used)


def test_variables_are_expanded_in_a_named_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROJECT_PORT", "8092")
    text = "server: {port: '${PROJECT_PORT}', token: 'a-${PROJECT_PORT}'}"
    used = write(tmp_path, "c.yaml", text, is_named=True)
    assert read_config(used) == {"server": {"port": 8092, "token": "a-8092"}}
    monkeypatch.delenv("PROJECT_PORT")
    with pytest.raises(
        ConfigurationError, match="PROJECT_PORT}, but this variable is not set"
    ):
        read_config(used)


@pytest.mark.parametrize("key", ["token", "url", "host"])
def test_a_found_file_reads_no_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("DEVRAG_API_TOKEN", "secret")
    text = f'{{"server": {{"{key}": "${{DEVRAG_API_TOKEN}}"}}}}'
    used = write(tmp_path, ".devrag.json", text, is_named=False)
    with pytest.raises(ConfigurationError, match="--config") as raised:
        read_config(used)
    assert "secret" not in raised.value.message


def test_a_second_file_in_the_folder_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    used = write(tmp_path, ".devrag.json", "{}", is_named=False)
    write(tmp_path, ".devrag.yaml", "server: {port: 1}", is_named=False)
    assert read_config(used) == {}
    said = capsys.readouterr().err
    assert f"{tmp_path / '.devrag.yaml'} is ignored because {used.path}" in said


def merges(levels: int) -> str:
    """A few lines of YAML that stand for 9 ** levels keys."""
    lines = ["a0: &a0 {k: v}"]
    for level in range(1, levels):
        merged = ", ".join([f"*a{level - 1}"] * 9)
        lines.append(f"a{level}: &a{level} {{<<: [{merged}]}}")
    return "\n".join(lines)


def test_a_small_file_that_stands_for_a_large_one_costs_nothing(
    tmp_path: Path,
) -> None:
    used = write(tmp_path, "c.yaml", merges(12), is_named=True)
    began = time.process_time()
    with pytest.raises(ConfigurationError, match="aliases are not supported"):
        read_config(used)
    assert time.process_time() - began < 1
