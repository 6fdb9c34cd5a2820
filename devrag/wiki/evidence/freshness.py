"""Whether what a version claims still stands in the sources as indexed now.

A claim is fresh while its excerpt stands at its lines, moved when it stands at others
or in the file's new place, stale when it is gone. No model is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from itertools import groupby
from operator import or_

from django.db.models import Q, QuerySet

from devrag.sources.models import File
from devrag.wiki.analysis.selectors import (
    DatabaseTexts,
    SourceVersion,
    current_versions,
)
from devrag.wiki.evidence.location import NormalisedLines
from devrag.wiki.models import Claim, Version

_PATHS_AT_A_TIME, _NAMES_AT_A_TIME, _AT_A_TIME = 500, 200, 100
_COMPARED = (
    *("page__path", "page__ordinal", "ordinal", "source_name", "path", "start_line"),
    *("end_line", "content_hash", "excerpt", "context"),
)
# Why a claim is stale.
GONE, CHANGED = "deleted or renamed", "the cited lines changed"


class ClaimFreshness(StrEnum):
    """How a claim stands to the present sources."""

    FRESH = "fresh"
    MOVED = "moved"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class CitedLines:
    """Lines that something cites, as they were. page, ordinal: what cites them.

    context: the lines around an excerpt that stands several times, '' for others.
    """

    page: str
    ordinal: int
    source_name: str
    path: str
    start_line: int
    end_line: int
    content_hash: str
    excerpt: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class ClaimState:
    """A claim with its present place; of a stale one the place it had, and why."""

    page: str
    ordinal: int
    file: str
    state: ClaimFreshness
    start_line: int
    end_line: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PageFreshness:
    """Counts of a page's claims. changes: `source/path` → what became of it."""

    page: str
    fresh: int
    moved: int
    stale: int
    changes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Present:
    """The file that a claim cites as it is now. path: perhaps another than it was."""

    id: int
    path: str
    content_hash: str


def claim_states(version: Version, page: str | None = None) -> list[ClaimState]:
    """Return the state of each claim of a version, or of one of its pages.

    Only files whose content changed are read. Queries: 3, one per 500 paths and one
    per 100 changed files; two more where files are gone.
    """
    claims = Claim.objects.filter(page__version=version).with_page()
    if page is not None:
        claims = claims.filter(page__path=page)
    return compare_claims(claims, current_versions(version.wiki.product_id))


def compare_claims(
    claims: Iterable[Claim], versions: Iterable[SourceVersion]
) -> list[ClaimState]:
    """Return the state of each claim in these versions of the sources, by place."""
    rows = sorted(
        claims, key=lambda c: (c.source_name, c.path, c.page.ordinal, c.ordinal)
    )
    return compare_lines((_cited(claim) for claim in rows), versions)


def compare_lines(
    cited: Iterable[CitedLines], versions: Iterable[SourceVersion]
) -> list[ClaimState]:
    """Return the state of each cited place in these versions, by source and path."""
    rows = sorted(cited, key=lambda c: (c.source_name, c.path))
    refs = [version.ref for version in versions]
    present = _present_files(refs, {claim.path for claim in rows})
    lost = [c for c in rows if (c.source_name, c.path) not in present]
    present |= _found_elsewhere(refs, lost)
    return list(_compare(rows, present))


def stale_pages(version_id: int, versions: Sequence[SourceVersion]) -> dict[str, int]:
    """Return how many stale claims each page of a version has, those with some.

    Claims whose file did not change stand: only the others are read. Queries: 1, one
    per 500 paths, and those of comparing the others.
    """
    claims = Claim.objects.filter(page__version=version_id).order_by()
    cited = claims.values_list("pk", "source_name", "path", "content_hash")
    rows = list(cited)
    refs = [version.ref for version in versions]
    present = _present_files(refs, {path for _, _, path, _ in rows})
    same = {(*place, file.content_hash) for place, file in present.items()}
    others = [pk for pk, *rest in rows if tuple(rest) not in same]
    changed = claims.filter(pk__in=others).select_related("page").only(*_COMPARED)
    states = compare_claims(changed, versions) if others else []
    return Counter(each.page for each in states if each.state == ClaimFreshness.STALE)


def page_freshness(version: Version) -> list[PageFreshness]:
    """Return counts and changed files of each page that claims something."""
    by_page: dict[str, list[ClaimState]] = {}
    for state in claim_states(version):
        by_page.setdefault(state.page, []).append(state)
    return [_sum_up(page, states) for page, states in sorted(by_page.items())]


def version_freshness(pages: Iterable[PageFreshness]) -> dict[str, int]:
    """Return the counts of all pages together."""
    found = dict.fromkeys(ClaimFreshness, 0)
    for page in pages:
        found[ClaimFreshness.FRESH] += page.fresh
        found[ClaimFreshness.MOVED] += page.moved
        found[ClaimFreshness.STALE] += page.stale
    return {state.value: count for state, count in found.items()}


def _sum_up(page: str, states: Iterable[ClaimState]) -> PageFreshness:
    count = Counter[ClaimFreshness]()
    changes: dict[str, str] = {}
    for state in states:
        count[state.state] += 1
        if state.reason:
            changes[state.file] = state.reason
    fresh, moved, stale = (count[state] for state in ClaimFreshness)
    return PageFreshness(page, fresh, moved, stale, changes)


def _cited(claim: Claim) -> CitedLines:
    return CitedLines(
        claim.page.path,
        claim.ordinal,
        claim.source_name,
        claim.path,
        claim.start_line,
        claim.end_line,
        claim.content_hash,
        claim.excerpt,
        claim.context,
    )


def _files_of(refs: Sequence[int]) -> QuerySet[File]:
    return File.objects.filter(manifests__ref_id__in=refs, manifests__until=None)


def _rows(files: QuerySet[File]) -> Iterator[tuple[str, _Present]]:
    rows = files.values_list("source__name", "pk", "path", "content_hash")
    for source, pk, path, content_hash in rows:
        yield source, _Present(pk, path, content_hash)


def _present_files(
    refs: Sequence[int], paths: set[str]
) -> dict[tuple[str, str], _Present]:
    wanted = sorted(paths)
    found: dict[tuple[str, str], _Present] = {}
    for start in range(0, len(wanted), _PATHS_AT_A_TIME):
        some = wanted[start : start + _PATHS_AT_A_TIME]
        for source, file in _rows(_files_of(refs).filter(path__in=some)):
            found[source, file.path] = file
    return found


def _found_elsewhere(
    refs: Sequence[int], lost: Sequence[CitedLines]
) -> dict[tuple[str, str], _Present]:
    """Return where files went: to the same content, else to the only same name."""
    if not lost:
        return {}
    same: dict[tuple[str, str], _Present] = {}
    named: dict[tuple[str, str], list[_Present]] = {}
    hashes = {claim.content_hash for claim in lost}
    for source, file in _rows(_files_of(refs).filter(content_hash__in=hashes)):
        same[source, file.content_hash] = file
    names = sorted({_name(claim.path) for claim in lost})
    for start in range(0, len(names), _NAMES_AT_A_TIME):
        some = names[start : start + _NAMES_AT_A_TIME]
        wanted = reduce(or_, (Q(path__endswith=f"/{n}") | Q(path=n) for n in some))
        for source, file in _rows(_files_of(refs).filter(wanted)):
            named.setdefault((source, _name(file.path)), []).append(file)
    found: dict[tuple[str, str], _Present] = {}
    for claim in lost:
        others = named.get((claim.source_name, _name(claim.path)), [])
        there = same.get((claim.source_name, claim.content_hash))
        if there is None and len(others) == 1:
            there = others[0]
        if there is not None:
            found[claim.source_name, claim.path] = there
    return found


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _compare(
    claims: Iterable[CitedLines], present: Mapping[tuple[str, str], _Present]
) -> Iterator[ClaimState]:
    texts = DatabaseTexts()
    of_files = groupby(claims, key=lambda c: (c.source_name, c.path))
    grouped = [(present.get(key), list(own)) for key, own in of_files]
    for start in range(0, len(grouped), _AT_A_TIME):
        some = grouped[start : start + _AT_A_TIME]
        texts.load(file.id for file, of in some if file and _has_changed(file, of))
        for file, of_file in some:
            changed = file if file and _has_changed(file, of_file) else None
            lines = NormalisedLines(texts.text(changed.id)) if changed else None
            yield from (_state(claim, file, lines) for claim in of_file)


def _has_changed(file: _Present, claims: Iterable[CitedLines]) -> bool:
    return any(claim.content_hash != file.content_hash for claim in claims)


def _state(
    claim: CitedLines, file: _Present | None, lines: NormalisedLines | None
) -> ClaimState:
    """lines: of the present file, None where it is the very file that was cited."""
    at: tuple[int, int] | None = (claim.start_line, claim.end_line)
    path, reason = claim.path, ""
    if file is None:
        at, reason = None, GONE
    elif lines is not None and file.content_hash != claim.content_hash:
        at = lines.locate(claim.excerpt, claim.start_line, claim.context)
        is_moved = file.path != claim.path
        reason = GONE if is_moved else CHANGED
    if at is not None and file is not None:
        path, reason = file.path, ""
    start, end = at or (claim.start_line, claim.end_line)
    place = (path, start, end)
    state = ClaimFreshness.FRESH if place == _place(claim) else ClaimFreshness.MOVED
    return ClaimState(
        claim.page,
        claim.ordinal,
        f"{claim.source_name}/{path}",
        ClaimFreshness.STALE if at is None else state,
        start,
        end,
        reason,
    )


def _place(claim: CitedLines) -> tuple[str, int, int]:
    return claim.path, claim.start_line, claim.end_line
