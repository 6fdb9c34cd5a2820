"""The kept versions of a wiki: when, why, by whom, and what each changed."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from devrag.core.page_urls import old_wiki_url, wiki_url
from devrag.jobs.api import describe_seconds
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.web.pages.version_reasons import name_of_gate, reason_of_page
from devrag.web.pages.wiki_difference import compare_url
from devrag.web.pages.wiki_notes import NoteView, see_notes
from devrag.wiki.api import (
    WORDINGS,
    find_readable_wiki,
    find_version,
    is_held,
    open_feedback,
    orphaned_notes,
    prefix_of,
    version_before,
    versions_of,
)
from devrag.wiki.models import Version, Wiki

_CHANGES = ("added", "rewritten", "reused", "removed")


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A version in the list. who: who asked for it, '' when nobody did.

    before_url: what it changed against the version before; '' for the oldest.
    """

    version: Version
    is_shown: bool
    counts: Mapping[str, int]
    who: str
    url: str
    read_url: str
    before_url: str


@dataclass(frozen=True, slots=True)
class OtherLanguage:
    code: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class VersionsPage:
    """wiki_url: its front page. is_held: readers see an older version."""

    wiki: Wiki
    wiki_url: str
    lines: tuple[VersionLine, ...]
    languages: tuple[OtherLanguage, ...]
    orphans: tuple[NoteView, ...]
    is_held: bool
    doubts: int


@dataclass(frozen=True, slots=True)
class PageChange:
    """A page that a run touched. why: sentences in the reader's language."""

    title: str
    path: str
    url: str
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VersionPage:
    """One version with its report. cut: what gates took out, page by page."""

    line: VersionLine
    duration: str
    changes: tuple[tuple[str, tuple[PageChange, ...]], ...]
    reused: int
    cut: tuple[tuple[str, tuple[Mapping[str, Any], ...]], ...]
    gates: tuple[tuple[str, int], ...]
    warnings: tuple[str, ...]
    unfinished: tuple[str, ...]
    sources: tuple[tuple[str, str, str], ...]


def get_versions(product: Product, language: str) -> VersionsPage:
    """Return the kept versions of a wiki, newest first. Queries: 6."""
    wiki, wikis = find_readable_wiki(product, language)
    versions = list(versions_of(product, wiki.language))
    asked = _who_asked(versions)
    older: list[Version | None] = [*versions[1:], None]
    return VersionsPage(
        wiki=wiki,
        wiki_url=wiki_url(product.name, prefix_of(wiki, wikis) + "index.md"),
        lines=tuple(
            _line(version, before, wiki, asked)
            for version, before in zip(versions, older, strict=True)
        ),
        languages=tuple(
            OtherLanguage(
                each.language,
                WORDINGS[each.language].name,
                versions_url(product, each.language),
            )
            for each in wikis
            if len(wikis) > 1
        ),
        orphans=see_notes(orphaned_notes(wiki)),
        is_held=is_held(wiki),
        doubts=open_feedback([wiki]).count(),
    )


def get_version(product: Product, number: int, language: str) -> VersionPage:
    """Return a version with its report. Queries: 6."""
    wiki, _ = find_readable_wiki(product, language)
    version = find_version(product, number, wiki.language)
    before = version_before(version)
    titles = dict(version.pages.values_list("path", "title"))
    if before is not None:
        titles = dict(before.pages.values_list("path", "title")) | titles
    report: Mapping[str, Any] = version.report
    cut: dict[str, list[Mapping[str, Any]]] = {}
    for finding in report.get("cut", ()):
        title = titles.get(finding["page"], finding["page"])
        named = {**finding, "gate": name_of_gate(finding["gate"])}
        cut.setdefault(title, []).append(named)
    gates = Counter(finding["gate"] for finding in report.get("cut", ()))
    return VersionPage(
        line=_line(version, before, wiki, _who_asked([version])),
        duration=describe_seconds(version.duration_seconds),
        changes=tuple(
            (kind, _changes(report, kind, titles, before, version))
            for kind in _CHANGES
            if kind != "reused" and report.get(kind)
        ),
        reused=len(report.get("reused", ())),
        cut=tuple((title, tuple(found)) for title, found in cut.items()),
        gates=tuple((name_of_gate(gate), n) for gate, n in gates.most_common()),
        warnings=tuple(report.get("warnings", ())),
        unfinished=tuple(titles.get(p, p) for p in report.get("unfinished", ())),
        sources=tuple(
            (name, str(at.get("ref") or ""), str(at.get("commit") or ""))
            for name, at in sorted(version.sources.items())
        ),
    )


def versions_url(product: Product, language: str = "") -> str:
    """Return the address of the list of versions."""
    url = reverse("web:wiki_versions", args=[product.name])
    return f"{url}?language={language}" if language else url


def _line(
    version: Version, before: Version | None, wiki: Wiki, asked: Mapping[str, str]
) -> VersionLine:
    name = wiki.product.name
    url = reverse("web:wiki_version", args=[name, version.number])
    return VersionLine(
        version=version,
        is_shown=version.pk == wiki.current_id,
        counts={kind: len(version.report.get(kind, ())) for kind in _CHANGES},
        who=asked.get(str(version.report.get("run")), ""),
        url=f"{url}?language={wiki.language}",
        read_url=old_wiki_url(name, version.number, wiki.language, "index.md"),
        before_url=compare_url(before, version) if before else "",
    )


def _who_asked(versions: Iterable[Version]) -> dict[str, str]:
    runs = [version.report.get("run") for version in versions]
    known = [uuid.UUID(run) for run in runs if run]
    rows = Job.objects.filter(pk__in=known).values_list("pk", "requested_by")
    return {str(pk): who for pk, who in rows}


def _changes(
    report: Mapping[str, Any],
    kind: str,
    titles: Mapping[str, str],
    before: Version | None,
    after: Version,
) -> tuple[PageChange, ...]:
    why = report.get("why", {})
    return tuple(
        PageChange(
            title=titles.get(path, path),
            path=path,
            url=compare_url(before, after, path) if before else "",
            why=tuple(map(reason_of_page, why.get(path, ()))),
        )
        for path in report[kind]
    )
