"""GitLab on loopback, as far as the documentation of its REST API goes.

Written from the documentation of version 4: lists have 100 results at most, issues and
merge requests have numbers of their own, `updated_after` includes its time, times have
milliseconds, notes of the system are among those of people, those whose project hides a
feature get 403. Everything is held as the API has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.sources.pages.api_app import Reply, serving_app
from tests.sources.pages.faulty_server import FaultyServer
from tests.sources.tickets.listing import Json, part_of

TOKEN = "glpat-0123456789abcdef"


class Lab(FaultyServer):
    """One project behind an API.

    most: results in an answer. features: access levels by kind of ticket. hidden: kinds
    that the token may not list.
    """

    def __init__(self, *, key: str = "acme/web/shop", most: int = 100) -> None:
        super().__init__()
        self.key, self.most, self.is_public = key, most, False
        self.features = {"issues": "enabled", "merge_requests": "enabled"}
        self.hidden: set[str] = set()
        self.issues: dict[int, Json] = {}
        self.merge_requests: dict[int, Json] = {}
        self.notes: dict[tuple[str, int], list[Json]] = {}
        self._number = 0

    # -- writing ------------------------------------------------------------------

    @property
    def now(self) -> str:
        return self.clock.strftime("%Y-%m-%dT%H:%M:%S.123Z")

    def number(self) -> int:
        self._number += 1
        return self._number

    def issue(self, title: str, description: str | None = "Text", **more: Any) -> int:
        """Open an issue. more: as the API has it."""
        made = {"confidential": False, "issue_type": "issue", "due_date": None, **more}
        return self._open(self.issues, title, description, made)

    def merge_request(
        self, title: str, description: str | None = "Text", **more: Any
    ) -> int:
        """Open a merge request."""
        made = {
            "draft": False,
            "reviewers": [],
            "sha": "a" * 40,
            "merge_commit_sha": None,
            "squash_commit_sha": None,
            "source_branch": "feature",
            "target_branch": "main",
            **more,
        }
        return self._open(self.merge_requests, title, description, made)

    def edit(self, kind: str, number: int, **fields: Any) -> None:
        """Change a ticket."""
        getattr(self, kind)[number] |= {**fields, "updated_at": self.now}

    def note(self, kind: str, number: int, body: str, **fields: Any) -> Json:
        """Say something of a ticket."""
        made = {
            "id": 5000 + self.number(),
            "author": {"id": 2, "username": "ken", "name": "Ken Sato"},
            "body": body,
            "system": False,
            "internal": False,
            "created_at": self.now,
            "updated_at": self.now,
            **fields,
        }
        self.notes.setdefault((kind, number), []).append(made)
        count = sum(not each["system"] for each in self.notes[kind, number])
        self.edit(kind, number, user_notes_count=count)
        return made

    def _open(
        self, rows: dict[int, Json], title: str, description: str | None, more: Json
    ) -> int:
        number = max(rows, default=0) + 1
        rows[number] = {
            "id": 1000 + self.number(),
            "iid": number,
            "title": title,
            "description": description,
            "state": "opened",
            "author": {"id": 1, "username": "aoi", "name": "Aoi Tanaka"},
            "labels": [],
            "assignees": [],
            "milestone": None,
            "user_notes_count": 0,
            "created_at": self.now,
            "updated_at": self.now,
            **more,
        }
        return number

    # -- answering ----------------------------------------------------------------

    def reply(self, path: str, headers: dict[str, str]) -> Reply:
        """Return what the server answers without a fault."""
        parts = urlsplit(path)
        told = headers.get("authorization", "")
        if told != f"Bearer {TOKEN}" and not (self.is_public and not told):
            return 401, {"message": "401 Unauthorized"}, {}
        asked = parse_qs(parts.query)
        _, _, rest = parts.path.partition("/api/v4/projects/")
        key, _, name = rest.partition("/")
        if unquote(key) != self.key:
            return 404, {"message": "404 Project Not Found"}, {}
        if not name:
            return 200, self._project(), {}
        return self._of_project(name, parts.path, asked, headers)

    def _project(self) -> Json:
        levels = {
            f"{kind}_access_level": level for kind, level in self.features.items()
        }
        return {"id": 1, "path_with_namespace": self.key, **levels}

    def _of_project(
        self, name: str, path: str, asked: dict[str, list[str]], headers: dict[str, str]
    ) -> Reply:
        kind, _, rest = name.partition("/")
        if kind in self.hidden or self.features.get(kind) == "disabled":
            return 403, {"message": "403 Forbidden"}, {}
        one = {key: values[0] for key, values in asked.items()}
        if not rest:
            found = self._listed(kind, asked)
            made = part_of(found, path, one, headers, most=self.most)
            return *made[:2], {**made[2], "X-Total": str(len(found))}
        number = int(rest.partition("/")[0])
        if number not in getattr(self, kind):
            return 404, {"message": "404 Not found"}, {}
        notes = self.notes.get((kind, number), [])
        return part_of(notes, path, one, headers, most=self.most)

    def _listed(self, kind: str, asked: dict[str, list[str]]) -> list[Json]:
        assert (asked["scope"], asked["state"]) == (["all"], ["all"])
        found = list(getattr(self, kind).values())
        if "iids[]" in asked:
            wanted = set(map(int, asked["iids[]"]))
            found = [each for each in found if each["iid"] in wanted]
        if "updated_after" in asked:
            since = datetime.fromisoformat(asked["updated_after"][0])
            found = [
                e for e in found if datetime.fromisoformat(e["updated_at"]) >= since
            ]
        found.sort(key=lambda each: str(each["updated_at"]))
        return found

    def kinds_of_requests(self) -> Counter[str]:
        """Return how often each path was asked for, below the project."""
        paths = (unquote(urlsplit(each).path) for each in self.requests)
        return Counter(path.partition(self.key)[2].strip("/") for path in paths)


@contextmanager
def serving(lab: Lab, *, prefix: str = "") -> Iterator[str]:
    """Serve a project; yield its address in the browser."""
    with serving_app(lab, prefix=prefix) as url:
        yield f"{url}/{lab.key}"


def fill(lab: Lab, count: int, text: str = "") -> None:
    """Add tickets, four of them a minute: every third one a merge request, notes."""
    for number in range(count):
        kind = "issues" if number % 3 else "merge_requests"
        add = lab.issue if number % 3 else lab.merge_request
        made = add(f"Ticket {number}", f"About part {number}. {text}")
        if number % 2:
            lab.note(kind, made, f"Seen in part {number}.")
        lab.clock += timedelta(seconds=15)
