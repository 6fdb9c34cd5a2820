"""Whether what a version claims still stands in the sources as indexed now.

A claim is fresh while its excerpt stands at its lines, moved when it stands at others
of the same file, stale when it is gone. Compared, without asking a model (DESIGN §5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from devrag.sources.models import File
from devrag.wiki.location import Lines
from devrag.wiki.models import Claim, Version
from devrag.wiki.selectors import DatabaseTexts, current_versions

_PATHS_AT_A_TIME = 500


class State(StrEnum):
    """How a claim stands to the present sources."""

    FRESH = "fresh"
    MOVED = "moved"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class ClaimState:
    """A claim with its present place; of a stale one the place it had, and why."""

    page: str
    ordinal: int
    file: str
    state: State
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
    id: int
    content_hash: str


def claim_states(version: Version, page: str | None = None) -> list[ClaimState]:
    """Return the state of each claim of a version, or of one of its pages.

    Only files whose content changed are read. Queries: 3, and one per 500 paths.
    """
    claims = Claim.objects.filter(page__version=version).select_related("page")
    if page is not None:
        claims = claims.filter(page__path=page)
    rows = list(claims.order_by("source_name", "path", "page__ordinal", "ordinal"))
    present = _present_files(version, {claim.path for claim in rows})
    return list(_compare(rows, present))


def page_freshness(version: Version) -> list[PageFreshness]:
    """Return counts and changed files of each page that claims something."""
    by_page: dict[str, list[ClaimState]] = {}
    for state in claim_states(version):
        by_page.setdefault(state.page, []).append(state)
    return [_sum_up(page, states) for page, states in sorted(by_page.items())]


def version_freshness(pages: Iterable[PageFreshness]) -> dict[str, int]:
    """Return the counts of all pages together."""
    found = dict.fromkeys(State, 0)
    for page in pages:
        found[State.FRESH] += page.fresh
        found[State.MOVED] += page.moved
        found[State.STALE] += page.stale
    return {state.value: count for state, count in found.items()}


def _sum_up(page: str, states: Iterable[ClaimState]) -> PageFreshness:
    count = Counter[State]()
    changes: dict[str, str] = {}
    for state in states:
        count[state.state] += 1
        if state.reason:
            changes[state.file] = state.reason
    fresh, moved, stale = (count[state] for state in State)
    return PageFreshness(page, fresh, moved, stale, changes)


def _present_files(
    version: Version, paths: set[str]
) -> dict[tuple[str, str], _Present]:
    refs = [v.ref for v in current_versions(version.wiki.product_id)]
    wanted = sorted(paths)
    found: dict[tuple[str, str], _Present] = {}
    for start in range(0, len(wanted), _PATHS_AT_A_TIME):
        rows = File.objects.filter(
            manifests__ref_id__in=refs,
            manifests__until=None,
            path__in=wanted[start : start + _PATHS_AT_A_TIME],
        )
        for source, path, pk, content_hash in rows.values_list(
            "source__name", "path", "pk", "content_hash"
        ):
            found[source, path] = _Present(pk, content_hash)
    return found


def _compare(
    claims: Iterable[Claim], present: Mapping[tuple[str, str], _Present]
) -> Iterator[ClaimState]:
    texts = DatabaseTexts()
    for key, of_file in groupby(claims, key=lambda c: (c.source_name, c.path)):
        file, lines = present.get(key), None
        for claim in of_file:
            is_same = file is not None and file.content_hash == claim.content_hash
            if file is not None and not is_same and lines is None:
                lines = Lines(texts.text(file.id))
            yield _state(claim, file, None if is_same else lines)


def _state(claim: Claim, file: _Present | None, lines: Lines | None) -> ClaimState:
    """lines: of the present file, None where it is the very file that was cited."""
    at = (claim.start_line, claim.end_line)
    state, reason = State.FRESH, ""
    if file is None:
        state, reason = State.STALE, "deleted or renamed"
    elif lines is not None:
        found = lines.locate(claim.excerpt, claim.start_line)
        if found is None:
            state, reason = State.STALE, "the cited lines changed"
        elif found != at:
            state, at = State.MOVED, found
    file_name = f"{claim.source_name}/{claim.path}"
    return ClaimState(
        claim.page.path, claim.ordinal, file_name, state, at[0], at[1], reason
    )
