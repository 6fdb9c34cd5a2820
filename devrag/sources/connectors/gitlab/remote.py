"""A project of GitLab: what changed, read with as few requests as possible.

Issues and merge requests come in the order of their last change, 100 in an answer; each
that is new or changed and of which something was said is asked for its notes. Once a
day all are listed: what was deleted is in no list of changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from devrag.core.errors import InvalidInput
from devrag.core.texts import gettext
from devrag.sources.connectors.gitlab.address import ProjectAddress
from devrag.sources.connectors.gitlab.api import ISSUES, MERGES, GitLabApi
from devrag.sources.connectors.gitlab.choice import Choice
from devrag.sources.connectors.gitlab.reader import TicketReader
from devrag.sources.connectors.pages.json_data import Json, text_of
from devrag.sources.connectors.pages.types import Batch, Probe, Versions
from devrag.sources.connectors.tickets.items import MAX_ASKED
from devrag.sources.connectors.tickets.progress import Progress

_NAMES = {ISSUES: "issues", MERGES: "merge requests"}


class GitLabRemote:
    """One project. check_count: raises where there are too many tickets to read."""

    def __init__(
        self,
        address: ProjectAddress,
        api: GitLabApi,
        choice: Choice,
        check_count: Callable[[int], None],
    ) -> None:
        self._address, self._api, self._choice = address, api, choice
        self._check_count = check_count
        self._progress = Progress()
        self._listed: Versions | None = None
        self._kinds: tuple[str, ...] = ()

    def probe(self) -> Probe:
        """Ask for the project and count what would be read."""
        project = self._project()
        counts = tuple((_NAMES[each], self._api.count(each)) for each in self._kinds)
        notes = [] if self._choice.restricted else [_left_out()]
        if ISSUES not in self._kinds:
            notes.append(gettext("Issues are turned off in this project."))
        return Probe(text_of(project, "path_with_namespace"), counts, tuple(notes))

    def fetch(self, since: str, cursor: str, known: Versions) -> Iterator[Batch]:
        """Yield what is new; everything that is there when a listing is due."""
        self._listed = None
        self._project()
        progress = self._progress = self._begin(since, cursor)
        for kind in (ISSUES, MERGES):
            if kind not in self._kinds:
                yield Batch(cursor=progress.cursor(), gone=known.ids_below(f"{kind}:"))
            elif kind not in progress.done:
                reader = TicketReader(
                    kind, self._address, self._api, self._choice, self._check_count
                )
                yield from reader.read(progress, known)
        self._listed = known if progress.is_whole else None

    def mark(self) -> str:
        """Return the last changes that were seen, and when everything was listed."""
        return self._progress.mark()

    def list_ids(self, count: int, *, is_due: bool) -> Iterator[str] | None:
        """Yield the ids that `fetch` missed though they are there, after a listing.

        Everything that it listed was read or is known. What else the mirror has is
        asked for by number: results shift when a ticket is deleted meanwhile.
        """
        del count, is_due
        return None if self._listed is None else self._still_there(self._listed)

    def download(self, address: str, limit: int) -> bytes | None:
        """Return None: files are not read."""
        del address, limit
        return None

    def close(self) -> None:
        """Close the connection."""
        self._api.close()

    # -- parts --------------------------------------------------------------------

    def _begin(self, since: str, cursor: str) -> Progress:
        before, now = Progress.resume(since, cursor), self._api.now
        is_under_way = before is not None and bool(before.done)
        if before is None or (before.is_listing_due(now) and not is_under_way):
            return Progress.begin(now, before)
        return before

    def _project(self) -> Json:
        """Return the project; raises InvalidInput where it has nothing to read."""
        project = self._api.project()
        self._kinds = tuple(each for each in (ISSUES, MERGES) if _has(project, each))
        if not self._kinds:
            raise InvalidInput(
                gettext("Issues and merge requests are turned off for %(url)s.")
                % {"url": self._address.url}
            )
        return project

    def _still_there(self, known: Versions) -> Iterator[str]:
        unseen = known.unseen()
        yield from unseen[MAX_ASKED:]
        for kind in self._kinds:
            numbers = [
                int(number)
                for each in unseen[:MAX_ASKED]
                for name, _, number in (each.partition(":"),)
                if name == kind and number.isdecimal()
            ]
            for number in self._api.existing(kind, numbers):
                yield f"{kind}:{number}"


def _has(project: Json, kind: str) -> bool:
    """Return whether a project uses a feature; one that does not tell has both."""
    level = project.get(f"{kind}_access_level")
    return level != "disabled" and project.get(f"{kind}_enabled") is not False


def _left_out() -> str:
    return gettext("Confidential issues and internal notes are skipped.")
