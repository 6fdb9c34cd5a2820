"""Takes sections from the page that readers see, with the evidence they lean on now."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from devrag.wiki.analysis import Analysis
from devrag.wiki.blocks import Block, map_prose, split_blocks, unlink
from devrag.wiki.check import linked_page
from devrag.wiki.citations import CITATION, ClaimDraft, before_punctuation
from devrag.wiki.draft import PageDraft
from devrag.wiki.evidence import EvidenceBook
from devrag.wiki.model.record import Record
from devrag.wiki.plan import Plan
from devrag.wiki.reuse import names_gone, renew_each


def kept_sections(
    former: PageDraft,
    record: Record,
    analysis: Analysis,
    plan: Plan,
    book: EvidenceBook,
) -> dict[int, list[Block]]:
    """Return what the model told in sections that need no call, by their places.

    record: of what the model would be given now. A section that lost its evidence, or
    names what is gone, is not among them; what it cites is held in the book.
    """
    if former.record is None:
        return {}
    bodies = told_bodies(former)
    claims = {claim.ordinal: claim for claim in renew_each(former.claims, analysis)}
    pages = {page.path for page in plan.pages}
    files = {place: file.id for place, file in analysis.file_at.items()}

    def is_good(target: str) -> bool:
        path = target.partition("#")[0]
        is_page = path and not path.startswith("cite:")
        return not is_page or linked_page(former.path, path) in pages

    kept: dict[int, list[Block]] = {}
    for number, (was, now) in enumerate(
        zip(former.record.sections, record.sections, strict=True)
    ):
        body = bodies.get(number, None if was.is_told else [])
        if was.key != now.key or body is None or _is_lost(body, claims, analysis):
            continue
        linked = map_prose(body, lambda text: unlink(text, is_good))
        kept[number] = map_prose(linked, _citing(claims, files, book))
    return kept


def told_bodies(former: PageDraft) -> dict[int, list[Block]]:
    """Return what the model told below each heading, by the section's place.

    All that stands there, where facts that follow it cannot be told apart.
    """
    groups: list[tuple[str, list[Block]]] = [("", [])]
    for block in split_blocks(former.markdown):
        if block.kind != "heading" or len(block.lead) > 2:
            groups[-1][1].append(block)
        elif len(block.lead) == 2:
            groups.append((block.text, []))
    found: dict[int, list[Block]] = {}
    sections = former.record.sections if former.record else ()
    for number, section in enumerate(sections):
        if groups and groups[0][0] == section.title:
            body = groups.pop(0)[1]
            found[number] = body if section.told < 0 else body[: section.told]
    return found


def _is_lost(
    body: Iterable[Block], claims: Mapping[int, ClaimDraft], analysis: Analysis
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
        claim = claims[int(match.group(1))]
        file = files[claim.source, claim.path]
        return f" [[{book.hold(file, claim.start_line, claim.end_line).id}]]"

    return lambda text: CITATION.sub(mark, before_punctuation(text))
