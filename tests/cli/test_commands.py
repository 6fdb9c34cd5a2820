"""Commands that another devrag answers, over its real REST interface."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from devrag.access.services import create_token
from devrag.cli.remote.connection import Connection
from devrag.cli.remote.destination import (
    Destination,
    find_destination,
    read_command_line,
)
from devrag.cli.remote.jobs import RemoteJobs
from devrag.cli.remote.run import run_remote
from devrag.core.errors import (
    DevragError,
    InvalidInput,
    NotFound,
    PermissionDenied,
    ServiceError,
)
from devrag.jobs.models import Job, JobState
from devrag.sources.models import Chunk, Source
from tests.conftest import Repository, run_job
from tests.people import People
from tests.scripted_server import Scripted, ScriptedServer, serving

pytestmark = pytest.mark.django_db(transaction=True)
Ask = Callable[..., str]


@pytest.fixture
def secret(db: None) -> str:
    return create_token(name="laptop", scopes=["read", "index", "wiki", "admin"])[1]


@pytest.fixture
def ask(
    live_server: LiveServer, secret: str, capsys: pytest.CaptureFixture[str]
) -> Ask:
    """Run a command against the server; return what it printed."""

    def ask(*words: str) -> str:
        there = ("--server", live_server.url, "--token", secret)
        assert run_remote(read_command_line(["devrag", *there, *words]))
        return capsys.readouterr().out

    return ask


def test_nobody_is_asked_about_a_file_that_init_wrote(
    ask: Ask, live_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    ask("init")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    found = find_destination(read_command_line(["devrag", "search", "--token", "t"]))
    assert found == Destination(live_server.url, "t")
    file = tmp_path / ".devrag.json"
    assert found.found_in == file
    file.rename(tmp_path / "below" / ".devrag.json")
    with pytest.raises(InvalidInput, match="not named by you"):
        find_destination(read_command_line(["devrag", "search", "--token", "t"]))


def test_the_client_loads_neither_django_nor_a_database_driver() -> None:
    probe = (
        "import sys, devrag.command_line, devrag.cli.commands;"
        "import devrag.cli.remote.backend;"
        "print([m for m in sys.modules if m.split('.')[0] in "
        "('django', 'psycopg', 'pydantic', 'ninja', 'celery')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_products_and_sources_are_listed_and_shown(people: People, ask: Ask) -> None:
    rows = json.loads(ask("product", "list", "--json"))
    assert {row["name"] for row in rows} == {"teahouse", "market"}
    assert "teahouse  teahouse-code\n" in ask("product", "list")
    assert ask("product", "show", "teahouse") == "teahouse\n  teahouse-code\n"
    assert ask("source", "list").startswith("teahouse-code  git  teahouse  ")
    shown = json.loads(ask("source", "show", "teahouse-code", "--json"))
    assert shown["product"] == "teahouse"
    with pytest.raises(NotFound, match="no product 'gone' at http"):
        ask("product", "show", "gone")


def test_a_repository_is_indexed_and_searched_there(
    shop: Repository, ask: Ask, settings: Any, follow: Callable[[], Any]
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    wanted = ("index", str(shop.path), "--product", "shop")
    job = Job.objects.get(pk=ask(*wanted, "--no-wait").strip())
    (row,) = json.loads(ask("jobs", "list", "--json"))
    assert row["progress"] == "Waiting for a free worker; this job is next."
    assert ask("jobs", "list").rstrip().endswith(row["progress"])
    run_job(job)
    follow()
    told = ask("jobs", "show", str(job.pk))
    assert told.startswith(f"{job.pk}  completed  index shop")
    assert "Reading shop at " in told
    assert str(job.pk)[:8] in ask("jobs", "list")
    assert str(job.pk)[:8] not in ask("jobs", "list", "--open")
    assert ask("jobs", "show", str(job.pk)[:8]) == told
    found = json.loads(ask("search", "charge", "--mode", "keyword", "--json"))
    assert found["hits"][0]["path"] == "shop/till.py"
    assert "summary" not in found
    place = ("search", "--related", "shop:shop/till.py:7", "--json")
    told_here = io.StringIO()
    call_command(*place, stdout=told_here)
    related = json.loads(ask(*place))["hits"]
    assert related == json.loads(told_here.getvalue())["hits"]
    assert "shop/cart.py" in {hit["path"] for hit in related}
    narrow = ("search", "charge", "--mode", "keyword", "--pattern", "**/till.py")
    assert found_by(ask, *narrow) == {"shop/till.py"}
    tagged = ("search", "charge", "--mode", "keyword", "--tag", "tea", "--tag", "may")
    assert found_by(ask, *tagged) == set()
    Chunk.objects.filter(file__path="shop/cart.py").update(tags=["may", "tea"])
    assert found_by(ask, *tagged) == {"shop/cart.py"}
    whole = ("search", "charge", "--mode", "bm25", "--strategy", "full")
    assert "    · " in ask(*whole)  # a neighbour of each hit, by default
    assert "    · " not in ask(*whole, "--context", "0")
    assert found["hits"][0]["contextBefore"] or found["hits"][0]["contextAfter"]
    printed = ask("search", "charge", "--mode", "keyword", "--summarize")
    assert "shop:shop/till.py:" in printed


def test_a_query_that_looks_like_an_option_is_sent(people: People, ask: Ask) -> None:
    found = ask("search", "--json", "--mode", "keyword", "--", "-h")
    assert json.loads(found)["hits"] == []


def test_a_relative_folder_is_sent_as_an_absolute_path(
    shop: Repository, ask: Ask, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SOURCE_ROOTS = [shop.path.parent]
    monkeypatch.chdir(shop.path.parent)
    ask("index", shop.path.name, "--product", "shop", "--no-wait")
    ask("source", "add", shop.path.name, "--product", "stall")
    assert [each.location for each in Source.objects.all()] == [str(shop.path)] * 2


def found_by(ask: Ask, *words: str) -> set[str]:
    """Return the paths that are found, here and there alike."""
    told_here = io.StringIO()
    call_command(*words, "--json", stdout=told_here)
    there, here = json.loads(ask(*words, "--json")), json.loads(told_here.getvalue())
    assert there["hits"] == here["hits"]
    return {hit["path"] for hit in there["hits"]}


def test_long_lists_come_whole(
    people: People, live_server: LiveServer, secret: str
) -> None:
    server = Connection(Destination(live_server.url, secret))
    names = {row["productName"] for row in server.get_all("/products?limit=1")}
    assert names == {"teahouse", "market"}


def test_a_job_is_cancelled_once(people: People, ask: Ask) -> None:
    job = Job.objects.create(
        kind="index",
        lane="index:1:",
        product=people.teahouse,
        source_name="teahouse-code",
    )
    assert "cancelled" in ask("jobs", "cancel", str(job.pk))
    with pytest.raises(DevragError, match="http"):
        ask("jobs", "cancel", str(job.pk))


def test_a_failed_job_is_the_commands_error(
    people: People, live_server: LiveServer, secret: str
) -> None:
    job = Job.objects.create(
        kind="wiki",
        lane="wiki:1",
        product=people.teahouse,
        state=JobState.FAILED,
        error="No such branch.",
    )
    server = Connection(Destination(live_server.url, secret))
    with pytest.raises(DevragError, match=r"^No such branch\.$"):
        RemoteJobs(server).wait(str(job.pk))


def test_what_the_server_refuses_is_said_as_it_says_it(
    people: People, ask: Ask
) -> None:
    with pytest.raises(InvalidInput, match=r"http.*: limit: .*50"):
        ask("search", "x", "--limit", "51")
    with pytest.raises(PermissionDenied, match="Unknown token"):
        ask("product", "list", "--token", "devrag_wrong")


def test_what_only_the_machine_itself_can_is_said(ask: Ask) -> None:
    with pytest.raises(InvalidInput, match="`doctor` works on this machine only"):
        ask("doctor")
    with pytest.raises(SystemExit, match="2"):
        ask("source", "hook", "shop")


def test_a_server_that_is_away_is_named() -> None:
    words = ["devrag", "search", "x", "--server", "http://127.0.0.1:9", "--token", "t"]
    with pytest.raises(ServiceError, match=r"Cannot reach http://127\.0\.0\.1:9"):
        run_remote(read_command_line(words))


def test_a_server_that_is_no_devrag_is_named() -> None:
    with serving(ScriptedServer()) as server:
        server.script = [Scripted(body="<html>Welcome</html>")]
        words = ["devrag", "search", "x", "--server", server.url, "--token", "t"]
        with pytest.raises(ServiceError, match="it is not devrag"):
            run_remote(read_command_line(words))
