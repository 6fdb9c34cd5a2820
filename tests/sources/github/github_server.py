"""GitHub on loopback, as far as the documentation of its REST API goes.

Written from the documentation of version 2022-11-28: lists have 100 results at most,
issues and pull requests have one row of numbers, `since` includes its time, times have
whole seconds. Everything is held as the API has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.sources.pages.api_app import Reply, serving_app
from tests.sources.pages.faulty_server import FaultyServer
from tests.sources.tickets.listing import Json, part_of

TOKEN = "github_pat_0123456789abcdef"
_LISTS = {
    "issues": "issues",
    "issues/comments": "comments",
    "pulls": "pulls",
    "pulls/comments": "reviews",
}


class Hub(FaultyServer):
    """One repository behind an API.

    most: results in an answer. has_issues: whether they are turned on. turned_off: the
    status of what is asked of them where they are not. moved: numbers of issues that
    are in another repository now.
    """

    def __init__(self, *, key: str = "acme/shop", most: int = 100) -> None:
        super().__init__()
        self.key, self.most, self.has_issues, self.is_public = key, most, True, False
        self.turned_off = 410
        self.issues: dict[int, Json] = {}
        self.pulls: dict[int, Json] = {}
        self.comments: dict[int, Json] = {}
        self.reviews: dict[int, Json] = {}
        self.moved: set[int] = set()
        self._number = 0

    # -- writing ------------------------------------------------------------------

    def number(self) -> int:
        self._number += 1
        return self._number

    def issue(self, title: str, body: str | None = "Text", **fields: Any) -> int:
        """Open an issue. fields: as the API has them."""
        number = self.number()
        self.issues[number] = {
            **self._ticket(number, title, body),
            "comments": 0,
            "state_reason": None,
            **fields,
        }
        return number

    def pull(self, title: str, body: str | None = "Text", **fields: Any) -> int:
        """Open a pull request: it is an issue as well."""
        number = self.issue(title, body, pull_request={"merged_at": None}, draft=False)
        self.pulls[number] = {
            **self._ticket(number, title, body),
            "draft": False,
            "merged_at": None,
            "merge_commit_sha": "f" * 40,
            "requested_reviewers": [],
            "head": {"label": "acme:feature", "ref": "feature", "sha": "a" * 40},
            "base": {"label": "acme:main", "ref": "main", "sha": "b" * 40},
            **fields,
        }
        return number

    def merge(self, number: int, commit: str) -> None:
        """Merge a pull request."""
        self.edit(number, state="closed", pull_request={"merged_at": self.now})
        self.pulls[number] |= {"merged_at": self.now, "merge_commit_sha": commit}

    def edit(self, number: int, **fields: Any) -> None:
        """Change an issue or pull request."""
        self.issues[number] |= {**fields, "updated_at": self.now}
        if number in self.pulls:
            self.pulls[number] |= {**fields, "updated_at": self.now}

    def comment(self, number: int, text: str, author: str = "ken", **more: Any) -> int:
        """Say something of an issue or pull request."""
        made = self._comment(text, author)
        made["issue_url"] = f"https://api.github.com/repos/{self.key}/issues/{number}"
        self.comments[made["id"]] = made | more
        self.edit(number)
        return int(made["id"])

    def review(self, number: int, text: str, **fields: Any) -> int:
        """Say something of a line that a pull request changes."""
        made = self._comment(text, "mio") | {"path": "src/pay.py", "line": 12}
        url = f"https://api.github.com/repos/{self.key}/pulls/{number}"
        self.reviews[made["id"]] = {**made, "pull_request_url": url, **fields}
        self.edit(number)
        return int(made["id"])

    def delete(self, number: int) -> None:
        """Delete an issue with all that was said of it."""
        del self.issues[number]
        gone = [
            i for i, c in self.comments.items() if c["issue_url"].endswith(f"/{number}")
        ]
        for each in gone:
            del self.comments[each]

    def _ticket(self, number: int, title: str, body: str | None) -> Json:
        return {
            "id": 1000 + number,
            "number": number,
            "title": title,
            "body": body,
            "user": {"login": "aoi"},
            "state": "open",
            "labels": [],
            "assignees": [],
            "milestone": None,
            "created_at": self.now,
            "updated_at": self.now,
            "closed_at": None,
        }

    def _comment(self, text: str, author: str) -> Json:
        return {
            "id": 5000 + self.number(),
            "user": {"login": author},
            "body": text,
            "created_at": self.now,
            "updated_at": self.now,
        }

    # -- answering ----------------------------------------------------------------

    def reply(self, path: str, headers: dict[str, str]) -> Reply:
        """Return what the server answers without a fault."""
        parts = urlsplit(path)
        told = headers.get("authorization", "")
        if told != f"Bearer {TOKEN}" and not (self.is_public and not told):
            return 401, {"message": "Bad credentials"}, {}
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        head, _, rest = unquote(parts.path).partition(f"/api/v3/repos/{self.key}")
        if head or parts.path == head:
            return 404, {"message": "Not Found"}, {}
        return self._of_repository(rest.strip("/"), parts.path, asked, headers)

    def _of_repository(
        self, name: str, path: str, asked: dict[str, str], headers: dict[str, str]
    ) -> Reply:
        if not name:
            return 200, {"full_name": self.key, "has_issues": self.has_issues}, {}
        if name.startswith("issues") and not self.has_issues:
            return (
                self.turned_off,
                {"message": "Issues has been disabled in this repository."},
                {},
            )
        if name in _LISTS:
            found = self._listed(_LISTS[name], asked)
            return part_of(found, path, asked, headers, most=self.most)
        number = int(name.rpartition("/")[2])
        if number in self.moved:
            return 301, {"message": "Moved Permanently"}, {"Location": "https://x.y/z"}
        if number in self.issues:
            return 200, self.issues[number], {}
        return 410, {"message": "This issue was deleted"}, {}

    def _listed(self, kind: str, asked: dict[str, str]) -> list[Json]:
        rows: dict[int, Json] = getattr(self, kind)
        found = [each for each in rows.values() if each.get("number") not in self.moved]
        if kind in {"issues", "pulls"}:
            assert asked["state"] == "all"
        if "since" in asked and kind != "pulls":
            found = [each for each in found if each["updated_at"] >= asked["since"]]
        is_reverse = asked.get("direction") == "desc"
        found.sort(key=lambda each: str(each["updated_at"]), reverse=is_reverse)
        return found

    def kinds_of_requests(self) -> Counter[str]:
        """Return how often each path was asked for, below the repository."""
        paths = (urlsplit(each).path for each in self.requests)
        return Counter(path.partition(self.key)[2].strip("/") for path in paths)


@contextmanager
def serving(hub: Hub) -> Iterator[str]:
    """Serve a repository; yield its address in the browser."""
    with serving_app(hub) as url:
        yield f"{url}/{hub.key}"


def fill(hub: Hub, count: int, text: str = "") -> None:
    """Add tickets, four of them a minute: every third one a pull request, comments."""
    for number in range(count):
        add = hub.issue if number % 3 else hub.pull
        made = add(f"Ticket {number}", f"About part {number}. {text}")
        if number % 2:
            hub.comment(made, f"Seen in part {number}.")
        if not number % 6:
            hub.review(made, f"Why part {number}?")
        hub.clock += timedelta(seconds=15)
