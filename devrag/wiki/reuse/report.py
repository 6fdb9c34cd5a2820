"""What a run did to each page and why: a part of the version's report, pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from devrag.wiki.analysis.prose import counted
from devrag.wiki.drafts.page import DraftedPage, Inputs
from devrag.wiki.reuse.fingerprint import have_ranks_moved

_FILES_NAMED = 10


def changes_of(
    before: Mapping[str, Inputs], kept: Iterable[DraftedPage]
) -> dict[str, Any]:
    """Say which pages are new, rewritten, reused and gone, and what led to it.

    before: the pages that readers saw, with their inputs. why: page → sentences, for
    the pages that are not as they were; nothing when there was no version before.
    """
    drafts = {draft.path: draft for draft in kept}
    removed = sorted(set(before) - set(drafts))
    why = {path: _differences(before[path], {}) for path in removed}
    for path, draft in drafts.items() if before else ():
        if not draft.is_reused:
            why[path] = _reasons(before.get(path), draft)
    return {
        "added": [path for path in drafts if path not in before],
        "rewritten": [
            path for path, d in drafts.items() if path in before and not d.is_reused
        ],
        "reused": [path for path, d in drafts.items() if d.is_reused],
        "removed": removed,
        "why": why,
    }


def support_of(drafts: Iterable[DraftedPage]) -> dict[str, Any]:
    """Return how many sentences a model checked in the run and found unsupported.

    share: of those that were checked, None where none was.
    """
    checked = unsupported = 0
    for draft in drafts:
        if not draft.is_reused:
            checked += draft.claims_checked
            unsupported += draft.claims_unsupported
    share = round(unsupported / checked, 4) if checked else None
    return {"checked": checked, "unsupported": unsupported, "share": share}


def changes_of_none(pages: Iterable[str]) -> dict[str, Any]:
    """Return what a run did to the pages of a version that stays as it is."""
    none: list[str] = []
    changes = {"added": none, "rewritten": none, "removed": none, "why": {}}
    return {**changes, "reused": list(pages)}


def _reasons(before: Inputs | None, draft: DraftedPage) -> list[str]:
    now = draft.inputs
    if before is None:
        return _differences({}, now)
    found = _differences(before, now)
    if have_ranks_moved(before, now):
        found.append("the importance of its files changed")
    found = found or [draft.why or "its content about other parts changed"]
    if draft.sections_kept:
        asked = counted(draft.sections_asked, "section")
        every = draft.sections_asked + draft.sections_kept
        found.append(f"{asked} of {every} rewritten")
    return found


def _differences(before: Inputs, now: Inputs) -> list[str]:
    """Name the files that came to the page, changed and left it, the first ten.

    A file that left may still be there: the page just has no word of it any more.
    """
    found = [f"it now covers {path}" for path in now if path not in before]
    found += [
        f"{path} changed"
        for path, (digest, _) in now.items()
        if path in before and before[path][0] != digest
    ]
    found += [f"it no longer covers {path}" for path in before if path not in now]
    more = len(found) - _FILES_NAMED
    return found[:_FILES_NAMED] + ([f"and {more} more files"] if more > 0 else [])
