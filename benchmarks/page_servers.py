"""The servers that page_sources.py reads, each a process of its own."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.sources.confluence import confluence_server
from tests.sources.github import github_server
from tests.sources.gitlab import gitlab_server
from tests.sources.notion import notion_server
from tests.sources.notion.records import block
from tests.sources.redmine import redmine_server

SCRIPT = Path(__file__).with_name("page_sources.py")
# What signs in at them.
TOKENS = {
    "confluence": confluence_server.TOKEN,
    "redmine": redmine_server.KEY,
    "github": github_server.TOKEN,
    "gitlab": gitlab_server.TOKEN,
    "notion": notion_server.TOKEN,
}
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
    make, fill, serving, edit = _SERVERS[kind]
    server = make()
    fill(server, pages, text)
    server.faults.append(partial(_steer, edit))
    with serving(server) as url:
        print(url, flush=True)
        sys.stdin.read()


def _steer(edit: _Edit, server: Any, path: str) -> Any:
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
        edit(server, round(1 / _EDITED))
    server.requests.clear()
    return 200, 0, {}


def _edit_wiki(server: confluence_server.Wiki, step: int) -> None:
    for page_id in list(server.content)[::step]:
        server.edit(page_id, "<p>Changed</p>")


def _edit_redmine(server: redmine_server.Tracker, step: int) -> None:
    for number in list(server.issues)[::step]:
        server.edit(number, description="Changed")


def _edit_github(server: github_server.Hub, step: int) -> None:
    for number in list(server.issues)[::step]:
        server.edit(number, body="Changed")


def _edit_gitlab(server: gitlab_server.Lab, step: int) -> None:
    for number in list(server.issues)[::step]:
        server.edit("issues", number, description="Changed")
    for number in list(server.merge_requests)[::step]:
        server.edit("merge_requests", number, description="Changed")


def _edit_notion(server: notion_server.Workspace, step: int) -> None:
    for page_id in list(server.pages)[::step]:
        server.edit(page_id, block("paragraph", "Changed"))


_Edit = Callable[[Any, int], None]
# By kind: what makes a server, fills it, serves it and edits every nth of its items.
_SERVERS: dict[str, tuple[Any, Any, Any, _Edit]] = {
    "confluence": (
        *(confluence_server.Wiki, confluence_server.fill, confluence_server.serving),
        _edit_wiki,
    ),
    "redmine": (
        *(redmine_server.Tracker, redmine_server.fill, redmine_server.serving),
        _edit_redmine,
    ),
    "github": (
        *(github_server.Hub, github_server.fill, github_server.serving),
        _edit_github,
    ),
    "gitlab": (
        *(gitlab_server.Lab, gitlab_server.fill, gitlab_server.serving),
        _edit_gitlab,
    ),
    "notion": (
        *(notion_server.Workspace, notion_server.fill, notion_server.serving),
        _edit_notion,
    ),
}


def tell(url: str, what: str) -> int:
    host = urlsplit(url)
    base = url.partition("/spaces/")[0]
    if base == url:
        base = f"{host.scheme}://{host.netloc}"
    with urllib.request.urlopen(f"{base}/_{what}") as answer:
        return int(json.loads(answer.read()))
