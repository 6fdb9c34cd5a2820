"""Put together what happened in a product in a week.

Everybody who may read the product reads it: sources that are limited to some members
take no part, and of questions without an answer only their number is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, ngettext

from devrag.ask.api import count_unanswered
from devrag.core.page_urls import file_url, source_url, wiki_url
from devrag.core.principal import PUBLISHER
from devrag.products.models import Product
from devrag.products.wiki_settings import languages_of
from devrag.sources.models import Document, FileChange, Source
from devrag.sources.selectors import CURRENT_VERSION
from devrag.wiki.api import (
    conflicts_of,
    current_versions,
    find_stale_pages,
    outdated_of,
    shown_wiki,
)
from devrag.wiki.models import Page

WEEK = timedelta(days=7)
_MOST = 10


@dataclass(frozen=True, slots=True)
class DigestEntry:
    """A line of a section. url: of its page, absolute."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class DigestSection:
    """What happened of one kind. count: all of it; entries: the first."""

    key: str
    title: str
    count: int
    entries: tuple[DigestEntry, ...] = ()
    url: str = ""

    @property
    def hidden(self) -> int:
        """Return how much more there is than entries."""
        return max(0, self.count - len(self.entries)) if self.entries else 0


@dataclass(frozen=True, slots=True)
class Digest:
    """The digest of a week: since is its first day, until its last."""

    product: str
    title: str
    language: str
    since: date
    until: date
    url: str
    sections: tuple[DigestSection, ...]

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing to tell."""
        return not self.sections

    def as_json(self) -> dict[str, Any]:
        """Return it for programs, and as it is stored."""
        found = asdict(self)
        return {**found, "since": str(self.since), "until": str(self.until)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Digest:
        """Return what `as_json` made."""
        sections = tuple(
            DigestSection(
                **{**each, "entries": tuple(DigestEntry(**e) for e in each["entries"])}
            )
            for each in stored["sections"]
        )
        since, until = (date.fromisoformat(stored[key]) for key in ("since", "until"))
        return cls(**{**stored, "sections": sections, "since": since, "until": until})


def monday_of(moment: datetime) -> date:
    """Return the Monday of a moment's week, in UTC."""
    day = moment.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())


def build_digest(product: Product, until: datetime, language: str = "") -> Digest:
    """Return what happened in the seven days before a moment.

    language: of the texts; empty: the wiki's. Empty sections are left out.
    """
    since = until - WEEK
    language = language or languages_of(product.wiki_settings)[0]
    with translation.override(language):
        sections = tuple(
            section
            for find in (_changes, _conflicts, _outdated, _stale_pages, _unanswered)
            if (section := find(product, since, until)) is not None
        )
    return Digest(
        product=product.name,
        title=str(product),
        language=language,
        since=since.date(),
        until=(until - timedelta(seconds=1)).date(),
        url=_absolute(reverse("web:product", args=[product.name])),
        sections=sections,
    )


def _absolute(path: str) -> str:
    return f"{settings.PUBLIC_URL}{path}"


def _changes(
    product: Product, since: datetime, until: datetime
) -> DigestSection | None:
    sources = Source.objects.within_limits(PUBLISHER).filter(product=product)
    entries: list[DigestEntry] = []
    for source in sources.order_by("name"):
        if said := _change_of(source, since, until):
            url = _absolute(source_url(product.name, source.name))
            entries.append(DigestEntry(f"{source.name}: {said}", url))
    if not entries:
        return None
    title = gettext("What changed")
    return DigestSection("changes", title, len(entries), tuple(entries))


def _change_of(source: Source, since: datetime, until: datetime) -> str:
    """Return in words what changed in a source, '' for nothing."""
    if source.has_documents:
        changed = Document.objects.filter(
            file__source=source,
            file__manifests__until=None,
            file__manifests__ref__is_current=True,
            changed_at__gte=since,
            changed_at__lt=until,
        ).count()
        said = ngettext(
            "%(count)s page or ticket changed",
            "%(count)s pages and tickets changed",
            changed,
        )
        return said % {"count": changed} if changed else ""
    rows = FileChange.objects.filter(
        source=source, committed_at__gte=since, committed_at__lt=until
    )
    found = rows.aggregate(
        commits=Count("commit", distinct=True), files=Count("path", distinct=True)
    )
    if not found["commits"]:
        return ""
    commits = ngettext("%(count)s commit", "%(count)s commits", found["commits"])
    files = ngettext("%(count)s file", "%(count)s files", found["files"])
    return gettext("%(commits)s changed %(files)s") % {
        "commits": commits % {"count": found["commits"]},
        "files": files % {"count": found["files"]},
    }


def _conflicts(
    product: Product, since: datetime, until: datetime
) -> DigestSection | None:
    rows = conflicts_of(product, PUBLISHER, state="open").filter(
        found_at__gte=since, found_at__lt=until
    )
    entries = [
        DigestEntry(
            f"{row.document_path}:{row.document_start} {row.subject}",
            _file(product, row.document_source, row.document_path, row.document_start),
        )
        for row in rows[:_MOST]
    ]
    title = gettext("New conflicts between documents and code")
    return _section("conflicts", title, rows.count(), entries, product)


def _outdated(
    product: Product, since: datetime, until: datetime
) -> DigestSection | None:
    rows = outdated_of(product, PUBLISHER, state="open").filter(
        found_at__gte=since, found_at__lt=until
    )
    entries = [
        DigestEntry(
            gettext("%(document)s: %(lines)s lines of its code changed")
            % {"document": row.title or row.path, "lines": row.lines},
            _file(product, row.source, row.path),
        )
        for row in rows[:_MOST]
    ]
    title = gettext("Documents that may now be outdated")
    return _section("outdated", title, rows.count(), entries, product)


def _stale_pages(
    product: Product, since: datetime, until: datetime
) -> DigestSection | None:
    del since, until  # what is stale now, however long
    wiki = shown_wiki(product)
    if wiki is None or wiki.current_id is None:
        return None
    found = find_stale_pages(wiki.current_id, tuple(current_versions(product.pk)))
    if not found:
        return None
    pages = Page.objects.filter(version=wiki.current_id, path__in=found)
    titles = dict(pages.values_list("path", "title"))
    ordered = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    entries = [
        DigestEntry(titles.get(path, path), _absolute(wiki_url(product.name, path)))
        for path, _ in ordered[:_MOST]
    ]
    title = gettext("Wiki pages with outdated citations")
    return DigestSection("stalePages", title, len(found), tuple(entries))


def _unanswered(
    product: Product, since: datetime, until: datetime
) -> DigestSection | None:
    count = count_unanswered(product, since, until)
    title = gettext("Unanswered questions")
    return _section("unanswered", title, count, (), product)


_PAGES = {
    "conflicts": "web:conflicts",
    "outdated": "web:outdated",
    "unanswered": "web:product",
}


def _section(
    key: str, title: str, count: int, entries: Iterable[DigestEntry], product: Product
) -> DigestSection | None:
    if not count:
        return None
    url = _absolute(reverse(_PAGES[key], args=[product.name]))
    return DigestSection(key, title, count, tuple(entries), url)


def _file(product: Product, source: Source, path: str, line: int = 0) -> str:
    return _absolute(file_url(product.name, source.name, CURRENT_VERSION, path, line))
