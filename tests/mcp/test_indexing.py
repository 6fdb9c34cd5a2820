"""reindex counts what changed, and the first search builds what it needs."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from django.conf import settings
from django.db import connection

from devrag.access.services import create_token, principal_of_token
from devrag.audit.api import Entry, Origin, bound_origin
from devrag.audit.models import AuditEvent
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job, JobState
from devrag.mcp import http_app, indexing
from devrag.mcp.collections import find_collection
from devrag.mcp.indexing import index_missing
from devrag.mcp.server import build_server
from devrag.search.lexical.follower import catch_up
from devrag.use_cases.add_repository import add_repository
from tests.conftest import run_job
from tests.mcp.teahouse import ask
from tests.people import People

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def worker() -> Iterator[None]:
    """Do what workers and the follower would, in a thread."""
    stop = threading.Event()

    def work() -> None:
        pending = Job.objects.filter(kind="index", state=JobState.PENDING)
        while not stop.wait(0.05):
            for job in pending.all():
                run_job(job)
                catch_up(Path(settings.LEXICAL_DIR))
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    stop.set()
    thread.join()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of three files, added but not indexed yet."""
    made = tmp_path / "notes"
    made.mkdir()
    for name in ("a", "b", "c"):
        (made / f"{name}.md").write_text(
            f"# {name}\n\nSome words on {name}, and tea.\n"
        )
    add_repository(
        principal=SYSTEM,
        location=str(made),
        product_name="tea",
        is_wiki_wanted=False,
        is_local_user=True,
    )
    Job.objects.all().delete()
    return made


def call(tool: str, /, **arguments: Any) -> Any:
    return ask(build_server(), tool, **arguments)


@pytest.mark.slow
def test_reindex_counts_added_updated_and_deleted(folder: Path, worker: None) -> None:
    assert call("reindex") == {"added": 3, "updated": 0, "deleted": 0}
    assert call("reindex", source="notes") == {"added": 0, "updated": 0, "deleted": 0}
    (folder / "a.md").write_text("# a\n\nOther words.\n")
    (folder / "b.md").unlink()
    (folder / "d.md").write_text("# d\n\nNew words.\n")
    assert call("reindex", source="tea") == {"added": 1, "updated": 1, "deleted": 1}


@pytest.mark.parametrize(
    ("tool", "collection"), [("search", ""), ("search_code", "tea")]
)
def test_a_first_search_builds_the_index(
    folder: Path, worker: None, tool: str, collection: str
) -> None:
    found = call(tool, query="words on b", collection=collection)
    # The index is whole; vectors are made by a worker that this test has not.
    missing = "Semantic search is 0% ready; the rest is found by keyword search only."
    assert found["notes"] == [missing]
    if tool == "search":
        assert found["results"][0]["path"] == "b.md"
    assert call("get_document_count")["count"] == 3


def test_a_viewer_who_may_not_index_is_told_what_is_missing(
    folder: Path, people: People
) -> None:
    _, secret = create_token(name="b", scopes=["read", "index"], user=people.bob)
    caller = principal_of_token(secret)
    assert caller is not None
    (note,) = index_missing(caller, find_collection(caller, "tea"))
    assert note == "Not indexed yet: notes. Call reindex(source)."
    assert not Job.objects.exists()


def test_who_waits_holds_no_connection(
    folder: Path, worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = []
    sleep = time.sleep

    def watch(seconds: float) -> None:
        held.append(connection.connection)
        sleep(seconds)

    monkeypatch.setattr(indexing.time, "sleep", watch)
    assert call("reindex")["added"] == 3
    assert held
    assert not any(held)


def test_many_who_wait_leave_room_for_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "_WAITING", threading.BoundedSemaphore(1))
    with indexing._WAITING:
        (note,) = call("reindex", wait_seconds=60)["notes"]
    assert "notes is being indexed: get_job(" in note


def test_what_goes_on_is_named_with_its_job(folder: Path) -> None:
    found = call("reindex", wait_seconds=0)
    (note,) = found["notes"]
    job_id = note.partition("get_job('")[2].partition("'")[0]
    assert call("get_job", job_id=job_id)["status"] == "pending"


def test_timings_of_reindex_go_to_stderr(
    folder: Path,
    worker: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(build_server(), "is_verbose", True)
    call("reindex")
    told = capsys.readouterr()
    assert not told.out
    for words in (
        "reindex notes",
        "files scanned: 3",
        "new: 3, updated: 0, deleted: 0",
    ):
        assert words in told.err
    for item in ("chunks: ", "per file", "total: "):
        assert item in told.err


def test_what_failed_is_said(folder: Path, worker: None) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    (note,) = call("reindex")["notes"]
    assert note.startswith("notes could not be indexed: ")


def test_what_an_agent_starts_is_recorded(folder: Path) -> None:
    _, secret = create_token(name="agent", scopes=["read", "index"])
    answer = _over_http(secret, "reindex", source="notes", wait_seconds=0)
    assert "notes is being indexed" in answer
    event = AuditEvent.objects.filter(action="source.index_requested").latest("pk")
    assert (event.entry, event.address) == ("mcp", "192.0.2.8")
    assert (event.actor_kind, event.target) == ("token", "notes")
    assert event.actor.startswith("token agent (devrag_")


def test_the_operator_of_the_machine_is_recorded(folder: Path) -> None:
    with bound_origin(Origin(Entry.MCP)):
        call("reindex", wait_seconds=0)
    event = AuditEvent.objects.filter(action="source.index_requested").latest("pk")
    assert (event.entry, event.actor_kind) == ("mcp", "os_user")


def _over_http(secret: str, tool: str, **arguments: Any) -> str:
    """Call a tool as the web process does; return the body of the answer."""
    params = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "host": "localhost",
        "authorization": f"Bearer {secret}",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
    }
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "query_string": b"",
        "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
        "client": ("192.0.2.8", 4711),
        "server": ("localhost", 80),
    }
    parts: list[bytes] = []
    asked = [{"type": "http.request", "body": json.dumps(message).encode()}]

    async def receive() -> Any:
        if asked:
            return asked.pop()
        return await anyio.sleep_forever()

    async def send(sent: Any) -> None:
        parts.append(sent.get("body", b""))

    anyio.run(http_app.serve, scope, receive, send)
    return b"".join(parts).decode()
