"""Takes sections from the page that readers see, with the evidence they lean on now.

Facts that a section shows are taken by their keys, so that they are shown as of now.

Those that would be told nothing new are kept; of others the text is at hand, so that it
can be brought up to date.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.checking.validators import linked_page
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.drafts.record import Outcome, Record, SectionRecord
from devrag.wiki.evidence.blocks import MarkdownBlock, map_prose, split_blocks, unlink
from devrag.wiki.evidence.citations import CITATION, ClaimDraft, before_punctuation
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.planning.plan import Plan
from devrag.wiki.reuse.pages import names_gone, renew_each
from devrag.wiki.writing.model.facts import SHOWN


@dataclass(frozen=True, slots=True)
class Dated:
    """A section's text from before. known: digests of the parts it was told from.

    Citations that lost their lines are taken out of it.
    """

    body: Sequence[MarkdownBlock]
    known: frozenset[str]


@dataclass(frozen=True, slots=True)
class Taken:
    """What the model told before, by the section's place: kept needs no call."""

    kept: dict[int, list[MarkdownBlock]] = field(default_factory=dict)
    dated: dict[int, Dated] = field(default_factory=dict)


def take_sections(
    former: DraftedPage,
    record: Record,
    analysis: Analysis,
    plan: Plan,
    book: EvidenceBook,
) -> Taken:
    """Return what the model told; what it cites is held in the book.

    record: of what the model would be given now. A section that lost its evidence, or
    names what is gone, is not kept.
    """
    taken = Taken()
    if former.record is None:
        return taken
    bodies = told_bodies(former)
    claims = {claim.ordinal: claim for claim in renew_each(former.claims, analysis)}
    pages = {page.path for page in plan.pages}
    files = {place: file.id for place, file in analysis.file_at.items()}

    def is_good(target: str) -> bool:
        path = target.partition("#")[0]
        is_page = path and not path.startswith("cite:")
        return not is_page or linked_page(former.path, path) in pages

    for number, (was, now) in enumerate(
        zip(former.record.sections, record.sections, strict=True)
    ):
        body = bodies.get(number, None if was.is_told else [])
        if body is None:
            continue
        linked = map_prose(body, lambda text: unlink(text, is_good))
        cited = map_prose(linked, _citing(claims, files, book))
        if was.key == now.key and not _is_lost(body, claims, analysis):
            taken.kept[number] = cited
        elif _is_dated(was, now):
            taken.dated[number] = Dated(cited, frozenset(was.parts))
    return taken


def _is_dated(was: SectionRecord, now: SectionRecord) -> bool:
    """Return whether only facts and evidence changed below a text that is all known."""
    return (
        bool(now.key and was.parts)
        and was.around == now.around
        and was.outcome.told > 0
    )


def told_bodies(former: DraftedPage) -> dict[int, list[MarkdownBlock]]:
    """Return what the model told below each heading, by the section's place.

    All that stands there, where the facts in it cannot be told apart.
    """
    groups: list[tuple[str, list[MarkdownBlock]]] = [("", [])]
    for block in split_blocks(former.markdown):
        if block.kind != "heading" or len(block.lead) > 2:
            groups[-1][1].append(block)
        elif len(block.lead) == 2:
            groups.append((block.text, []))
    found: dict[int, list[MarkdownBlock]] = {}
    sections = former.record.sections if former.record else ()
    for number, section in enumerate(sections):
        if groups and groups[0][0] == section.title:
            found[number] = _with_keys(groups.pop(0)[1], section.outcome)
    return found


def _with_keys(body: list[MarkdownBlock], outcome: Outcome) -> list[MarkdownBlock]:
    """Return what the model told, with the facts that it shows by their keys."""
    if outcome.told < 0:
        return body
    shown = dict(outcome.shown)
    return [
        MarkdownBlock(SHOWN, shown[place]) if place in shown else block
        for place, block in enumerate(body[: outcome.told])
    ]


def _is_lost(
    body: Iterable[MarkdownBlock], claims: Mapping[int, ClaimDraft], analysis: Analysis
) -> bool:
    cited = {int(n) for block in body for n in CITATION.findall(block.text)}
    return not cited <= claims.keys() or names_gone(body, claims.values(), analysis)


def _citing(
    claims: Mapping[int, ClaimDraft],
    files: Mapping[tuple[str, str], int],
    book: EvidenceBook,
) -> Callable[[str], str]:
    """Return how numbers of claims become marks of this run's evidence."""

    def mark(match: re.Match[str]) -> str:
        claim = claims.get(int(match.group(1)))
        if claim is None:
            return ""
        file = files[claim.source, claim.path]
        return f" [[{book.hold(file, claim.start_line, claim.end_line).id}]]"

    return lambda text: CITATION.sub(mark, before_punctuation(text))
