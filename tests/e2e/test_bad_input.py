"""What cannot work says so in one sentence, fails, and leaves nothing behind."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from subprocess import CompletedProcess
from urllib.parse import urlsplit

import pytest

from tests.conftest import Repository

from .instance import Instance, free_port

pytestmark = [pytest.mark.xdist_group("e2e"), pytest.mark.slow]
MEGABYTES = 50


def assert_refused(done: CompletedProcess[str], *words: str) -> None:
    """Demand an exit code, one paragraph on stderr, and that it names the thing."""
    assert done.returncode != 0
    assert done.stderr.startswith("devrag: ")
    assert done.stderr.count("\n") == 1
    assert all(word in done.stderr for word in words), done.stderr


@pytest.fixture(scope="module")
def folder(instance: Instance) -> Path:
    """Places that cannot be indexed, beside one that can."""
    root = instance.root / "bad"
    (root / "notes").mkdir(parents=True)
    (root / "notes" / "a.txt").write_text("text")
    Repository(root / "empty")
    Repository(root / "good").commit({"a.txt": "text"})
    return root


@pytest.mark.parametrize(
    ("location", "options", "word"),
    [
        ("nowhere", (), "nowhere"),
        ("notes/a.txt", (), "is a file"),
        ("notes", ("--ref", "main"), "no branches"),
        ("empty", (), "no commits yet"),
        ("good", ("--ref", "dev"), "'dev'"),
        ("good", ("--product", "a/b"), "'a/b'"),
        ("good", ("--product", ".."), "'..'"),
    ],
)
def test_a_wrong_place_or_name_is_refused(
    instance: Instance, folder: Path, location: str, options: tuple[str, ...], word: str
) -> None:
    before = instance.products()
    path = str(folder / location)
    done = instance.run("index", path, "--product", "bad", *options)
    assert_refused(done, word)
    assert instance.products() == before


@pytest.mark.parametrize("url", ["-x", "ext::sh", "file:///etc"])
def test_an_address_that_is_none_is_refused(instance: Instance, url: str) -> None:
    before = instance.products()
    assert_refused(instance.run("index", "--product", "bad", "--", url), f"“{url}”")
    assert instance.products() == before


def test_a_repository_without_text_fails_with_the_reason(instance: Instance) -> None:
    binary = Repository(instance.root / "binary")
    binary.commit({"a.bin": bytes(100)})
    done = instance.run("index", str(binary.path), "--product", "binary")
    assert done.returncode != 0
    assert "binary contains no text to index" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_what_cannot_be_read_is_left_out_and_counted(instance: Instance) -> None:
    odd = Repository(instance.root / "odd")
    (odd.path / "leak").symlink_to("/etc/passwd")
    big = "line of a very large file\n" * (MEGABYTES * 40_000)
    odd.commit({"big.txt": big, "latin.txt": b"caf\xe9 \xff\xfe", "good.txt": "good"})
    report = instance.ask("index", str(odd.path), "--product", "odd")
    assert report["leftOut"]["too large"] == 1
    assert sum(report["leftOut"].values()) == 2  # and the link
    assert report["added"] == 2


def test_a_busy_port_is_named(instance: Instance) -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)):
        done = instance.run(
            *("server", "start", "--port", str(port)),
            DEVRAG_HOME=str(instance.root / "second"),
        )
    assert_refused(done, str(port))


def test_a_home_that_cannot_be_made_is_named(instance: Instance, folder: Path) -> None:
    home = folder / "notes" / "a.txt" / "home"
    assert_refused(instance.run("server", "start", DEVRAG_HOME=str(home)), str(home))


def test_a_wrong_database_password_is_one_sentence(instance: Instance) -> None:
    services = json.loads((instance.home / "run" / "services.json").read_text())
    right = urlsplit(services["database_url"])
    wrong = f"postgres://devrag:wrong-one@{right.hostname}:{right.port}/devrag"
    done = instance.run("token", "list", DATABASE_URL=wrong, SECRET_KEY="x" * 50)
    assert_refused(done, "devrag on", str(right.port), "password", "DATABASE_URL")
    assert "wrong-one" not in done.stderr


def test_a_database_that_is_not_there_is_one_sentence(instance: Instance) -> None:
    port = free_port()
    url = f"postgres://devrag:secret@127.0.0.1:{port}/devrag"
    done = instance.run("token", "list", DATABASE_URL=url, SECRET_KEY="x" * 50)
    assert_refused(done, str(port), "refused", "DATABASE_URL")
    assert "secret" not in done.stderr


def test_an_embedded_server_that_does_not_run_is_one_sentence(
    instance: Instance,
) -> None:
    done = instance.run("token", "list", DEVRAG_HOME=str(instance.root / "third"))
    assert_refused(done, "devrag server start")


@pytest.mark.parametrize(
    ("variable", "value"),
    [("DEVRAG_PORT", "abc"), ("LLM_PROVIDER", "x"), ("MAX_FILES", "0")],
)
def test_a_wrong_setting_is_named(
    instance: Instance, variable: str, value: str
) -> None:
    assert_refused(instance.run("token", "list", **{variable: value}), variable)
