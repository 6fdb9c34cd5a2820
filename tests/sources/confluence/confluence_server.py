"""Confluence on loopback, as far as its REST documentation goes.

Written from the published schemas of Cloud (v1 search with cursors, v2 spaces) and Data
Center (search with offsets): answers have the limits that are documented, 50 results
with bodies and 200 with other expansions. Pages are held as the API shows them.
"""

from __future__ import annotations

import base64
import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from tests.sources.pages.api_app import Reply, serving_app

TOKEN = "t-0123456789-secret"
E_MAIL = "reader@example.com"
SEARCH = "/rest/api/content/search"
Fault = Callable[["Wiki", str], Reply | None]


class Wiki:
    """One space and what is in it. clock: the server's, maybe hours away from ours."""

    def __init__(self, *, is_cloud: bool = False, key: str = "ENG") -> None:
        self.is_cloud, self.key = is_cloud, key
        self.name, self.home_id = "Engineering", "1"
        self.clock = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
        self.content: dict[str, dict[str, Any]] = {}
        self.files: dict[str, bytes] = {}
        self.requests: list[str] = []
        self.faults: list[Fault] = []
        self.lock = threading.Lock()
        self._number = 1_000
        self._found: dict[str, list[str]] = {}

    # -- writing ----------------------------------------------------------------

    def page(self, title: str, body: str = "<p>Text</p>", **options: Any) -> str:
        """Add a page. parent: its id; kind, labels, author, page_id."""
        self._number += 1
        page_id = options.get("page_id") or str(self._number)
        now = self.clock.isoformat().replace("+00:00", "Z")
        author = {"displayName": options.get("author", "Aoi Tanaka")}
        self.content[page_id] = {
            "id": page_id,
            "type": options.get("kind", "page"),
            "status": "current",
            "title": title,
            "_parent": options.get("parent", ""),
            "_restricted": False,
            "body": {"storage": {"value": body, "representation": "storage"}},
            "version": {"number": 1, "when": now, "by": author},
            "history": {"createdDate": now, "createdBy": author},
            "metadata": {"labels": labels(options.get("labels", ()))},
            "_links": {"webui": f"/spaces/{self.key}/pages/{page_id}/{quote(title)}"},
        }
        return page_id

    def attach(
        self, page_id: str, name: str, data: bytes, media: str = "text/plain"
    ) -> str:
        """Attach a file to a page."""
        made = self.page(name, kind="attachment")
        file_id = f"att{made}" if self.is_cloud else made
        entry = self.content.pop(made)
        path = f"/download/attachments/{page_id}/{quote(name)}?version=1"
        entry |= {"id": file_id, "_container": page_id}
        entry["extensions"] = {"mediaType": media, "fileSize": len(data)}
        entry["_links"] = {"download": path}
        self.content[file_id] = entry
        self.files[path.partition("?")[0]] = data
        return file_id

    def comment(self, page_id: str, body: str, author: str = "Ken Sato") -> str:
        """Comment on a page."""
        made = self.page("Re:", body, kind="comment", author=author)
        self.content[made]["_container"] = page_id
        return made

    def edit(self, page_id: str, body: str = "", *, title: str = "") -> None:
        """Write a new version."""
        entry = self.content[page_id]
        entry["version"] = entry["version"] | {
            "number": entry["version"]["number"] + 1,
            "when": self.clock.isoformat(),
        }
        if body:
            entry["body"]["storage"]["value"] = body
        if title:
            entry["title"] = title

    def delete(self, page_id: str) -> None:
        """Put something into the trash: no search finds it."""
        del self.content[page_id]

    # -- reading ----------------------------------------------------------------

    def find(self, cql: str) -> list[str]:
        """Return the ids that a query finds, for the clauses that we use."""
        space = re.search(r'space in \("([^"]*)"\)', cql)
        if space and space[1] != self.key:
            return []
        chosen: Iterable[str] = self.content
        ids = re.search(r"\bid in \(([^)]*)\)", cql)
        if ids:
            chosen = [each for each in ids[1].split(",") if each in self.content]
        tests = [test for test in self._tests(cql) if test]
        found = [i for i in chosen if all(test(self.content[i]) for test in tests)]
        if "order by created" in cql:
            found.sort(key=lambda each: self.content[each]["history"]["createdDate"])
        return found

    def _tests(self, cql: str) -> Iterator[Callable[[dict[str, Any]], bool] | None]:
        kinds = re.search(r"type (?:in \(([^)]*)\)|= (\w+))", cql)
        if kinds:
            wanted = {each.strip() for each in (kinds[1] or kinds[2]).split(",")}
            yield lambda entry: entry["type"] in wanted
        containers = re.search(r"container in \(([^)]*)\)", cql)
        if containers:
            within = set(containers[1].split(","))
            yield lambda entry: entry.get("_container") in within
        above = re.search(r"ancestor in \(([^)]*)\)", cql)
        if above:
            roots = set(above[1].split(","))
            yield lambda entry: not roots.isdisjoint(self._above(entry))
        titles = re.search(r"title in \((.*)\)$", cql)
        if titles:
            named = set(json.loads(f"[{titles[1]}]"))
            yield lambda entry: entry["title"] in named
        since = re.search(r'lastmodified >= now\("-(\d+)m"\)', cql)
        if since:
            then = self.clock - timedelta(minutes=int(since[1]))
            yield lambda entry: _time(entry["version"]["when"]) >= then

    def _above(self, entry: dict[str, Any]) -> list[str]:
        found: list[str] = []
        parent = entry["_parent"]
        while parent in self.content and parent not in found:
            found.insert(0, parent)
            parent = self.content[parent]["_parent"]
        return found

    def shown(self, content_id: str, expand: str) -> dict[str, Any]:
        """Return an entry with what was asked to be expanded."""
        entry = self.content[content_id]
        asked = set(expand.split(","))
        basic = ("id", "type", "status", "title", "_links", "extensions")
        found = {key: entry[key] for key in basic if key in entry}
        for name in ("version", "history", "metadata"):
            if name in {each.partition(".")[0] for each in asked}:
                found[name] = entry[name]
        if "body.storage" in asked:
            found["body"] = entry["body"]
        if "ancestors" in asked:
            found["ancestors"] = [
                {"id": each, "type": "page", "title": self.content[each]["title"]}
                for each in self._above(entry)
            ]
        if "container" in asked and "_container" in entry:
            found["container"] = {"id": entry["_container"], "type": "page"}
        if "restrictions.read.restrictions.user" in asked:
            found["restrictions"] = _restrictions(entry["_restricted"])
        return found

    # -- answering --------------------------------------------------------------

    def answer(self, path: str, headers: dict[str, str], body: bytes = b"") -> Reply:
        """Return status, body and headers for a request."""
        del body
        with self.lock:
            self.requests.append(path)
            for fault in self.faults:
                if reply := fault(self, path):
                    return reply
            if headers.get("authorization") not in self._signatures():
                return 401, {"message": "Client must be authenticated"}, {}
            return self._route(path)

    def _signatures(self) -> set[str]:
        basic = base64.b64encode(f"{E_MAIL}:{TOKEN}".encode()).decode()
        return {f"Basic {basic}"} if self.is_cloud else {f"Bearer {TOKEN}"}

    def _route(self, path: str) -> Reply:
        parts = urlsplit(path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == SEARCH:
            found = self.find(asked["cql"]) if "cursor" not in asked else []
            return self._results(parts.path, asked, found)
        if parts.path == f"/rest/api/space/{self.key}" and not self.is_cloud:
            home = {"homepage": {"id": self.home_id}} if self.home_id else {}
            return 200, {"key": self.key, "name": self.name, **home}, {}
        if parts.path == "/api/v2/spaces" and self.is_cloud:
            space = {"key": self.key, "name": self.name, "homepageId": self.home_id}
            return 200, {"results": [space] if asked["keys"] == self.key else []}, {}
        if of := re.fullmatch(r"/rest/api/content/(\w+)/child/comment", parts.path):
            found = [i for i, e in self.content.items() if e.get("_container") == of[1]]
            found = [i for i in found if self.content[i]["type"] == "comment"]
            return self._results(parts.path, asked, found)
        if parts.path in self.files:
            return 200, self.files[parts.path], {}
        return 404, {"statusCode": 404, "message": "Not found"}, {}

    def _results(self, path: str, asked: dict[str, str], found: list[str]) -> Reply:
        expand, start = asked.get("expand", ""), int(asked.get("start", 0))
        most = 50 if "body" in expand else 200 if expand else 1_000
        limit = min(int(asked.get("limit", 25)), most)
        if "cursor" in asked:
            key, _, at = asked["cursor"].rpartition(":")
            # What a cursor leads to is what its search found, without what is gone.
            found, start = self._found[key], int(at)
        part = [each for each in found[start : start + limit] if each in self.content]
        more = start + limit < len(found)
        answer: dict[str, Any] = {
            "results": [self.shown(each, expand) for each in part],
            "start": start,
            "limit": limit,
            "size": len(part),
            **({} if self.is_cloud else {"totalSize": len(found)}),
            "_links": {"base": "http://localhost", "context": ""},
        }
        if more:
            following = {**asked, "limit": str(limit), "start": str(start + limit)}
            if self.is_cloud:
                key = asked.get("cursor", f"c{len(self.requests)}:0").rpartition(":")[0]
                self._found[key] = found
                del following["start"]
                following["cursor"] = f"{key}:{start + limit}"
            answer["_links"]["next"] = f"{path}?{urlencode(following)}"
        return 200, answer, {}

    def kinds_of_requests(self) -> Counter[str]:
        """Return how often each path was asked for."""
        return Counter(path.partition("?")[0] for path in self.requests)


def labels(names: Iterable[str]) -> dict[str, Any]:
    """Return labels as the API shows them."""
    return {"results": [{"prefix": "global", "name": name} for name in names]}


def _restrictions(is_restricted: bool) -> dict[str, Any]:
    users = [{"type": "known", "displayName": "Aoi"}] if is_restricted else []
    none: dict[str, Any] = {"results": [], "size": 0}
    of = {"user": {"results": users, "size": len(users)}, "group": none}
    return {"read": {"operation": "read", "restrictions": of}}


def _time(written: str) -> datetime:
    try:
        return datetime.fromisoformat(written).astimezone(UTC)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


@contextmanager
def serving(wiki: Wiki, *, prefix: str = "") -> Iterator[str]:
    """Serve a wiki below a context path; yield the address of its space."""
    with serving_app(wiki, prefix=prefix) as url:
        yield f"{url}/spaces/{wiki.key}"


def fill(wiki: Wiki, count: int, text: str = "") -> None:
    """Add a home page and a tree of pages, ten below each."""
    wiki.page("Home", page_id=wiki.home_id)
    ids = [wiki.home_id]
    for number in range(1, count):
        parent = ids[(number - 1) // 10]
        body = f"<h2>Part {number}</h2><p>About part {number}. {text}</p>"
        ids.append(wiki.page(f"Page {number}", body, parent=parent))
