"""GitLab's REST API: the issues, merge requests and notes of one project.

source: GitLab's documentation of its REST API, version 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from devrag.core.errors import NotFound, SourceError
from devrag.core.texts import gettext
from devrag.sources.connectors.gitlab.address import ProjectAddress
from devrag.sources.connectors.pages.client import ApiClient, Params
from devrag.sources.connectors.pages.failures import AnswerTooLarge, NotAllowed
from devrag.sources.connectors.pages.json_data import Json, text_of
from devrag.sources.connectors.tickets.changes import ChangeList
from devrag.sources.connectors.tickets.progress import Progress
from devrag.sources.connectors.types import Credentials

ISSUES, MERGES = "issues", "merge_requests"
_BY_CHANGE = {
    "scope": "all",
    "state": "all",
    "order_by": "updated_at",
    "sort": "asc",
    "with_labels_details": "false",
}
_ASKED_AT_A_TIME = 50
_NOTES_AT_A_TIME = (100, 10)


def sign_in(credentials: Credentials) -> dict[str, str]:
    """Return the header that signs requests. A user name says nothing here."""
    if not credentials.secret:
        return {}
    return {"Authorization": f"Bearer {credentials.secret}"}


class GitLabApi:
    """Asks for one project. Errors are those of ApiClient."""

    def __init__(self, address: ProjectAddress, client: ApiClient) -> None:
        self._client, self._path = client, address.api_path

    @property
    def now(self) -> datetime:
        """Return the server's clock at its last answer."""
        return self._client.server_time or datetime.now(UTC)

    def project(self) -> Json:
        """Return the project, with the features that it uses."""
        found = self._client.get(self._path)
        if not isinstance(found, dict) or "path_with_namespace" not in found:
            raise SourceError(
                gettext("The server does not respond like GitLab. Check the URL.")
            )
        return found

    def changes(self, kind: str, progress: Progress) -> Iterator[list[Json]]:
        """Yield issues or merge requests that changed, the oldest change first.

        Raises SourceError, naming the feature, where the token may not list them.
        """
        path = f"{self._path}/{kind}"
        listed = ChangeList(kind, path, _BY_CHANGE, "updated_after")
        try:
            yield from listed.read(self._client, progress)
        except (NotFound, NotAllowed) as error:
            raise _not_listed(kind, error) from error

    def notes(self, kind: str, number: int, most: int) -> list[Json] | None:
        """Return what was said of a ticket, the oldest first; None when it is gone.

        most: characters; what comes after so many is left out.
        """
        for size in _NOTES_AT_A_TIME:
            try:
                return list(self._notes(kind, number, most, size))
            except AnswerTooLarge:
                continue
            except NotFound:
                return None
        return []

    def count(self, kind: str) -> int | None:
        """Return how many there are; None where the server does not tell."""
        params: Params = {"scope": "all", "state": "all", "per_page": 1}
        try:
            page = self._client.get_page(f"{self._path}/{kind}", params)
        except (NotFound, NotAllowed) as error:
            raise _not_listed(kind, error) from error
        return page.total if page else None

    def existing(self, kind: str, numbers: Sequence[int]) -> Iterator[int]:
        """Yield those of some numbers that tickets of the project have."""
        for start in range(0, len(numbers), _ASKED_AT_A_TIME):
            part = list(numbers[start : start + _ASKED_AT_A_TIME])
            params: Params = {
                "scope": "all",
                "state": "all",
                "per_page": 100,
                "iids[]": part,
            }
            page = self._client.get_page(f"{self._path}/{kind}", params)
            yield from (number_of(each) for each in (page.results if page else ()))

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _notes(self, kind: str, number: int, most: int, size: int) -> Iterator[Json]:
        params: dict[str, str | int | list[int]] = {
            "sort": "asc",
            "order_by": "created_at",
            "per_page": size,
        }
        path = f"{self._path}/{kind}/{number}/notes"
        seen: set[str] = set()
        while page := self._client.get_page(path, params):
            new = [each for each in page.results if text_of(each, "id") not in seen]
            yield from new
            seen |= {text_of(each, "id") for each in new}
            most -= sum(len(text_of(each, "body")) for each in new)
            if not page.following or not new or most < 0:
                return
            params = {**params, **page.following}


def number_of(data: Json) -> int:
    """Return the number of a ticket in its project, 0 where there is none."""
    found = data.get("iid")
    return found if isinstance(found, int) and found > 0 else 0


def _not_listed(kind: str, error: NotFound | NotAllowed) -> SourceError:
    names = {ISSUES: gettext("issues"), MERGES: gettext("merge requests")}
    return SourceError(
        gettext(
            "Cannot list the %(kind)s of the project: they are turned off, or the "
            "token's user has no access to them. %(why)s"
        )
        % {"kind": names[kind], "why": error}
    )
