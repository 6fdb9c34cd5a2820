"""Two versions of a wiki: which pages differ, and what changed on one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.core.line_breaks import with_code
from devrag.jobs.models import Job, JobState
from devrag.wiki.api import (
    CITATION,
    ChangedPiece,
    PageDifference,
    Row,
    RowGroup,
    SentenceChange,
    TextPiece,
    compare_sentences,
    compare_words,
    diff_versions,
    fold,
    pair,
    version_before,
)
from devrag.wiki.models import Page, Version

VIEWS = ("changes", "source")


@dataclass(frozen=True, slots=True)
class DifferentPage:
    """A page that differs, and where both sides stand beside each other."""

    difference: PageDifference
    url: str


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A sentence of a page. html: safe. label: what became of it, '' if nothing.

    of: kind of its block, as sentences have.
    """

    kind: str
    label: str
    of: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class ChangeRun:
    """Sentences that follow each other. is_folded: unchanged, far from any change.

    is_diagram: the changed lines of a diagram's source, which few want to read.
    """

    is_folded: bool
    is_diagram: bool
    changes: tuple[ShownChange, ...]


@dataclass(frozen=True, slots=True)
class ChangedSection:
    """What changed below one heading."""

    heading: str
    runs: tuple[ChangeRun, ...]


@dataclass(frozen=True, slots=True)
class PageComparison:
    """A page of two versions. views: name → address.

    sections: of the view of changes. parts: of the source, rows of safe HTML. counts:
    added, removed and reworded sentences.
    """

    title: str
    path: str
    view: str
    views: dict[str, str]
    sections: tuple[ChangedSection, ...] = ()
    parts: tuple[RowGroup[SafeString], ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_same(self) -> bool:
        is_source = all(row.kind == "same" for part in self.parts for row in part.rows)
        return is_source and not self.sections


def compare_url(before: Version, after: Version, page: str = "", view: str = "") -> str:
    """Return where two versions are compared, or a page of both."""
    given = {"from": before.number, "to": after.number, "page": page, "view": view}
    wiki = after.wiki
    given |= {"language": wiki.language}
    query = urlencode({name: value for name, value in given.items() if value})
    return f"{reverse('web:wiki_compare', args=[wiki.product.name])}?{query}"


def find_difference(job: Job) -> str:
    """Return where the wiki that a job wrote is compared with the version before.

    '' of other jobs, and of a first version. Queries: 2, 0 of other jobs.
    """
    if job.kind != "wiki" or job.state != JobState.COMPLETED:
        return ""
    product, run = job.product_id, str(job.pk)
    written = Version.objects.filter(wiki__product=product, report__run=run)
    # The main language is published first.
    version = written.select_related("wiki__product").order_by("pk").first()
    before = version_before(version) if version else None
    return compare_url(before, version) if version and before else ""


def list_differences(before: Version, after: Version) -> list[DifferentPage]:
    """Return the pages that differ. Queries: 2."""
    return [
        DifferentPage(each, compare_url(before, after, each.path))
        for each in diff_versions(before, after)
    ]


def compare_page(
    before: Version, after: Version, path: str, view: str
) -> PageComparison:
    """Return what changed on a page, by sentences or in its source. Queries: 2."""
    old = before.pages.filter(path=path).first()
    new = after.pages.filter(path=path).first()
    shown = new or old
    if shown is None:
        raise NotFound(
            gettext("Neither version has the page “%(page)s”.") % {"page": path}
        )
    chosen = view if view in VIEWS else VIEWS[0]
    views = {each: compare_url(before, after, path, each) for each in VIEWS}
    page = PageComparison(shown.title, path, chosen, views)
    if chosen == "source":
        return replace(page, parts=tuple(_source(old, new)))
    changes = compare_sentences(*(p.markdown if p else "" for p in (old, new)))
    return replace(
        page,
        sections=tuple(_sections(changes)),
        counts=Counter(each.kind for each in changes),
    )


def _sections(changes: Sequence[SentenceChange]) -> Iterator[ChangedSection]:
    """Yield the sections in which something changed."""
    for heading, run in groupby(changes, lambda each: each.section):
        own = [e for e in run if (e.of, e.kind) != ("heading", "same")]
        if any(each.kind != "same" for each in own):
            yield ChangedSection(heading, tuple(_runs(own)))


def _runs(changes: Sequence[SentenceChange]) -> Iterator[ChangeRun]:
    """Put aside what did not change, but the sentences beside a change."""
    near = {
        place + step
        for place, each in enumerate(changes)
        if each.kind != "same"
        for step in (-1, 0, 1)
    }
    places = ((place not in near, each) for place, each in enumerate(changes))
    by_kind = groupby(places, lambda each: (each[0], each[1].of == "diagram"))
    for (is_far, is_diagram), run in by_kind:
        own = [each for _, each in run]
        if is_diagram:
            own = [each for each in own if each.kind != "same"]
        if own:
            yield ChangeRun(is_far, is_diagram, tuple(map(_show, own)))


def _show(change: SentenceChange) -> ShownChange:
    labels = {
        "added": gettext("Added"),
        "removed": gettext("Removed"),
        "reworded": gettext("Reworded"),
    }
    html = "".join(map(_piece, change.pieces))
    label = labels.get(change.kind, "")
    marked = mark_safe(html)  # noqa: S308 - escaped below
    return ShownChange(change.kind, label, change.of, marked)


def _piece(piece: ChangedPiece) -> str:
    tag = {"added": "ins", "removed": "del"}.get(piece.kind)
    html = with_code(piece.text)
    return f"<{tag}>{html}</{tag}>" if tag else html


def _source(old: Page | None, new: Page | None) -> Iterator[RowGroup[SafeString]]:
    for part in fold(pair(_lines(old), _lines(new))):
        yield RowGroup(part.is_folded, tuple(map(_line, part.rows)))


def _lines(page: Page | None) -> Sequence[str]:
    return CITATION.sub("", page.markdown).splitlines() if page else []


def _line(row: Row[str]) -> Row[SafeString]:
    if row.kind != "changed" or row.before is None or row.after is None:
        return Row(row.kind, _escaped(row.before), _escaped(row.after))
    left, right = compare_words(row.before, row.after)
    return Row(row.kind, _marked(left, "del"), _marked(right, "ins"))


def _escaped(line: str | None) -> SafeString | None:
    return None if line is None else escape(line)


def _marked(pieces: Iterable[TextPiece], tag: str) -> SafeString:
    html = "".join(
        f"<{tag}>{escape(piece.text)}</{tag}>"
        if piece.is_marked
        else escape(piece.text)
        for piece in pieces
    )
    return mark_safe(html)  # noqa: S308 - escaped above
