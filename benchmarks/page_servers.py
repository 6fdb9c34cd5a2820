"""The servers that page_sources.py reads, each a process of its own."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.sources.confluence import confluence_server
from tests.sources.notion import notion_server
from tests.sources.notion.records import block
from tests.sources.redmine import redmine_server

SCRIPT = Path(__file__).with_name("page_sources.py")
# What signs in at them.
TOKENS = {
    "confluence": confluence_server.TOKEN,
    "redmine": redmine_server.KEY,
    "notion": notion_server.TOKEN,
}
Server = confluence_server.Wiki | redmine_server.Tracker | notion_server.Workspace
_WORDS = ("payment", "refund", "order", "ledger", "webhook", "retry", "queue", "tenant")
_EDITED = 0.01


@contextlib.contextmanager
def running_server(kind: str, pages: int, words: int) -> Iterator[str]:
    command = [sys.executable, str(SCRIPT), "--serve", kind]
    command += ["--pages", str(pages), "--words", str(words)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdin
        yield process.stdout.readline().strip()
        process.stdin.close()


def serve(kind: str, pages: int, words: int) -> None:
    """Serve until standard input ends. Paths with `_` steer it."""
    text = " ".join(_WORDS[n % len(_WORDS)] for n in range(words))
    with contextlib.ExitStack() as stack:
        if kind == "redmine":
            tracker = redmine_server.Tracker()
            redmine_server.fill(tracker, pages, text)
            tracker.faults.append(_steer)
            url = stack.enter_context(redmine_server.serving(tracker))
        elif kind == "notion":
            workspace = notion_server.Workspace()
            notion_server.fill(workspace, pages, text)
            workspace.faults.append(_steer)
            url = stack.enter_context(notion_server.serving(workspace))
        else:
            wiki = confluence_server.Wiki()
            confluence_server.fill(wiki, pages, text)
            wiki.faults.append(_steer)
            url = stack.enter_context(confluence_server.serving(wiki))
        print(url, flush=True)
        sys.stdin.read()


def _steer(server: Server, path: str) -> Any:
    if not path.startswith("/_"):
        return None
    server.requests.pop()
    name, _, value = path.removeprefix("/_").partition("?hours=")
    if name == "count":
        count = len(server.requests)
        server.requests.clear()
        return 200, count, {}
    server.clock += timedelta(hours=float(value or 1))
    if name == "edit":
        _edit(server)
    server.requests.clear()
    return 200, 0, {}


def _edit(server: Server) -> None:
    if isinstance(server, notion_server.Workspace):
        for page_id in list(server.pages)[:: round(1 / _EDITED)]:
            server.edit(page_id, block("paragraph", "Changed"))
        return
    if isinstance(server, redmine_server.Tracker):
        for number in list(server.issues)[:: round(1 / _EDITED)]:
            server.edit(number, description="Changed")
        return
    for page_id in list(server.content)[:: round(1 / _EDITED)]:
        server.edit(page_id, "<p>Changed</p>")


def tell(url: str, what: str) -> int:
    base = url.partition("/spaces/")[0].partition("/projects/")[0]
    with urllib.request.urlopen(f"{base}/_{what}") as answer:
        return int(json.loads(answer.read()))
