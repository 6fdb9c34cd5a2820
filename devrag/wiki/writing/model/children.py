"""Finished pages as facts for the page above them; it cites the lines they cite."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.prose import join_sentences, sentences
from devrag.wiki.evidence.blocks import MarkdownBlock, split_blocks
from devrag.wiki.evidence.citations import ClaimDraft
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.writing.model.facts import FactSection

_CITATION = re.compile(r"\s*\[(\d+)\]\(cite:\1\)")
_LINK = re.compile(r"\[([^\]]+)\]\((?!cite:)[^)]*\)")
_PARAGRAPHS = 1
_MANY, _SENTENCES = 10, 2  # of many pages only the first sentences are told


@dataclass(frozen=True, slots=True)
class ChildPage:
    """A finished page as far as the one above it needs it."""

    title: str
    summary: str
    markdown: str
    claims: tuple[ClaimDraft, ...]


def children_of(
    plan: Plan, page: PlannedPage, finished: Mapping[str, ChildPage]
) -> dict[str, ChildPage]:
    """Return the finished pages below a page by path, in the plan's order."""
    return {
        other.path: finished[other.path]
        for other in plan.pages
        if other.path in finished and _is_above(page, other)
    }


def child_facts(
    lead: FactSection,
    page: PlannedPage,
    analysis: Analysis,
    book: EvidenceBook,
    children: Mapping[str, ChildPage],
) -> FactSection:
    """Return the introduction's facts with what the pages below say of themselves."""
    files = {(file.source, file.path): file.id for file in analysis.survey.files}
    told = []
    for path, child in children.items():
        where = posixpath.relpath(path, posixpath.dirname(page.path) or ".")
        opening = " ".join(_opening(child, files, book))
        if len(children) > _MANY:
            opening = join_sentences(sentences(opening)[:_SENTENCES])
        said = opening or child.summary
        told.append(MarkdownBlock("paragraph", f"[{child.title}]({where}): {said}"))
    return replace(lead, more=tuple(told))


def _is_above(page: PlannedPage, other: PlannedPage) -> bool:
    """The page on the architecture stands above every part, whatever their parents."""
    return other.parent == page.path or (
        page.kind == "architecture" and other.topic is not None
    )


def _opening(
    child: ChildPage, files: Mapping[tuple[str, str], int], book: EvidenceBook
) -> list[str]:
    claims = {claim.ordinal: claim for claim in child.claims}

    def marker(match: re.Match[str]) -> str:
        claim = claims.get(int(match.group(1)))
        file = files.get((claim.source, claim.path)) if claim else None
        if claim is None or file is None:
            return ""
        return f" [[{book.hold(file, claim.start_line, claim.end_line).id}]]"

    first = [b for b in split_blocks(child.markdown) if b.kind == "paragraph"]
    return [
        _CITATION.sub(marker, _LINK.sub(r"\1", block.text))
        for block in first[:_PARAGRAPHS]
    ]
