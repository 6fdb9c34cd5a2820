"""When a page need not be written again: fingerprints, and what a page was made of.

Two writers, two moments. What a model will write is unknown, so `given_fingerprint` is
taken from what it is given, before it is asked: an equal one costs no call. What the
structural writer tells may come from any file (whether a name exists, who uses
it), so no cheap list of its inputs would be whole. It writes, which takes
milliseconds, and `reading_fingerprint` says whether a reader would find anything new.

Ranks are no part of a fingerprint: one file more moves some file across a border of
deciles in every commit. They stand in `inputs` and count from two deciles on.
"""

from __future__ import annotations

from collections.abc import Iterable

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.drafts.page import Inputs
from devrag.wiki.evidence.citations import ClaimDraft
from devrag.wiki.evidence.digests import STATED_LINES, hash_parts, telling_digest
from devrag.wiki.evidence.page_evidence import EvidenceItem
from devrag.wiki.planning.plan import PlannedPage

_MOST_DECILES = 1
_MOST_LINES_OFF = 0.05


def given_fingerprint(page: PlannedPage, given: str) -> str:
    """Fingerprint a page before it is written. given: digest of all its writer gets."""
    return hash_parts([*_entry(page), given])


def reading_fingerprint(
    page: PlannedPage,
    markdown: str,
    claims: Iterable[ClaimDraft],
    *,
    writer: str,
    writer_version: int,
    language: str = "en",
) -> str:
    """Fingerprint a written page by what it tells a reader, from which evidence."""
    made_by = (writer, str(writer_version), language)
    return hash_parts([*_entry(page), *made_by, telling_digest(markdown, claims)])


def inputs_of(
    analysis: Analysis, page: PlannedPage, cited: Iterable[ClaimDraft | EvidenceItem]
) -> dict[str, tuple[str, int]]:
    """Return the files a page is about or cites, with content and rank."""
    places = {(item.source, item.path) for item in cited}
    files = [analysis.files[file] for file in page.files]
    files += [f for place in sorted(places) if (f := analysis.file_at.get(place))]
    return {
        f"{file.source}/{file.path}": (file.content_hash, analysis.deciles[file.id])
        for file in files
    }


def have_ranks_moved(before: Inputs, now: Inputs) -> bool:
    """Return whether a file of the page became clearly more or less important."""
    return any(
        abs(decile - before[path][1]) > _MOST_DECILES
        for path, (_, decile) in now.items()
        if path in before
    )


def have_sizes_moved(before: str, now: str) -> bool:
    """Return whether a page states counts of lines that are off by more than a bit."""
    old, new = line_counts(before), line_counts(now)
    return len(old) != len(new) or not all(map(is_about, old, new))


def is_about(stated: int, now: int) -> bool:
    """Return whether a count of lines that was stated is still about right."""
    return abs(stated - now) <= _MOST_LINES_OFF * stated


def line_counts(markdown: str) -> list[int]:
    """Return the counts of lines that a text states, sorted."""
    return sorted(
        int(count.replace(",", "")) for count in STATED_LINES.findall(markdown)
    )


def _entry(page: PlannedPage) -> tuple[str, ...]:
    return page.path, page.kind, page.title, page.parent
