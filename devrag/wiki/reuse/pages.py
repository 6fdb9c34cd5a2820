"""Keeps a published page where a new one would tell nothing else: pure.

Text and citations stay as readers know them; places, commits and hashes are renewed,
so that every citation leads to the lines where its evidence stands now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.checking.validators import unknown_name
from devrag.wiki.drafts.page import DraftedPage, Inputs
from devrag.wiki.evidence.blocks import MarkdownBlock, split_blocks
from devrag.wiki.evidence.citations import ClaimDraft, after_punctuation
from devrag.wiki.evidence.location import NormalisedLines
from devrag.wiki.planning.plan import PlannedPage
from devrag.wiki.reuse.fingerprint import have_ranks_moved, have_sizes_moved


def reason_to_write(params: Mapping[str, Any], before: DraftedPage | None) -> str:
    """Return why a page is written even if nothing of it changed, '' for no reason.

    A model that failed on a section would fail again on most commits: that is tried
    only for people who ask.
    """
    if params.get("isForced"):
        return "all pages were requested again"
    if before is not None and before.is_unfinished and params.get("isAsked"):
        return "the model failed on a section of the page"
    return ""


def as_kept(
    params: Mapping[str, Any], before: DraftedPage | None
) -> DraftedPage | None:
    """Return the published page as far as this run may take sections of it."""
    if before is None or params.get("isForced"):
        return None
    if not before.record or not params.get("isAsked"):
        return before
    sections = (s if s.is_told else replace(s, key="") for s in before.record.sections)
    return replace(before, record=replace(before.record, sections=tuple(sections)))


def reuse_page(
    before: DraftedPage | None,
    page: PlannedPage,
    analysis: Analysis,
    *,
    fingerprint: str,
    inputs: Inputs,
) -> DraftedPage | None:
    """Return the published page as the draft of this run, None when it must be written.

    For a model ask before the call (`evidence_fingerprint`). `before` is the page that
    readers see; an excerpt or name of it that is gone, or a rank that moved, rules it
    out.
    """
    if before is None or before.fingerprint != fingerprint:
        return None
    if have_ranks_moved(before.inputs, inputs):
        return None
    claims = tuple(renew_each(before.claims, analysis))
    if len(claims) < len(before.claims):
        return None
    if names_gone(split_blocks(before.markdown), before.claims, analysis):
        return None
    files = (analysis.files[file] for file in page.files)
    return replace(
        before,
        ordinal=page.ordinal,
        files=tuple(f"{file.source}/{file.path}" for file in files),
        claims=claims,
        inputs={
            path: (digest, before.inputs.get(path, ("", decile))[1])
            for path, (digest, decile) in inputs.items()
        },
        is_reused=True,
    )


def names_gone(
    blocks: Iterable[MarkdownBlock], claims: Iterable[ClaimDraft], analysis: Analysis
) -> bool:
    """Return whether a text names what was elsewhere in the index and is there no more.

    A model may name what its evidence does not show.
    """
    cited = [f"{claim.path}\n{claim.excerpt}" for claim in claims]
    return any(
        unknown_name(block.text, analysis.names, cited)
        for block in blocks
        if block.kind != "fence"
    )


def keep_published(
    before: DraftedPage | None,
    draft: DraftedPage,
    page: PlannedPage,
    analysis: Analysis,
) -> DraftedPage:
    """Return the published page where the draft says the same, else the draft."""
    if before is None or have_sizes_moved(before.markdown, draft.markdown):
        return draft
    fingerprint, inputs = draft.fingerprint, draft.inputs
    is_same = before.fingerprint == fingerprint
    if is_same and before.markdown == after_punctuation(draft.markdown):
        return replace(draft, is_reused=True)  # ranks moved, its order did not
    kept = reuse_page(before, page, analysis, fingerprint=fingerprint, inputs=inputs)
    if kept is None:
        return draft
    left = draft.evidence_left_out
    return replace(kept, findings=draft.findings, evidence_left_out=left)


def renew_each(
    claims: Iterable[ClaimDraft], analysis: Analysis
) -> Iterator[ClaimDraft]:
    """Yield the claims at their present places, without those that have lost theirs."""
    read: dict[int, NormalisedLines] = {}
    for claim in claims:
        file = analysis.file_at.get((claim.source, claim.path))
        if file is None:
            continue
        renewed = replace(claim, version_identifier=file.version_identifier)
        if file.content_hash != claim.content_hash:
            if file.id not in read:
                read[file.id] = NormalisedLines(analysis.texts.text(file.id))
            near = claim.start_line
            lines = read[file.id].locate(claim.excerpt, near, claim.context)
            if lines is None:
                continue
            renewed = _at(renewed, lines, file.content_hash, read[file.id])
        yield renewed


def _at(
    claim: ClaimDraft, place: tuple[int, int], content_hash: str, lines: NormalisedLines
) -> ClaimDraft:
    start, end = place
    excerpt = lines.excerpt(start, end)
    return replace(
        claim,
        start_line=start,
        end_line=end,
        content_hash=content_hash,
        excerpt=excerpt,
        context=lines.context(excerpt, start),
    )
