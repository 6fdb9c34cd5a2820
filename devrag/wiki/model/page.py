"""A page by a model: facts and evidence, sections in order, what they left, checked.

Falls back section by section to the structural text, so that no page is ever broken or
empty.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from devrag.wiki.blocks import Block, join_blocks, split_blocks
from devrag.wiki.check import Finding, Gates
from devrag.wiki.model.asking import Asking
from devrag.wiki.model.dossier import Dossier
from devrag.wiki.model.gates import said_as
from devrag.wiki.model.material import Material, ModelWriter
from devrag.wiki.model.narrow import narrow_citations
from devrag.wiki.model.outline import SectionPlan, plan_sections
from devrag.wiki.model.section import Desk, Topic, Written, write_section
from devrag.wiki.model.sections import in_language, left_to_show
from devrag.wiki.model.summary import summarise
from devrag.wiki.plan import Plan, PlannedPage


@dataclass(frozen=True, slots=True)
class ModelPage:
    """What came of it. cut: evidence that no call had room for."""

    markdown: str
    summary: str
    findings: tuple[Finding, ...]
    cut: tuple[str, ...]


def write_model_page(
    writer: ModelWriter,
    plan: Plan,
    page: PlannedPage,
    material: Material,
    gates: Gates,
) -> ModelPage:
    """Write the page around its facts, from the evidence that was gathered."""
    dossier = material.dossier
    asking = Asking(writer.chat, writer.before)
    order, findings = plan_sections(
        page, material.sections, dossier, writer.brief, asking
    )
    desk = Desk(topic_of(writer, plan, page, dossier, order), gates, asking)
    blocks, reports, shown = _write(desk, order, _summaries(writer, page))
    body = join_blocks([Block("heading", page.title, "#"), *blocks])
    markdown = narrow_citations(body, dossier.book)
    summary = summarise(desk, markdown)
    asking.check()
    return ModelPage(
        markdown=markdown,
        summary=summary,
        findings=(*findings, *reports),
        cut=(*dossier.cut, *_unseen(dossier, shown)),
    )


def topic_of(
    writer: ModelWriter,
    plan: Plan,
    page: PlannedPage,
    dossier: Dossier,
    order: Iterable[SectionPlan],
) -> Topic:
    """Return what all sections of the page are told."""
    around = _around(plan, page, order, writer.notes.get(page.path, ()))
    return Topic(page.path, around, dossier, writer.brief)


def _write(
    desk: Desk, order: Iterable[SectionPlan], summaries: Mapping[str, str]
) -> tuple[list[Block], list[Finding], set[str]]:
    """Return blocks, findings and which evidence was shown, section by section."""
    blocks: list[Block] = []
    findings: list[Finding] = []
    shown: set[str] = set()
    said: set[str] = set()
    for section in order:
        written = write_section(desk, section, frozenset(said))
        findings += written.findings
        shown |= written.shown
        body = _body(section, written, desk.topic.brief.language, summaries)
        said |= {said_as(s) for b in body if b.is_prose for s in b.sentences()}
        if body and section.title:
            blocks.append(Block("heading", section.title, "##"))
        blocks += body
    return blocks, findings, shown


def _body(
    section: SectionPlan,
    written: Written,
    language: str,
    summaries: Mapping[str, str],
) -> list[Block]:
    """Return the model's text with what it left out, or the facts' own text."""
    if not written.text:
        blocks = (block for facts in section.facts for block in facts.blocks)
        return [in_language(b, language, summaries) for b in blocks]
    left = left_to_show(section.facts, written.text, language, summaries)
    return [*split_blocks(written.text), *left]


def _around(
    plan: Plan, page: PlannedPage, order: Iterable[SectionPlan], notes: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    base = posixpath.dirname(page.path) or "."
    links = "\n".join(
        f"[{other.title}]({posixpath.relpath(other.path, base)})"
        for other in plan.pages
        if other.path != page.path
    )
    titles = "\n".join(section.title for section in order if section.title)
    noted = [("a reader's note on the page", note) for note in notes]
    return (
        ("the page", f"{page.title} ({page.kind})"),
        ("its sections", titles),
        ("pages to link to", links),
        *noted,
    )


def _summaries(writer: ModelWriter, page: PlannedPage) -> dict[str, str]:
    """Return what finished pages tell, by the link to them from here."""
    base = posixpath.dirname(page.path) or "."
    return {
        posixpath.relpath(path, base): child.summary
        for path, child in writer.children.items()
        if child.summary
    }


def _unseen(dossier: Dossier, shown: set[str]) -> list[str]:
    return [
        f"{item.path}:{item.start_line}-{item.end_line}"
        for item in dossier.found
        if item.id not in shown
    ]
