"""Redmine on loopback, as far as its REST documentation and views go.

Written from the documentation of the REST API and the views of 5.0 that make the
answers: lists have 100 results at most, issues are listed without their notes, times
have whole seconds, a wrong key is as good as none. Issues are held as the API has them.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

KEY = "k-0123456789abcdef"
_MODULES = ("issue_tracking", "wiki", "news", "files")
Json = dict[str, Any]
Reply = tuple[int, Any, dict[str, str]]
Fault = Callable[["Tracker", str], Reply | None]


class Tracker:
    """One project and what is in it. clock: the server's, maybe hours from ours."""

    def __init__(self, *, key: str = "shop") -> None:
        self.key, self.name, self.description = key, "Web shop", "Sells things."
        self.clock = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
        self.modules: tuple[str, ...] | None = _MODULES
        self.issues: dict[int, Json] = {}
        self.pages: dict[str, Json] = {}
        self.versions: dict[int, Json] = {}
        self.news: dict[int, Json] = {}
        self.offered: list[Json] = []
        self.files: dict[str, bytes] = {}
        self.help = b""
        self.tells_closed, self.is_public = True, False
        self.requests: list[str] = []
        self.faults: list[Fault] = []
        self.lock = threading.Lock()
        self._number = 0

    # -- writing ------------------------------------------------------------------

    def number(self) -> int:
        self._number += 1
        return self._number

    @property
    def now(self) -> str:
        return self.clock.strftime("%Y-%m-%dT%H:%M:%SZ")

    def issue(self, subject: str, description: str = "Text", **fields: Any) -> int:
        """Add an issue. fields: as the API has them."""
        number = self.number()
        self.issues[number] = {
            "id": number,
            "project": {"id": 1, "name": self.name},
            "tracker": named("Bug"),
            "status": {**named("New"), "is_closed": False},
            "priority": named("Normal"),
            "author": named("Aoi Tanaka"),
            "subject": subject,
            "description": description,
            "start_date": "2026-03-01",
            "due_date": None,
            "done_ratio": 0,
            "is_private": False,
            "estimated_hours": None,
            "created_on": self.now,
            "updated_on": self.now,
            "closed_on": None,
            "attachments": [],
            "relations": [],
            "journals": [],
            "changesets": [],
            **fields,
        }
        return number

    def edit(self, number: int, **fields: Any) -> None:
        """Change an issue."""
        self.issues[number] |= {**fields, "updated_on": self.now}

    def note(self, number: int, text: str, author: str = "Ken", **fields: Any) -> None:
        """Add a note to an issue."""
        journal = {
            "id": self.number(),
            "user": named(author),
            "notes": text,
            "created_on": self.now,
            "private_notes": False,
            "details": [],
            **fields,
        }
        self.issues[number]["journals"].append(journal)
        self.edit(number)

    def page(self, title: str, text: str = "Text", parent: str = "") -> str:
        """Write a page, or a new version of it."""
        before = self.pages.get(title, {"version": 0, "created_on": self.now})
        self.pages[title] = {
            "attachments": [],
            **before,
            "title": title,
            **({"parent": {"title": parent}} if parent else {}),
            "text": text,
            "version": before["version"] + 1,
            "author": named("Mio"),
            "comments": "",
            "updated_on": self.now,
        }
        return title

    def version(self, name: str, **fields: Any) -> int:
        """Add a version."""
        number = self.number()
        times = {"created_on": self.now, "updated_on": self.now}
        rest = {"status": "open", "due_date": None, "description": ""}
        made = {"id": number, "name": name, **rest, **times, **fields}
        self.versions[number] = made
        return number

    def tell(self, title: str, text: str) -> int:
        """Add news."""
        number = self.number()
        self.news[number] = {
            "id": number,
            "title": title,
            "summary": "",
            "description": text,
            "author": named("Mio"),
            "created_on": self.now,
        }
        return number

    def attach(
        self, owner: Json, name: str, data: bytes, media: str = "text/plain"
    ) -> int:
        """Attach a file to an issue or page, as they are held here."""
        found = self.file(name, data, media)
        owner["attachments"] = [*owner["attachments"], found]
        if "subject" in owner:
            owner["updated_on"] = self.now
        return int(found["id"])

    def file(self, name: str, data: bytes, media: str = "text/plain") -> Json:
        """Keep a file; return what the API says of it."""
        number = self.number()
        self.files[f"/attachments/download/{number}"] = data
        return {
            "id": number,
            "filename": name,
            "filesize": len(data),
            "content_type": media,
            "content_url": f"http://proxy.invalid/attachments/download/{number}/x",
            "created_on": self.now,
        }

    # -- answering ----------------------------------------------------------------

    def answer(self, path: str, headers: dict[str, str]) -> Reply:
        """Return status, body and headers for a request."""
        with self.lock:
            self.requests.append(path)
            for fault in self.faults:
                if reply := fault(self, path):
                    return reply
            parts = urlsplit(path)
            is_known = headers.get("x-redmine-api-key") == KEY
            if not is_known and not (self.is_public and "/users/" not in parts.path):
                return 401, {}, {}
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            return self._route(unquote(parts.path), asked)

    def _route(self, path: str, asked: dict[str, str]) -> Reply:
        if path in self.files:
            return 200, self.files[path], {}
        whole: dict[str, Callable[[], Json]] = {
            "/users/current.json": lambda: {"user": {"id": 1, "login": "reader"}},
            "/issues.json": lambda: self._issues(asked),
            "/issue_statuses.json": self._statuses,
        }
        if path in whole:
            return 200, whole[path](), {}
        kind, _, rest = path.removeprefix("/").partition("/")
        if kind == "issues":
            return _one("issue", self.issues.get(int(rest.removesuffix(".json"))))
        if path == "/help/wiki_syntax" and self.help:
            return 200, self.help, {}
        if kind == "projects" and rest.removesuffix(".json") == self.key:
            return 200, {"project": self._project()}, {}
        if kind == "projects" and rest.startswith(f"{self.key}/"):
            return self._of_project(rest.partition("/")[2].removesuffix(".json"), asked)
        return 404, {}, {}

    def _of_project(self, name: str, asked: dict[str, str]) -> Reply:
        module = name.partition("/")[0]
        if self.modules and module in _MODULES and module not in self.modules:
            return 403, {}, {}
        if name == "wiki/index":
            keys = ("title", "parent", "version", "created_on", "updated_on")
            index = [{k: p[k] for k in keys if k in p} for p in self.pages.values()]
            return 200, {"wiki_pages": index}, {}
        if name.startswith("wiki/"):
            return _one("wiki_page", self.pages.get(name.removeprefix("wiki/")))
        if name == "versions":
            found = list(self.versions.values())
            return 200, {"versions": found, "total_count": len(found)}, {}
        if name == "files":
            return 200, {"files": self.offered}, {}
        if name == "news":
            part, meta = _part(list(self.news.values()), asked)
            return 200, {"news": part, **meta}, {}
        return 404, {}, {}

    def _project(self) -> Json:
        found: Json = {
            "id": 1,
            "name": self.name,
            "identifier": self.key,
            "description": self.description,
            "created_on": "2026-01-01T00:00:00Z",
            "updated_on": "2026-01-01T00:00:00Z",
        }
        if self.modules is not None:
            found["enabled_modules"] = [named(each) for each in self.modules]
        return found

    def _issues(self, asked: dict[str, str]) -> Json:
        assert asked["project_id"] == self.key
        assert (asked["subproject_id"], asked["status_id"]) == ("!*", "*")
        found = list(self.issues.values())
        if "issue_id" in asked:
            wanted = set(asked["issue_id"].split(","))
            found = [each for each in found if str(each["id"]) in wanted]
        if "updated_on" in asked:
            # As Redmine does: a second less, and later than that.
            then = _time(asked["updated_on"].removeprefix(">=")) - timedelta(seconds=1)
            found = [each for each in found if _time(each["updated_on"]) > then]
        is_latest = "updated_on:desc" in asked.get("sort", "")
        found.sort(key=lambda each: each["updated_on"], reverse=is_latest)
        part, meta = _part(found, asked)
        included = asked.get("include", "").split(",")
        dropped = {"journals", "changesets", "attachments", "relations"} - {*included}
        listed = [{k: v for k, v in e.items() if k not in dropped} for e in part]
        return {"issues": [self._shown(each) for each in listed], **meta}

    def _shown(self, issue: Json) -> Json:
        if self.tells_closed:
            return issue
        status = {k: v for k, v in issue["status"].items() if k != "is_closed"}
        return {**issue, "status": status}

    def _statuses(self) -> Json:
        found = {each["status"]["id"]: each["status"] for each in self.issues.values()}
        return {"issue_statuses": list(found.values())}

    def kinds_of_requests(self) -> Counter[str]:
        """Return how often each path was asked for."""
        return Counter(path.partition("?")[0] for path in self.requests)


def named(name: str) -> Json:
    """Return a name as the API has it, with a number of its own."""
    return {"id": sum(name.encode()), "name": name}


def _part(found: list[Json], asked: dict[str, str]) -> tuple[list[Json], Json]:
    start, limit = int(asked.get("offset", 0)), min(int(asked.get("limit", 25)), 100)
    meta = {"total_count": len(found), "offset": start, "limit": limit}
    return found[start : start + limit], meta


def _one(name: str, found: Json | None) -> Reply:
    return (200, {name: found}, {}) if found else (404, {}, {})


def _time(written: str) -> datetime:
    try:
        return datetime.fromisoformat(written).astimezone(UTC)
    except ValueError:
        return datetime.max.replace(tzinfo=UTC)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Else the client's kernel waits 40 ms for more than the head of an answer.
    disable_nagle_algorithm = True
    tracker: Tracker
    prefix: str

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, body, more = 404, b"", dict[str, str]()
        if self.path.startswith(self.prefix):
            path = self.path.removeprefix(self.prefix)
            status, body, more = self.tracker.answer(path, headers)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        promised = int(more.pop("Content-Length", len(data)))
        self.send_header("Content-Length", str(promised))
        for name, value in more.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        if promised != len(data):
            self.close_connection = True

    def date_time_string(self, timestamp: float | None = None) -> str:
        del timestamp
        return format_datetime(self.tracker.clock, usegmt=True)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@contextmanager
def serving(tracker: Tracker, *, prefix: str = "") -> Iterator[str]:
    """Serve a tracker below a context path; yield the address of its project."""
    handler = type(
        "TrackerHandler", (_Handler,), {"tracker": tracker, "prefix": prefix}
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        path = f"{prefix}/projects/{quote(tracker.key)}"
        yield f"http://127.0.0.1:{server.server_port}{path}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def fill(tracker: Tracker, count: int, text: str = "") -> None:
    """Add issues, four of them a minute, every second one with a note."""
    for number in range(count):
        made = tracker.issue(f"Issue {number}", f"About part {number}. {text}")
        if number % 2:
            tracker.note(made, f"Seen in part {number}.")
        tracker.clock += timedelta(seconds=15)
