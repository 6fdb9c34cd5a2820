"""Redmine's REST API: one project's issues, wiki, versions, files and news.

source: Redmine's REST API in its wiki, and the views of 4.0 to 6.1 that make the
answers (`app/views/**/*.api.rsb`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from devrag.core.errors import NotFound, SourceError
from devrag.core.texts import gettext
from devrag.sources.connectors.pages.client import ApiClient, Params
from devrag.sources.connectors.pages.failures import AnswerTooLarge, NotAllowed
from devrag.sources.connectors.pages.json_data import (
    Json,
    id_of,
    list_of,
    part_of,
    text_of,
)
from devrag.sources.connectors.redmine.address import ProjectAddress
from devrag.sources.connectors.types import Credentials
from devrag.sources.documents import read_time

# What the server gives at most.
_AT_A_TIME = 100
_SMALLER = (_AT_A_TIME, 10, 1)
_OF_LISTED = "attachments,relations"
_OF_ISSUE = "journals,attachments,relations,changesets"
_MAX_HELP_BYTES = 1_000_000


def sign_in(credentials: Credentials) -> dict[str, str]:
    """Return the header that signs requests. A user name says nothing here."""
    return {"X-Redmine-API-Key": credentials.secret} if credentials.secret else {}


class RedmineApi:
    """Asks for one project. Errors are those of ApiClient."""

    def __init__(
        self, address: ProjectAddress, client: ApiClient, *, has_key: bool
    ) -> None:
        self._address, self._client, self._has_key = address, client, has_key
        self._path = f"/projects/{quote(address.key, safe='')}"

    @property
    def server_time(self) -> datetime | None:
        """Return the server's clock at its last answer."""
        return self._client.server_time

    def check_key(self) -> None:
        """Raise PermissionDenied for a key that is not accepted.

        Other requests would be answered as to anybody: a public project would seem to
        have lost what only its members see.
        """
        if self._has_key:
            self._get("/users/current.json")

    def project(self) -> Json:
        """Return the project, with the modules that it uses."""
        answer = self._get(f"{self._path}.json", {"include": "enabled_modules"})
        return _needed(answer, "project")

    # -- issues -------------------------------------------------------------------

    def issues(self, since: str = "") -> Iterator[list[Json]]:
        """Yield issues changed since a time, each once, the oldest change first.

        They are asked for by the time of the last one, not by their number: one that
        changes meanwhile goes to the end and shifts no others.
        """
        at, offset = since, 0
        seen: set[int] = set()
        previous: list[int] = []
        while True:
            answer, found = self._some_issues(at, offset)
            if answer is None:  # one that is larger than any answer that is read
                offset += 1
                continue
            ids = [id_of(each) for each in found]
            new = [each for each in found if id_of(each) not in {0, *seen}]
            if new:
                yield list({id_of(each): each for each in new}.values())
            seen.update(ids)
            if not found or (not new and ids == previous):
                return
            previous = ids
            offset += len(found)
            total = answer.get("total_count")
            if (offset >= total) if isinstance(total, int) else len(found) < _AT_A_TIME:
                return
            last = text_of(found[-1], "updated_on")
            if _is_after(last, at):
                at, offset, previous = last, 0, []

    def _some_issues(self, at: str, offset: int) -> tuple[Json | None, list[Json]]:
        """Return an answer and its issues: fewer where many are more than is read.

        None, and no issues, where a single one is.
        """
        params = self._of_project | {
            "sort": "updated_on:asc,id:asc",
            "include": _OF_LISTED,
            "offset": offset,
            **({"updated_on": f">={at}"} if at else {}),
        }
        for limit in _SMALLER:
            try:
                answer = self._get("/issues.json", {**params, "limit": limit})
            except AnswerTooLarge:
                continue
            return answer, _needed_list(answer, "issues")
        return None, []

    @property
    def _of_project(self) -> dict[str, str | int]:
        return {
            "project_id": self._address.key,
            "subproject_id": "!*",
            "status_id": "*",
        }

    def issue(self, number: int) -> Json | None:
        """Return an issue with its notes; None when it is gone or not shown."""
        params = {"include": _OF_ISSUE}
        return self._shown(f"/issues/{number}.json", "issue", params)

    def existing(self, numbers: Sequence[int]) -> Iterator[int]:
        """Yield those of some issues that are in the project."""
        for start in range(0, len(numbers), _AT_A_TIME):
            part = ",".join(map(str, numbers[start : start + _AT_A_TIME]))
            params = {**self._of_project, "issue_id": part, "limit": _AT_A_TIME}
            answer = self._get("/issues.json", params)
            yield from map(id_of, _needed_list(answer, "issues"))

    def count_issues(self) -> int | None:
        """Return how many issues there are; None where the server does not tell."""
        answer = self._get("/issues.json", {**self._of_project, "limit": 1})
        total = answer.get("total_count")
        return total if isinstance(total, int) else None

    def latest_issues(self) -> list[Json]:
        """Return the issues that changed last."""
        params = {**self._of_project, "sort": "updated_on:desc", "limit": _AT_A_TIME}
        try:
            return _needed_list(self._get("/issues.json", params), "issues")
        except AnswerTooLarge:
            return []

    def closed_statuses(self) -> frozenset[int]:
        """Return the statuses that close; Redmine 4 does not tell it of an issue."""
        answer = self._get("/issue_statuses.json")
        found = list_of(answer, "issue_statuses")
        return frozenset(id_of(each) for each in found if each.get("is_closed"))

    # -- the rest -----------------------------------------------------------------

    def wiki_index(self) -> list[Json]:
        """Return title, parent and version of all pages."""
        return self._listed(f"{self._path}/wiki/index.json", "wiki_pages")

    def wiki_page(self, title: str) -> Json | None:
        """Return a page with its text; None when it is gone or not shown."""
        path = f"{self._path}/wiki/{quote(title, safe='')}.json"
        return self._shown(path, "wiki_page", {"include": "attachments"})

    def versions(self) -> list[Json]:
        """Return the versions of the project, those of others that it shares too."""
        return self._listed(f"{self._path}/versions.json", "versions")

    def files(self) -> list[Json]:
        """Return the files that are offered for download."""
        return self._listed(f"{self._path}/files.json", "files")

    def news(self) -> list[Json]:
        """Return the news of the project."""
        found: dict[int, Json] = {}
        while True:
            params = {"limit": _AT_A_TIME, "offset": len(found)}
            part = self._listed(f"{self._path}/news.json", "news", params)
            before = len(found)
            found |= {id_of(each): each for each in part}
            if len(part) < _AT_A_TIME or len(found) == before:
                return list(found.values())

    def help_page(self) -> bytes:
        """Return the help for the format of texts; Redmine 6 has it without a key."""
        return self._client.download("/help/wiki_syntax", _MAX_HELP_BYTES) or b""

    def download(self, address: str, limit: int) -> bytes | None:
        """Return an attachment's bytes, as ApiClient does."""
        return self._client.download(address, limit)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _listed(self, path: str, name: str, params: Params | None = None) -> list[Json]:
        """Return a list; an empty one where the user may not see that part."""
        try:
            return _needed_list(self._get(path, params), name)
        except (NotFound, NotAllowed):
            return []

    def _shown(self, path: str, name: str, params: Params) -> Json | None:
        try:
            return _needed(self._get(path, params), name)
        except (NotFound, NotAllowed):
            return None

    def _get(self, path: str, params: Params | None = None) -> Json:
        found: Any = self._client.get(path, params)
        return found if isinstance(found, dict) else {}


def _is_after(written: str, at: str) -> bool:
    """Return whether a time is one, and later than another."""
    when, before = read_time(written), read_time(at)
    return when is not None and (before is None or when > before)


def _needed(answer: Json, name: str) -> Json:
    found = part_of(answer, name)
    if not found:
        raise _not_redmine(name)
    return found


def _needed_list(answer: Json, name: str) -> list[Json]:
    if not isinstance(answer.get(name), list):
        raise _not_redmine(name)
    return list_of(answer, name)


def _not_redmine(name: str) -> SourceError:
    return SourceError(
        gettext(
            "The server does not respond like Redmine: '%(name)s' is missing. Check "
            "the URL."
        )
        % {"name": name}
    )
