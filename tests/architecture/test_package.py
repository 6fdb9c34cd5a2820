"""The package that `pip install .` makes: whole, with its dependencies, and it runs."""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from devrag import __version__
from devrag.runtime.ports import choose_port
from tests.architecture.modules import ROOT

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"),
            *("--no-build-isolation", "--no-index", "-w", str(folder), str(ROOT)),
        ],
        check=True,
    )
    (made,) = folder.iterdir()
    return made


def test_the_dependencies_are_those_that_are_pinned() -> None:
    lines = (ROOT / "requirements" / "base.in").read_text().splitlines()
    pinned = {line for line in lines if line and not line.startswith("#")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    # It builds the package and is not used by it.
    assert set(project["dependencies"]) == pinned - {"flit-core"}


def test_the_wheel_has_all_files_and_a_true_record(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
        assert file.testzip() is None
        (record,) = (name for name in names if name.endswith(".dist-info/RECORD"))
        rows = list(csv.reader(file.read(record).decode().splitlines()))
        assert {row[0] for row in rows} == names
        for name, digest, size in rows:
            if name != record:
                data = file.read(name)
                found = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
                assert digest == f"sha256={found.decode().rstrip('=')}"
                assert int(size) == len(data)
    for folder in ("templates", "static"):
        there = {p.relative_to(ROOT) for p in (ROOT / folder).rglob("*") if p.is_file()}
        assert {f"devrag/{path.as_posix()}" for path in there} <= names
    code = [p for p in (ROOT / "devrag").rglob("*.py") if "__pycache__" not in p.parts]
    assert any("migrations" in path.parts for path in code)
    assert {path.relative_to(ROOT).as_posix() for path in code} <= names
    assert "devrag/.env.example" in names
    assert "devrag/locale/ja/LC_MESSAGES/django.mo" in names
    assert not any(name.startswith(("tests/", "scripts/")) for name in names)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder outside the repository."""
    # PostgreSQL runs as another user when we are root: it must be able to pass.
    with tempfile.TemporaryDirectory(prefix="devrag-package-") as scratch:
        root = Path(scratch)
        root.chmod(0o711)
        yield root


@pytest.fixture
def run(wheel: Path, folder: Path) -> Run:
    """Run `devrag` of the wheel in an environment of its own, as a user of its own."""
    environment = folder / "environment"
    venv.create(environment, symlinks=True)
    (packages,) = environment.glob("lib/python3*/site-packages")
    # The dependencies are those of the tests; their devrag, the checkout, is not.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--python", str(environment / "bin/python")),
            *("install", "--quiet", "--no-deps", "--no-index", str(wheel)),
        ],
        check=True,
    )
    env = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(folder)}

    def run(*words: str, **given: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(environment / "bin/devrag"), *words],
            cwd=folder,
            env={**env, **given},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.slow
def test_the_installed_package_keeps_settings_with_the_user(run: Run) -> None:
    assert run("--version").stdout == f"devrag {__version__}\n"
    done = run("init")
    told = done.stdout.partition(" with all settings")[0]
    path = Path(told.removeprefix("Wrote "))
    assert path.parts[-3:] == (".config", "devrag", ".env")
    assert path.read_text() == (ROOT / ".env.example").read_text()


@pytest.mark.slow
def test_the_installed_package_gives_its_demo(run: Run, folder: Path) -> None:
    assert run("--help").stdout.startswith("usage: devrag")
    port = choose_port(None)
    (folder / "shop").mkdir()
    (folder / "shop" / "cart.py").write_text("def add_tax(price: int) -> int: ...\n")
    (folder / "shop" / "Till.kt").write_text("class Till { fun openDrawer() {} }\n")
    done = run("demo", str(folder / "shop"), DEVRAG_PORT=str(port))
    try:
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"http://127.0.0.1:{port}/p/shop/wiki/" in done.stdout
        assert "`devrag server stop` stops it" in done.stdout
        assert "add_tax" in _get(port, "/search?product=shop&q=add_tax", {})
        # A grammar of the package has read it.
        found = _get(port, "/search?product=shop&q=openDrawer+kind:method", {})
        assert "Till.kt" in found
        assert "Kotlin" in _get(port, "/p/shop/wiki/", {})
    finally:
        stopped = run("server", "stop")
    assert stopped.returncode == 0, stopped.stderr


@pytest.mark.slow
def test_the_installed_package_runs_a_server(run: Run) -> None:
    port = choose_port(None)
    started = run("server", "start", "--port", str(port))
    try:
        assert started.returncode == 0, started.stdout + started.stderr
        page = _get(port, "/", {"Accept-Language": "ja"})
        assert "<title>プロダクト" in page
        style = page.partition('href="/static/')[2].partition('"')[0]
        assert _get(port, f"/static/{style}", {})
        done = run("doctor")
        assert done.returncode == 0, done.stdout
        assert ".local/share/devrag" in done.stdout
    finally:
        stopped = run("server", "stop")
    assert stopped.returncode == 0, stopped.stderr


def _get(port: int, path: str, headers: dict[str, str]) -> str:
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200
        return answer.read().decode()
