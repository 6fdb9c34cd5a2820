"""Redmine on loopback, as far as its REST documentation and views go.

Written from the documentation of the REST API and the views of 5.0 that make the
answers: lists have 100 results at most, issues are listed without their notes, times
have whole seconds, a wrong key is as good as none. Issues are held as the API has them.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from urllib.parse import parse_qs, quote, unquote, urlsplit

from tests.sources.pages.api_app import Reply, serving_app
from tests.sources.redmine.records import MODULES, Json, Records, named

KEY = "k-0123456789abcdef"
Fault = Callable[["Tracker", str], Reply | None]


class Tracker(Records):
    """One project behind an API. faults: each may answer in place of the server."""

    def __init__(self, *, key: str = "shop") -> None:
        super().__init__(key=key)
        self.requests: list[str] = []
        self.faults: list[Fault] = []
        self.lock = threading.Lock()

    # -- answering ----------------------------------------------------------------

    def answer(self, path: str, headers: dict[str, str], body: bytes = b"") -> Reply:
        """Return status, body and headers for a request."""
        del body
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
        if self.modules and module in MODULES and module not in self.modules:
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
            since = datetime.fromisoformat(asked["updated_on"].removeprefix(">="))
            then = f"{since - timedelta(seconds=1):%Y-%m-%dT%H:%M:%SZ}"
            found = [each for each in found if each["updated_on"] > then]
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


def _part(found: list[Json], asked: dict[str, str]) -> tuple[list[Json], Json]:
    start, limit = int(asked.get("offset", 0)), min(int(asked.get("limit", 25)), 100)
    meta = {"total_count": len(found), "offset": start, "limit": limit}
    return found[start : start + limit], meta


def _one(name: str, found: Json | None) -> Reply:
    return (200, {name: found}, {}) if found else (404, {}, {})


@contextmanager
def serving(tracker: Tracker, *, prefix: str = "", port: int = 0) -> Iterator[str]:
    """Serve a tracker below a context path; yield the address of its project.

    port: 0 for any that is free.
    """
    with serving_app(tracker, prefix=prefix, port=port) as url:
        yield f"{url}/projects/{quote(tracker.key)}"


def fill(tracker: Tracker, count: int, text: str = "") -> None:
    """Add issues, four of them a minute, every second one with a note."""
    for number in range(count):
        made = tracker.issue(f"Issue {number}", f"About part {number}. {text}")
        if number % 2:
            tracker.note(made, f"Seen in part {number}.")
        tracker.clock += timedelta(seconds=15)
