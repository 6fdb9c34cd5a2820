"""What lies in the repository: lock files, compose, vendored files, make targets."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.modules import ROOT

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
# Split, so that this file does not find itself.
_MACHINE_PATHS = re.compile("/" + r"(?:wor" + r"k|tmp/la" + r"b|tmp/w" + r"t)/")
_REGISTRIES = re.compile(
    r"pypi\." + "org|pythonhosted" + r"\.org|registry\.npm" + r"js|npmjs\." + "com|"
    r"docker\." + r"io|ghcr\." + r"io|quay\." + r"io|proxy\.golang\." + "org"
)
COMPOSE_SECRETS = {
    "POSTGRES_PASSWORD": "one-word",
    "VALKEY_PASSWORD": "two-word",
    "SECRET_KEY": "three-word",
    "ALLOWED_HOSTS": "devrag.example",
}


def _tracked() -> Iterator[tuple[str, str]]:
    """Yield path and text of what git keeps, vendored and binary files left out."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, listing.split("\0")):
        path = ROOT / name
        if path.is_file() and "/vendor/" not in name:
            data = path.read_bytes()
            if b"\0" not in data:
                yield name, data.decode("utf-8", "replace")


@pytest.mark.parametrize("pattern", [_MACHINE_PATHS, _REGISTRIES])
def test_no_tracked_file_names_a_machine_or_a_registry(
    pattern: re.Pattern[str],
) -> None:
    found = [
        f"{name}: {match.group()}"
        for name, text in _tracked()
        for match in pattern.finditer(text)
    ]
    assert found == []


def test_there_is_a_lock_file_for_every_list_of_requirements() -> None:
    lists = {path.stem for path in (ROOT / "requirements").glob("*.in")}
    assert {path.stem for path in LOCKS} == lists


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_lock_files_hold_no_address(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    assert "--index-url" not in text


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_locked_package_has_one_version_and_hashes(lock: Path) -> None:
    joined = lock.read_text().replace("\\\n", " ")
    lines = [line for line in joined.splitlines() if line and line[0] not in " #"]
    assert lines
    loose = [
        line
        for line in lines
        if not re.match(r"[\w.\[\],-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line)
    ]
    assert loose == []


# What the compose file decides itself: addresses of its services, and its volumes.
_COMPOSE_DECIDES = {
    *("DEVRAG_HOME", "GIT_CLONE_DIR", "WIKI_OUTPUT_DIR", "DATABASE_URL", "REDIS_URL"),
    *("POSTGRES_HOST", "POSTGRES_PORT", "POSTGRES_USER", "POSTGRES_DB"),
    *("POSTGRES_PASSWORD", "HTTP_HOST", "HTTP_PORT", "DEVRAG_PORT"),
    *("DEVRAG_DATABASE_POOL", "DEVRAG_DEBUG"),
}
APP_SERVICES = (
    *("prepare", "web", "worker", "writer", "reader", "embed", "beat", "follower"),
    "watch",
)


def read_compose(*missing: str) -> subprocess.CompletedProcess[str]:
    return _configured(os.devnull, frozenset(COMPOSE_SECRETS.keys() - {*missing}))


@cache
def _configured(
    env_file: str, names: frozenset[str]
) -> subprocess.CompletedProcess[str]:
    binary = Path(sysconfig.get_path("scripts")) / "docker-compose"
    given = {name: COMPOSE_SECRETS[name] for name in names}
    return subprocess.run(
        [
            str(binary),
            "-f",
            "docker-compose.yml",
            "--env-file",
            env_file,
            "config",
            "--format",
            "json",
        ],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **given},
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def services() -> dict[str, Any]:
    done = read_compose()
    assert done.stdout, done.stderr  # its exit code is 0 in any case
    read: dict[str, Any] = json.loads(done.stdout)["services"]
    return read


def test_compose_accepts_the_file_with_all_services(services: dict[str, Any]) -> None:
    wanted = {"postgres", "valkey", "prepare", "web", "worker", "embed", "beat"}
    assert set(services) == wanted | {"follower", "reader", "writer", "watch"}


@pytest.mark.parametrize("name", sorted(COMPOSE_SECRETS))
def test_compose_refuses_to_start_without_a_secret(name: str) -> None:
    done = read_compose(name)
    assert done.stdout == ""
    assert f"required variable {name} is missing" in done.stderr


def test_compose_holds_no_secret_itself() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    values = re.findall(
        r"^ +\w*(?:PASSWORD|SECRET_KEY|API_KEY): *(.+)", text, re.MULTILINE
    )
    assert values
    assert [value for value in values if not value.startswith("${")] == []


def test_compose_keeps_database_and_broker_inside(services: dict[str, Any]) -> None:
    assert [name for name, service in services.items() if "ports" in service] == ["web"]


@pytest.mark.parametrize("name", ["postgres", "valkey", "web", "worker"])
def test_compose_checks_the_health_of_what_others_need(
    services: dict[str, Any], name: str
) -> None:
    assert services[name]["healthcheck"]["test"]


@pytest.mark.parametrize("service", APP_SERVICES)
def test_compose_gives_every_setting_on(tmp_path: Path, service: str) -> None:
    text = (ROOT / ".env.example").read_text()
    described = set(re.findall(r"^#?([A-Z][A-Z0-9_]*)=", text, re.MULTILINE))
    wanted = {name: f"set-{name}" for name in described - _COMPOSE_DECIDES}
    (tmp_path / ".env").write_text(
        "".join(f"{name}={value}\n" for name, value in wanted.items())
        + "POSTGRES_PASSWORD=a\nVALKEY_PASSWORD=b\n"
    )
    done = _configured(str(tmp_path / ".env"), frozenset())
    given = json.loads(done.stdout)["services"][service]["environment"]
    assert wanted.items() <= given.items()


def test_compose_leaves_what_is_not_set_to_its_default(
    services: dict[str, Any],
) -> None:
    given = services["web"]["environment"]
    assert {name for name, value in given.items() if value is not None} == {
        *("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "HOST_NAME")
    }


def test_compose_containers_are_one_machine(services: dict[str, Any]) -> None:
    names = {services[name]["environment"]["HOST_NAME"] for name in APP_SERVICES}
    assert names == {"devrag"}


def test_compose_workers_serve_every_queue(services: dict[str, Any]) -> None:
    queues: set[str] = set()
    for service in services.values():
        command = " ".join(service.get("command") or [])
        for found in re.findall(r" -Q (\S+)", command):
            queues |= set(found.replace("$$", "$").split(","))
    assert queues == {"tick", "plan", "plan.$HOST_NAME", "parse", "wiki", "embed"}


def test_vendored_mermaid_is_the_version_its_name_says() -> None:
    (path,) = (ROOT / "static" / "vendor").glob("mermaid-*.min.js")
    version = path.name.removeprefix("mermaid-").removesuffix(".min.js")
    assert f'version:"{version}"' in path.read_text(encoding="utf-8")


def test_every_vendored_file_is_listed_with_version_and_licence() -> None:
    folder = ROOT / "static" / "vendor"
    text = (folder / "README.md").read_text()
    for path in folder.iterdir():
        if path.name == "README.md":
            continue
        (row,) = [line for line in text.splitlines() if f"`{path.name}`" in line]
        version = re.search(r"\d+\.\d+\.\d+", path.name)
        assert version is not None
        assert f"| {version.group()} |" in row


def _targets() -> set[str]:
    text = (ROOT / "Makefile").read_text()
    return set(re.findall(r"^([a-z][a-z-]*):", text, re.MULTILINE))


def test_make_help_lists_every_target() -> None:
    make = shutil.which("make")
    assert make is not None
    done = subprocess.run(
        [make, "--no-print-directory", "help"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    listed = {line.split()[0] for line in done.stdout.splitlines() if line.strip()}
    assert listed == _targets()


def test_every_make_command_in_the_readme_exists() -> None:
    text = (ROOT / "README.md").read_text()
    named = set(re.findall(r"\bmake ([a-z][a-z-]*)", " ".join(_code(text))))
    assert {"demo", "test"} <= named
    assert named <= _targets()


def _code(markdown: str) -> list[str]:
    """Return the fenced blocks and code spans of a text."""
    return re.findall(r"```.*?```|`[^`\n]+`", markdown, re.DOTALL)


def test_ci_runs_the_commands_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    commands = set(re.findall(r"^make (\S+)", script, re.MULTILINE))
    assert commands == {"check", "test"}
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
