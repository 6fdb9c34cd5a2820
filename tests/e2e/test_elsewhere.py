"""A laptop without a database, and an instance that moves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from tests.conftest import Repository

from .instance import Instance

pytestmark = pytest.mark.xdist_group("e2e")
_NOTE = """
from devrag.wiki.models import Note, Wiki
wiki = Wiki.objects.get(product__name="shop")
Note.objects.create(wiki=wiki, page_path="index.md", text="Mind the step.")
"""
_NOTES = """
from devrag.wiki.models import Note
print([note.text for note in Note.objects.all()])
"""


@pytest.mark.slow
def test_a_laptop_without_a_database_writes_a_wiki_and_searches(
    instance: Instance, shop: Repository, tmp_path: Path
) -> None:
    elsewhere = {
        "DATABASE_URL": "postgres://nobody:x@127.0.0.1:9/none",
        "DEVRAG_HOME": str(tmp_path / "none"),
        "DEVRAG_URL": instance.url,
        "DEVRAG_API_TOKEN": instance.token,
    }

    def ask(*argv: str) -> Any:
        done = instance.run(*argv, "--json", **elsewhere)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    assert ask("wiki", "generate", "--product", "shop")["version"] >= 1
    assert "index.md" in ask("wiki", "status", "--product", "shop")["pages"]
    folder = tmp_path / "pages"
    ask("wiki", "export", "--product", "shop", "--output", str(folder))
    assert "```mermaid" in (folder / "architecture.md").read_text()
    found = ask("search", "charge the customer", "--product", "shop")
    assert "shop/till.py" in {hit["path"] for hit in found["hits"]}
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_the_port_in_a_folders_configuration_leads_to_the_data_of_that_server(
    instance: Instance, shop: Repository, tmp_path: Path
) -> None:
    below = tmp_path / "project" / "src"
    below.mkdir(parents=True)
    server = {"host": "localhost", "port": instance.port}
    (below.parent / ".devrag.json").write_text(json.dumps({"server": server}))
    unused = tmp_path / "default"

    def ask(*argv: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-m", "devrag", *argv, "--json"],
            cwd=below,
            env={**instance.env, "DEVRAG_HOME": str(unused)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    found = ask("search", "charge the customer", "--mode", "bm25")
    assert "shop/till.py" in {hit["path"] for hit in found["hits"]}
    assert "e2e" in {token["name"] for token in ask("token", "list")}
    assert not unused.exists()


@pytest.fixture
def other() -> Iterator[Instance]:
    made = Instance()
    yield made
    made.end()


@pytest.mark.slow
def test_an_instance_moves_to_another_home(
    instance: Instance, shop: Repository, other: Instance
) -> None:
    assert instance.run("shell", "-c", _NOTE).returncode == 0
    before = instance.ask("wiki", "status", "--product", "shop")
    file = str(other.root / "monday.devrag")
    instance.ask("backup", file)
    other.ask("restore", file)
    other.start()
    other.token = instance.token  # tokens moved with it
    assert "shop" in other.products()
    assert other.ask("wiki", "status", "--product", "shop") == before
    assert "Mind the step." in other.run("shell", "-c", _NOTES).stdout
    found = other.ask("search", "charge the customer", "--mode", "semantic")
    assert found["hits"]


_GIVE_CREDENTIALS = """
from devrag.sources.credentials import store_credentials
from devrag.sources.models import Source
store_credentials(source=Source.objects.get(name="shop"), changes={"token": "%s"})
"""
_READ_CREDENTIALS = """
from devrag.sources.credentials import load_credentials
from devrag.sources.models import Source
print(load_credentials(Source.objects.get(name="shop")))
"""


@pytest.fixture
def own_database() -> Iterator[str]:
    """The address of an empty database on a server that is not devrag's."""
    url, name = os.environ["DATABASE_URL"], f"moved_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.slow
def test_an_instance_moves_to_a_database_of_ones_own(
    instance: Instance, shop: Repository, other: Instance, own_database: str
) -> None:
    file = str(other.root / "tuesday.devrag")
    assert instance.run("shell", "-c", _GIVE_CREDENTIALS % "secret").returncode == 0
    instance.ask("backup", file)
    assert instance.run("shell", "-c", _GIVE_CREDENTIALS % "").returncode == 0
    other.env |= {
        "DATABASE_URL": own_database,
        "SECRET_KEY": "s" * 50,
        "CREDENTIALS_KEYS": "k" * 50,
        "HTTPS": "false",
    }
    restored = other.run("restore", file)
    assert restored.returncode == 0, restored.stderr
    assert "append it to CREDENTIALS_KEYS" in restored.stderr
    kept = other.run("restore", file)
    assert (kept.returncode, "Nothing was changed" in kept.stderr) == (1, True)
    other.ask("restore", file, "--yes")
    former = (other.home / "run" / "credentials_key").read_text()
    other.env["CREDENTIALS_KEYS"] += f",{former}"
    assert "CREDENTIALS_KEYS" not in other.run("restore", file, "--yes").stderr
    other.start()
    other.token = instance.token
    assert not (other.home / "postgres").exists() or not list(
        (other.home / "postgres").iterdir()
    )
    of = ("wiki", "status", "--product", "shop")
    assert other.ask(*of) == instance.ask(*of)
    assert "secret" in other.run("shell", "-c", _READ_CREDENTIALS).stdout
    assert other.ask("search", "charge the customer", "--mode", "semantic")["hits"]
    assert other.ask("backup", str(other.root / "wednesday.devrag"))["bytes"] > 0
