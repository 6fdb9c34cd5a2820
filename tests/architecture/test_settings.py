"""Settings as a fresh process reads them, and their description in `.env.example`."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from devrag.search.semantic.specs import LOCAL_PROVIDER, ensure_active_spec
from tests.architecture.modules import ROOT

EXTERNAL = {
    "DATABASE_URL": "postgres://devrag:hidden-word@database.invalid/devrag",
    "REDIS_URL": "redis://broker.invalid/0",
    "SECRET_KEY": "not-a-secret-in-a-test",
}
_PRINT = """
import json, sys
from devrag import settings
names = sys.argv[1:] or filter(str.isupper, dir(settings))
values = {name: getattr(settings, name) for name in names}
print(json.dumps(values, default=str, skipkeys=True))
"""

Run = Callable[..., subprocess.CompletedProcess[str]]
Read = Callable[..., Any]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of its own: a developer's `.env` must not decide what tests see."""
    root = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "devrag", root / "devrag")
    shutil.copy(ROOT / "manage.py", root)
    return root


@pytest.fixture
def run(checkout: Path, tmp_path: Path) -> Run:
    """Run Python in the copy with nothing but the given environment."""

    def run(
        *argv: str, dotenv: str = "", **env: str
    ) -> subprocess.CompletedProcess[str]:
        (checkout / ".env").write_text(dotenv)
        base = {"PATH": os.environ["PATH"], "DEVRAG_HOME": str(tmp_path / "home")}
        return subprocess.run(
            [sys.executable, *argv],
            cwd=checkout,
            env=base | env,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.fixture
def read(run: Run) -> Read:
    """Import the settings in a fresh process; return the value of one of them."""

    def read(name: str, **env: str) -> Any:
        return _values(run, env)[name]

    return read


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Known:
    """Settings by environment, with a home that they share."""
    return Known(tmp_path_factory.mktemp("home"))


@pytest.fixture
def read_once(run: Run, known: Known) -> Read:
    """Do the same, with a process for each environment, not for each value."""

    def read(name: str, **env: str) -> Any:
        return known.of(run, env)[name]

    return read


@dataclass
class Known:
    """What fresh processes read, by their environment."""

    home: Path
    values: dict[frozenset[tuple[str, str]], dict[str, Any]] = field(
        default_factory=dict
    )

    def of(self, run: Run, env: dict[str, str]) -> dict[str, Any]:
        """Return the settings of an environment."""
        key = frozenset(env.items())
        if key not in self.values:
            self.values[key] = _values(run, {"DEVRAG_HOME": str(self.home)} | env)
        return self.values[key]


def _values(run: Run, env: dict[str, str]) -> dict[str, Any]:
    done = run("-c", _PRINT, **env)
    assert done.returncode == 0, done.stderr
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def _variables_read() -> set[str]:
    """Return the names given to env.str, env.int, … in the settings."""
    modules = (ROOT / "devrag" / "settings").glob("*.py")
    calls = [
        node
        for path in modules
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "env"
        and node.func.attr != "read_env"
    ]
    return {name for call in calls for name in _names(call.args[0])}


def _names(node: ast.expr) -> set[str]:
    if isinstance(node, ast.IfExp):
        return _names(node.body) | _names(node.orelse)
    assert isinstance(node, ast.Constant), "a variable's name is written out"
    return {str(node.value)}


def test_every_variable_is_described_and_nothing_else_is() -> None:
    text = (ROOT / ".env.example").read_text()
    described = re.findall(r"^#?([A-Z][A-Z0-9_]*)=", text, re.MULTILINE)
    assert sorted(described) == sorted(_variables_read())


def test_the_described_defaults_are_accepted_as_they_stand(run: Run) -> None:
    text = (ROOT / ".env.example").read_text()
    lines = re.findall(r"^#([A-Z][A-Z0-9_]*=.+)$", text, re.MULTILINE)
    active = "\n".join(line for line in lines if not line.startswith("DEVRAG_HOME"))
    done = run("-c", _PRINT, "HTTP_PORT", dotenv=active, SECRET_KEY="x" * 50)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_CLONE_DIR", "/var/lib/dev-rag/repos"),
        ("WIKI_OUTPUT_DIR", "/var/lib/dev-rag/wikis"),
        ("HTTP_PORT", 8080),
        ("EMBEDDING_MODEL", "text-embedding-3-small"),
        ("EMBEDDING_DIMENSION", 1536),
    ],
)
def test_defaults_of_an_installation(read_once: Read, name: str, value: Any) -> None:
    assert read_once(name, DEVRAG_HOME="/var/lib/dev-rag", **EXTERNAL) == value


@pytest.mark.parametrize(
    ("name", "folder"),
    [("DEVRAG_HOME", "var"), ("GIT_CLONE_DIR", "repos"), ("WIKI_OUTPUT_DIR", "wikis")],
)
def test_an_empty_path_means_the_default(read: Read, name: str, folder: str) -> None:
    assert Path(read(name, **EXTERNAL | {name: ""})).name == folder


@pytest.mark.parametrize(
    ("env", "overlap", "characters"),
    [
        ({}, 200, 3000),
        ({"CHUNK_TOKENS": "400"}, 100, 1500),
        ({"CHUNK_MAX_CHARS": "1400"}, 100, 1400),
        ({"CHUNK_OVERLAP_TOKENS": "0"}, 0, 3000),
    ],
)
def test_chunk_sizes_that_are_not_set_follow_the_others(
    read_once: Read, env: dict[str, str], overlap: int, characters: int
) -> None:
    assert read_once("CHUNK_OVERLAP_TOKENS", **EXTERNAL | env) == overlap
    assert read_once("CHUNK_MAX_CHARS", **EXTERNAL | env) == characters


def test_env_file_is_read(run: Run) -> None:
    done = run("-c", _PRINT, "HTTP_PORT", dotenv="HTTP_PORT=9001\n", **EXTERNAL)
    assert json.loads(done.stdout) == {"HTTP_PORT": 9001}


def test_environment_wins_over_env_file(run: Run) -> None:
    env = EXTERNAL | {"HTTP_PORT": "9002"}
    done = run("-c", _PRINT, "HTTP_PORT", dotenv="HTTP_PORT=9001\n", **env)
    assert json.loads(done.stdout) == {"HTTP_PORT": 9002}


def test_an_empty_variable_hides_a_key_in_the_env_file(run: Run) -> None:
    # `make demo` and `make test` never use somebody's paid key.
    env = EXTERNAL | {"OPENAI_API_KEY": ""}
    done = run("-c", _PRINT, "OPENAI_API_KEY", dotenv="OPENAI_API_KEY=k\n", **env)
    assert json.loads(done.stdout) == {"OPENAI_API_KEY": ""}


@pytest.mark.parametrize(
    ("env", "expected"),
    [({}, socket.gethostname()), ({"HOST_NAME": "alpha"}, "alpha")],
)
def test_a_machine_may_be_given_its_name(
    read_once: Read, env: dict[str, str], expected: str
) -> None:
    assert read_once("HOST_NAME", **EXTERNAL | env) == expected


def test_devrag_port_wins_over_http_port(read_once: Read) -> None:
    assert (
        read_once("HTTP_PORT", HTTP_PORT="9001", DEVRAG_PORT="9003", **EXTERNAL) == 9003
    )


_WRONG = [
    ("HTTP_PORT", "abc"),
    ("HTTP_PORT", "70000"),
    ("DEVRAG_PORT", "0"),
    ("HTTPS", "maybe"),
    ("INDEX_WORKERS", "0"),
    ("MAX_FILE_BYTES", "-1"),
    ("CHUNK_TOKENS", "49"),
    ("CHUNK_OVERLAP_TOKENS", "401"),
    ("CHUNK_MAX_CHARS", "lots"),
    ("JOB_RETENTION_HOURS", "soon"),
    ("AUDIT_RETENTION_DAYS", "-1"),
    ("EMBEDDING_DIMENSION", "big"),
    ("RERANK_BASE_URL", "rerank.example"),
    ("RERANK_MODEL", "m" * 121),
    ("LLM_PROVIDER", "oracle"),
    ("LLM_CHECK_MODEL", "m" * 101),
    ("LLM_PRICES", "gpt=cheap"),
    ("LLM_CAP_PER_RUN", "-1"),
    ("LOG_LEVEL", "LOUD"),
    ("SECRET_KEY", ""),
    ("DATABASE_URL", "nonsense"),
    ("DATABASE_URL", "mysql://user:hidden-word@host/name"),
    ("DATABASE_URL", "postgres://user:hidden-word@host:port/name"),
    ("DATABASE_URL", "postgres://user:hidden#word@host/name"),
    ("DATABASE_URL", "postgres://user:hidden-word@host"),
    ("REDIS_URL", "localhost:6379"),
    ("TRUSTED_PROXIES", "*"),
    ("TRUSTED_PROXIES", "proxy.example"),
    ("TRUSTED_PROXIES", "10.0.0.5,10.0.0.1/8"),
]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param(*each, marks=() if number % 5 == 0 else pytest.mark.slow)
        for number, each in enumerate(_WRONG)
    ],
)
def test_a_wrong_value_stops_the_start_with_its_name(
    run: Run, name: str, value: str
) -> None:
    done = run("manage.py", "check", **EXTERNAL | {name: value})
    assert done.returncode == 1
    assert name in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_wrong_address_is_not_repeated(run: Run) -> None:
    url = "mysql://user:hidden-word@host/name"
    done = run("manage.py", "check", **EXTERNAL | {"DATABASE_URL": url})
    assert "hidden-word" not in done.stdout + done.stderr


def test_a_database_of_ones_own_needs_a_secret_key(run: Run) -> None:
    env = {k: v for k, v in EXTERNAL.items() if k != "SECRET_KEY"}
    done = run("manage.py", "check", **env)
    assert done.returncode == 1
    assert "SECRET_KEY" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_embedded_start_makes_a_private_secret_key(
    read: Read, tmp_path: Path
) -> None:
    key = read("SECRET_KEY")
    path = tmp_path / "home" / "run" / "secret_key"
    assert path.read_text().strip() == key
    assert len(key) >= 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_second_start_has_the_same_secret_key(read: Read) -> None:
    assert read("SECRET_KEY") == read("SECRET_KEY")


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"])
def test_there_is_no_provider_key_by_default(read_once: Read, name: str) -> None:
    assert read_once(name) == ""


def test_no_model_writes_the_wiki_by_default(read_once: Read) -> None:
    assert read_once("LLM_PROVIDER") == "structural"


@pytest.mark.django_db
def test_the_first_start_chooses_the_local_embedding_model() -> None:
    assert ensure_active_spec().provider == LOCAL_PROVIDER


@pytest.mark.parametrize(("env", "expected"), [({}, True), (EXTERNAL, False)])
def test_open_reading_is_for_embedded_use_only(
    read_once: Read, env: dict[str, str], expected: bool
) -> None:
    assert read_once("IS_OPEN_READING", **env) is expected


@pytest.mark.parametrize(("env", "expected"), [({}, False), (EXTERNAL, True)])
def test_production_is_https(
    read_once: Read, env: dict[str, str], expected: bool
) -> None:
    assert read_once("SESSION_COOKIE_SECURE", **env) is expected


def test_postgres_in_parts_keeps_odd_passwords_whole(read: Read) -> None:
    databases = read(
        "DATABASES",
        POSTGRES_HOST="database.invalid",
        POSTGRES_PASSWORD="a/b@c#d:e%20",
        SECRET_KEY="x",
    )
    assert databases["default"]["PASSWORD"] == "a/b@c#d:e%20"
