"""GitHub's REST API: the issues, pull requests and comments of one repository.

source: GitHub's documentation of its REST API, version 2022-11-28, which GitHub
Enterprise Server follows below `/api/v3`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from urllib.parse import quote

from devrag.core.errors import NotFound
from devrag.sources.connectors.github.address import RepositoryAddress
from devrag.sources.connectors.pages.client import ApiClient, Params
from devrag.sources.connectors.pages.failures import Gone, Moved
from devrag.sources.connectors.pages.json_data import Json, text_of
from devrag.sources.connectors.tickets.changes import AT_A_TIME, ChangeList
from devrag.sources.connectors.tickets.progress import Progress
from devrag.sources.connectors.types import Credentials
from devrag.sources.documents import read_time

ISSUES, PULLS, COMMENTS, REVIEWS = "issues", "pulls", "comments", "reviews"
_BY_CHANGE = {"sort": "updated", "direction": "asc"}
_LATEST_FIRST = {"state": "all", "sort": "updated", "direction": "desc"}
# Of the pull requests of this run; those of the last one say where it may end.
_LATEST = "latest pulls"


def sign_in(credentials: Credentials) -> dict[str, str]:
    """Return the headers of each request. A user name says nothing here."""
    headers = {
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    if credentials.secret:
        headers["Authorization"] = f"Bearer {credentials.secret}"
    return headers


class GitHubApi:
    """Asks for one repository. Errors are those of ApiClient."""

    def __init__(self, address: RepositoryAddress, client: ApiClient) -> None:
        self._client = client
        owner, name = quote(address.owner, safe=""), quote(address.name, safe="")
        self._path = f"/repos/{owner}/{name}"
        self._changes = {
            ISSUES: self._list(ISSUES, "/issues", {"state": "all"}),
            COMMENTS: self._list(COMMENTS, "/issues/comments", {}),
            REVIEWS: self._list(REVIEWS, "/pulls/comments", {}),
        }

    @property
    def now(self) -> datetime:
        """Return the server's clock at its last answer."""
        return self._client.server_time or datetime.now(UTC)

    def repository(self) -> Json:
        """Return the repository; raises where the token does not open it."""
        found = self._client.get(self._path)
        return found if isinstance(found, dict) else {}

    def changes(self, name: str, progress: Progress) -> Iterator[list[Json]]:
        """Yield what changed in a list, the oldest change first.

        Raises Gone for issues and their comments where the repository has none.
        """
        with self._turned_off():
            yield from self._changes[name].read(self._client, progress)

    def pulls(self, progress: Progress) -> Iterator[list[Json]]:
        """Yield pull requests that changed, the latest first; they know no `since`.

        One that changes meanwhile comes to the front: others come twice, none is lost.
        """
        before, following = progress.since(PULLS), progress.following.get(PULLS, {})
        newest = ""
        while True:
            tag = "" if following else progress.tag(PULLS, "")
            params: Params = {**_LATEST_FIRST, "per_page": AT_A_TIME, **following}
            page = self._client.get_page(f"{self._path}/pulls", params, tag)
            if page is None:
                newest = tag
                break
            newest = newest if following else page.etag
            yield page.results
            for each in page.results:
                progress.note(_LATEST, text_of(each, "updated_at"), self.now)
            is_last = not page.following or page.following == following
            if is_last or _reaches(page.results, before):
                break
            following = progress.following[PULLS] = dict(page.following)
        progress.tags[PULLS] = ("", newest)
        progress.finish(PULLS)
        progress.rename(_LATEST, PULLS)

    def count(self, name: str) -> int | None:
        """Return how many there are in a list; None where the server does not tell."""
        params: Params = {"state": "all", "per_page": 1}
        with self._turned_off():
            page = self._client.get_page(f"{self._path}/{name}", params)
        return page.total if page else None

    def is_there(self, number: int) -> bool:
        """Return whether the repository still has a ticket of this number."""
        try:
            self._client.get(f"{self._path}/issues/{number}")
        except (NotFound, Moved):
            return False
        return True

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    @contextmanager
    def _turned_off(self) -> Iterator[None]:
        """Raise Gone where nothing is found because issues are turned off."""
        try:
            yield
        except Gone:
            raise
        except NotFound as error:
            if self.repository().get("has_issues") is False:
                raise Gone(str(error)) from error
            raise

    def _list(self, name: str, path: str, params: dict[str, str]) -> ChangeList:
        return ChangeList(name, self._path + path, {**_BY_CHANGE, **params}, "since")


def _reaches(results: list[Json], before: str) -> bool:
    """Return whether some were changed before a time, '' for none."""
    since = read_time(before)
    times = (read_time(text_of(each, "updated_at")) for each in results)
    return since is not None and any(when and when < since for when in times)
