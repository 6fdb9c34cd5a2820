"""A project of Redmine: what changed, read with as few requests as possible.

Issues come in the order of their last change, 100 in an answer, without their notes;
each that is new or changed is asked for with them. The index of the wiki, one answer,
tells the version of each page. Lists of versions, files and news are short. Once a day
all issues are listed: what was deleted or moved to another project is in no window. So
they are when there are fewer than the mirror has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from devrag.core.texts import gettext
from devrag.sources.connectors.pages.json_data import Json, list_of, text_of
from devrag.sources.connectors.pages.types import Batch, Probe, Versions
from devrag.sources.connectors.redmine.address import ProjectAddress
from devrag.sources.connectors.redmine.api import RedmineApi
from devrag.sources.connectors.redmine.choice import Choice
from devrag.sources.connectors.redmine.document import Writer
from devrag.sources.connectors.redmine.issues import IssueReader
from devrag.sources.connectors.redmine.listed import ListedItems
from devrag.sources.connectors.redmine.mark import Mark
from devrag.sources.connectors.redmine.markup import Format, format_of
from devrag.sources.connectors.redmine.wiki import WikiPages, WikiReader


class RedmineRemote:
    """One project. check_count: raises where there are too many items to read."""

    def __init__(
        self,
        address: ProjectAddress,
        api: RedmineApi,
        choice: Choice,
        check_count: Callable[[int], None],
    ) -> None:
        self._address, self._api, self._choice = address, api, choice
        self._check_count = check_count
        self._mark = Mark()
        self._listed: Versions | None = None

    def probe(self) -> Probe:
        """Ask for the project and count what would be read."""
        self._api.check_key()
        project = self._api.project()
        counts: list[tuple[str, int | None]] = []
        if _has(project, "issue_tracking"):
            counts.append(("tickets", self._api.count_issues()))
        if _has(project, "wiki"):
            counts.append(("pages", len(self._api.wiki_index())))
        counts.append(("versions", len(self._api.versions())))
        notes = () if self._choice.restricted else (_left_out(),)
        return Probe(self._name(project), tuple(counts), notes)

    def fetch(self, since: str, cursor: str, known: Versions) -> Iterator[Batch]:
        """Yield what is new; everything that is there when a listing is due."""
        del cursor  # what the mirror knows is the place to go on from
        self._listed = None
        self._api.check_key()
        project = self._api.project()
        now = self._api.server_time or datetime.now(UTC)
        mark = Mark.read(since)
        is_whole = mark.is_listing_due(now)
        usual = self._usual_format(project, mark) if is_whole else mark.usual
        writer = Writer(self._address, self._name(project), usual)
        has_wiki = _has(project, "wiki")
        pages = WikiPages(self._api.wiki_index() if has_wiki else [])
        issues = IssueReader(self._api, writer, self._choice, pages.paths(), known)
        if _has(project, "issue_tracking"):
            yield from self._issues(issues, mark, known, is_whole=is_whole)
        else:
            yield Batch(gone=known.ids_below("issue:"))
        wiki = WikiReader(self._api, writer, self._choice, pages, known)
        yield from wiki.read(is_whole=is_whole)
        listed = ListedItems(writer, self._choice, pages.paths(), known)
        yield listed.project(project)
        yield from self._lists(listed, project)
        self._listed = known if is_whole else self._listed
        at = min(filter(None, (issues.last or mark.at, now)))
        self._mark = Mark(at, now if self._listed else mark.listed, usual)

    def mark(self) -> str:
        """Return the last change that was seen, and when everything was listed."""
        return self._mark.write()

    def list_ids(self, count: int, *, is_due: bool) -> Iterator[str] | None:
        """Yield the ids that `fetch` missed though they are there, after a listing.

        Everything that it listed was read or is known. What else the mirror has is
        asked for by number: results shift when an issue is deleted meanwhile.
        """
        del count, is_due
        return None if self._listed is None else self._still_there(self._listed)

    def download(self, address: str, limit: int) -> bytes | None:
        """Return an attachment's bytes; None when it is gone or has more than limit."""
        return self._api.download(address, limit)

    def close(self) -> None:
        """Close the connection."""
        self._api.close()

    # -- parts --------------------------------------------------------------------

    def _issues(
        self, reader: IssueReader, mark: Mark, known: Versions, *, is_whole: bool
    ) -> Iterator[Batch]:
        if is_whole:
            self._check_count(self._api.count_issues() or 0)
            yield from reader.read("", is_whole=True)
            return
        yield from reader.read(mark.since(), is_whole=False)
        total = self._api.count_issues()
        if total is not None and total < _count_issues(known):
            yield from reader.read("", is_whole=False)
            self._listed = known

    def _lists(self, listed: ListedItems, project: Json) -> Iterator[Batch]:
        """Yield versions, files and news; what is not read any more is gone."""
        yield listed.versions(self._api.versions())
        has_files = self._choice.attachments and _has(project, "files")
        yield listed.files(self._api.files() if has_files else [])
        has_news = self._choice.news and _has(project, "news")
        yield listed.news(self._api.news() if has_news else [])

    def _still_there(self, known: Versions) -> Iterator[str]:
        self._api.check_key()
        unseen = known.unseen()
        numbers = [n for each in unseen if (n := _issue_number(each))]
        there = {f"issue:{number}" for number in self._api.existing(numbers)}
        yield from (each for each in unseen if each.partition("/")[0] in there)

    def _usual_format(self, project: Json, mark: Mark) -> Format:
        """Return the format of texts: as the server tells, else as most of them are."""
        told = self._api.help_page()
        if b"h1. " in told:
            return "textile"
        if b"## " in told:
            return "markdown"
        if not _has(project, "issue_tracking"):
            return mark.usual
        latest = self._api.latest_issues()
        return format_of((text_of(each, "description") for each in latest), mark.usual)

    def _name(self, project: Json) -> str:
        return text_of(project, "name") or self._address.key


def _has(project: Json, module: str) -> bool:
    """Return whether a project uses a module; a server that does not tell has all."""
    if not isinstance(project.get("enabled_modules"), list):
        return True
    names = {text_of(each, "name") for each in list_of(project, "enabled_modules")}
    return module in names


def _issue_number(item_id: str) -> int:
    kind, _, number = item_id.partition(":")
    return int(number) if kind == "issue" and number.isdecimal() else 0


def _count_issues(known: Versions) -> int:
    return sum("/" not in each for each in known.ids_below("issue:"))


def _left_out() -> str:
    return gettext("Private issues and private notes are skipped.")
