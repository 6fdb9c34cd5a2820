"""Notion on loopback, as far as its published reference goes.

Written from the reference of version 2026-03-11: lists have 100 results at most and
cursors, times have no seconds, what is in the trash or not shared is not found, search
leaves out what it has not indexed, a query ends after a number of results.
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.sources.notion.records import Json, Records, block
from tests.sources.pages.api_app import Reply, serving_app

TOKEN = "ntn_0123456789-secret"
VERSION = "2026-03-11"
Fault = Callable[["Workspace", str], Reply | None]


class Workspace(Records):
    """One workspace behind an API. faults: each may answer in place of the server.

    hidden: ids that search does not list. most: results of one query. without: what the
    integration may not do: read_users, read_comments.
    """

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[str] = []
        self.faults: list[Fault] = []
        self.hidden: set[str] = set()
        self.without: set[str] = set()
        self.most = 10_000
        self.url = ""
        self.lock = threading.Lock()
        self._cursors: dict[str, list[Any]] = {}

    def answer(self, path: str, headers: dict[str, str], body: bytes = b"") -> Reply:
        """Return status, body and headers for a request."""
        with self.lock:
            self.requests.append(path)
            for fault in self.faults:
                if reply := fault(self, path):
                    return reply
            parts = urlsplit(path)
            if unquote(parts.path) in self.files:
                return 200, self.files[unquote(parts.path)], {}
            if headers.get("authorization") != f"Bearer {TOKEN}":
                return _error(401, "unauthorized", "API token is invalid.")
            if headers.get("notion-version") != VERSION:
                return _error(400, "missing_version", "Notion-Version is missing.")
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            asked |= json.loads(body) if body else {}
            return self._route(unquote(parts.path).removeprefix("/v1/"), asked)

    def _route(self, path: str, asked: Json) -> Reply:
        lists: dict[str, Callable[[Json], Reply]] = {
            "search": self._search,
            "comments": self._comments,
            "users": self._users,
        }
        if path in lists:
            return lists[path](asked)
        if path == "users/me":
            bot = {"workspace_name": self.name}
            return 200, {"object": "user", "id": "me", "type": "bot", "bot": bot}, {}
        if found := re.fullmatch(r"data_sources/([^/]+)/query", path):
            return self._query(found[1], asked)
        if found := re.fullmatch(r"blocks/([^/]+)/children", path):
            return self._children(found[1], asked)
        kind, _, node_id = path.partition("/")
        return self._one(kind, node_id)

    def _comments(self, asked: Json) -> Reply:
        if "read_comments" in self.without:
            return _error(403, "restricted_resource", "No comment capability.")
        return self._results(self.comments.get(asked["block_id"], []), asked)

    def _users(self, asked: Json) -> Reply:
        if "read_users" in self.without:
            return _error(403, "restricted_resource", "No user capability.")
        users = self.users.items()
        found = [{"object": "user", "id": i, "name": name} for i, name in users]
        return self._results(found, asked)

    def _one(self, kind: str, node_id: str) -> Reply:
        if kind == "pages" and node_id in self.databases:
            return _error(400, "validation_error", f"{node_id} is a database.")
        held: dict[str, dict[str, Json]] = {
            "pages": self.pages,
            "databases": self.databases,
            "data_sources": self.sources,
            "blocks": {k: self._block(k) for k in self.blocks},
        }
        found = held.get(kind, {}).get(node_id)
        return (200, found, {}) if found else _not_found(node_id)

    def _search(self, asked: Json) -> Reply:
        assert asked["sort"]["timestamp"] == "last_edited_time"
        both = [*self.pages.values(), *self.sources.values()]
        found = [e for e in both if not e["in_trash"] and e["id"] not in self.hidden]
        is_latest = asked["sort"]["direction"] == "descending"
        found.sort(key=lambda each: str(each["last_edited_time"]), reverse=is_latest)
        return self._results(found, asked)

    def _query(self, source_id: str, asked: Json) -> Reply:
        if source_id not in self.sources:
            return _not_found(source_id)
        rows = [
            each
            for each in self.pages.values()
            if each["parent"].get("data_source_id") == source_id
            and not each["in_trash"]
        ]
        if "filter" in asked:
            since = asked["filter"]["created_time"]["on_or_after"]
            rows = [each for each in rows if each["created_time"] >= since]
        rows.sort(key=lambda each: str(each["created_time"]))
        status, answer, headers = self._results(rows[: self.most], asked)
        is_cut = len(rows) > self.most
        answer["request_status"] = {"type": "incomplete" if is_cut else "complete"}
        return status, answer, headers

    def _children(self, parent_id: str, asked: Json) -> Reply:
        if parent_id not in self.inside and parent_id not in self.blocks:
            return _not_found(parent_id)
        if self.pages.get(parent_id, {}).get("in_trash"):
            return _not_found(parent_id)
        synced = self.blocks.get(parent_id, {}).get("synced_block", {})
        of = (synced.get("synced_from") or {}).get("block_id", parent_id)
        found = [self._block(each) for each in self.inside.get(of, [])]
        return self._results(found, asked)

    def _block(self, block_id: str) -> Json:
        made = self.blocks[block_id]
        synced = made.get("synced_block", {}).get("synced_from")
        has_children = bool(synced or self.inside.get(block_id))
        return {**made, "has_children": has_children}

    def _results(self, found: list[Any], asked: Json) -> Reply:
        """Return some results. A cursor leads on in what there was at the beginning."""
        limit = min(int(asked.get("page_size", 100)), 100)
        rest = self._cursors.pop(asked.get("start_cursor", ""), found)
        cursor = f"c{len(self.requests)}" if len(rest) > limit else None
        if cursor:
            self._cursors[cursor] = rest[limit:]
        answer = {
            "object": "list",
            "results": rest[:limit],
            "has_more": cursor is not None,
            "next_cursor": cursor,
        }
        return 200, answer, {}

    def attach(self, name: str, data: bytes, kind: str = "file") -> Json:
        """Return a block of a file that Notion keeps; its address is never the same."""
        path = f"/files/{len(self.files)}/{name}"
        self.files[path] = data
        address = {"url": f"{self.url}{path}?signature={len(self.files)}"}
        return block(kind, name=name, type="file", file=address, caption=[])

    def kinds_of_requests(self) -> Counter[str]:
        """Return how often each kind of thing was asked for."""
        paths = (urlsplit(path).path.removeprefix("/v1/") for path in self.requests)
        return Counter(re.sub(r"/[0-9a-f-]{36}", "", path) for path in paths)


def _error(status: int, code: str, message: str) -> Reply:
    return status, {"object": "error", "code": code, "message": message}, {}


def _not_found(node_id: str) -> Reply:
    return _error(404, "object_not_found", f"Could not find {node_id}.")


@contextmanager
def serving(workspace: Workspace) -> Iterator[str]:
    """Serve a workspace; yield the address that stands for all of it."""
    with serving_app(workspace) as url:
        workspace.url = url
        yield url


def fill(workspace: Workspace, count: int, text: str = "") -> str:
    """Add a page with pages below it, ten below each; return its id."""
    ids = [workspace.page("Home")]
    for number in range(1, count):
        parent = ids[(number - 1) // 10]
        words = (f"About part {number}.", text)
        made = [block("paragraph", each) for each in words if each]
        head = block("heading_1", f"Part {number}")
        ids.append(workspace.page(f"Page {number}", head, *made, parent=parent))
        workspace.clock += timedelta(seconds=15)
    workspace.clock += timedelta(hours=1)
    return ids[0]
