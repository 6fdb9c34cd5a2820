"""Plants faults in finished pages and counts which of them the gates see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.names import is_name_like
from devrag.wiki.checking.shown_names import CODE
from devrag.wiki.checking.validators import Gates, check_page
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.evidence.blocks import links_in, split_blocks
from devrag.wiki.evidence.citations import ClaimDraft
from devrag.wiki.evidence.page_evidence import EvidenceItem, problem_with

_PER_PAGE = 5


def seen_faults(
    analysis: Analysis,
    pages: Iterable[DraftedPage],
    diagram_error: Callable[[str], str | None],
) -> dict[str, float]:
    """Return the share that is seen, by kind of fault; a few of each page."""
    paths = frozenset(page.path for page in pages)
    found: dict[str, list[bool]] = {}
    for page in pages:
        gates = Gates(page.path, paths, analysis.names, {}, {}, diagram_error)
        for kind, plant in _KINDS.items():
            seen = list(plant(page, gates, analysis))[:_PER_PAGE]
            found.setdefault(kind, []).extend(seen)
    return {kind: round(sum(s) / (len(s) or 1), 4) for kind, s in found.items()}


def _shifted_lines(
    page: DraftedPage, _gates: Gates, analysis: Analysis
) -> Iterator[bool]:
    """Move a citation one line down."""
    for claim in page.claims:
        file = analysis.file_at[claim.source, claim.path]
        item = _item(claim, file.id)
        moved = replace(
            item, start_line=item.start_line + 1, end_line=item.end_line + 1
        )
        yield bool(problem_with(moved, file, analysis.texts.text(file.id)))


def _other_content(
    page: DraftedPage, _gates: Gates, analysis: Analysis
) -> Iterator[bool]:
    """Let the cited file have changed since."""
    for claim in page.claims:
        file = analysis.file_at[claim.source, claim.path]
        changed = replace(file, content_hash="0" * 64)
        text = analysis.texts.text(file.id)
        yield bool(problem_with(_item(claim, file.id), changed, text))


def _item(claim: ClaimDraft, file: int) -> EvidenceItem:
    place = (claim.source, claim.path, claim.start_line, claim.end_line)
    version = (claim.version_identifier, claim.content_hash, claim.excerpt)
    return EvidenceItem("E1", file, *place, *version)


def _swapped_names(page: DraftedPage, gates: Gates, _all: Analysis) -> Iterator[bool]:
    """Exchange the halves of a name."""
    for block in split_blocks(page.markdown):
        for _, name in CODE.findall(block.text) if block.is_prose else ():
            half = len(name) // 2
            swapped = name[half:] + name[:half]
            if is_name_like(name) and swapped != name and is_name_like(swapped):
                yield _is_cut(f"It calls `{swapped}` here.", gates, "name")


def _dead_links(page: DraftedPage, gates: Gates, _all: Analysis) -> Iterator[bool]:
    """Lead a link to a page that is not there."""
    for block in split_blocks(page.markdown):
        for label, target in links_in(block.text) if block.is_prose else ():
            if target.endswith(".md"):
                dead = target.replace(".md", "-gone.md")
                yield _is_cut(f"See [{label}]({dead}) for more.", gates, "link")


def _dead_citations(page: DraftedPage, gates: Gates, _all: Analysis) -> Iterator[bool]:
    """Cite evidence that there is not."""
    yield _is_cut(f"It holds {len(page.claims)} claims [[E9999]].", gates, "citation")


def _broken_diagrams(page: DraftedPage, gates: Gates, _all: Analysis) -> Iterator[bool]:
    """Leave out a closing bracket, or a message's colon."""
    for block in split_blocks(page.markdown):
        if block.kind == "fence" and block.lead == "mermaid":
            broken = block.text.replace('"]', '"', 1)
            if broken == block.text:
                broken = f"{block.text}\n  p0->>"
            yield _is_cut(f"```mermaid\n{broken}\n```", gates, "diagram")


def _is_cut(markdown: str, gates: Gates, gate: str) -> bool:
    _, findings = check_page(markdown, gates)
    return any(finding.gate == gate for finding in findings)


_KINDS: dict[str, Callable[[DraftedPage, Gates, Analysis], Iterator[bool]]] = {
    "shifted_lines": _shifted_lines,
    "other_content": _other_content,
    "swapped_names": _swapped_names,
    "dead_links": _dead_links,
    "dead_citations": _dead_citations,
    "broken_diagrams": _broken_diagrams,
}
