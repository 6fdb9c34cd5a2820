"""A page by a model: facts and evidence, sections in order, what they left, checked.

Falls back section by section to the structural text, so that no page is ever broken or
empty.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from devrag.wiki.checking.shown_names import CODE
from devrag.wiki.checking.validators import Finding, Gates
from devrag.wiki.drafts.record import Outcome, Record
from devrag.wiki.evidence.blocks import (
    MarkdownBlock,
    anchors_of,
    join_blocks,
    map_prose,
    split_blocks,
    unlink,
)
from devrag.wiki.generation.material import Former, Material, ModelWriter
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.reuse.keys import record_of
from devrag.wiki.reuse.revision import revision_request
from devrag.wiki.reuse.sections import Dated
from devrag.wiki.reuse.shares import share_out
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.model.citation_spans import narrow_citations
from devrag.wiki.writing.model.outline import SectionPlan, plan_sections
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.section import (
    Desk,
    SectionRequest,
    Topic,
    Written,
    chosen_evidence,
    section_request,
    write_section,
)
from devrag.wiki.writing.model.sections import FactSection, in_language, left_to_show
from devrag.wiki.writing.model.summary import summarise
from devrag.wiki.writing.model.validators import said_as

_SEVERAL = 2


@dataclass(frozen=True, slots=True)
class ModelPage:
    """What came of it. cut: evidence that no call had room for.

    asked: for how many sections an answer was asked; kept: how many needed none.
    summary: '' when none could be used.
    """

    markdown: str
    summary: str
    findings: tuple[Finding, ...]
    cut: tuple[str, ...]
    record: Record
    asked: int
    kept: int


@dataclass(slots=True)
class _Progress:
    """A page as far as it is written. said: its sentences."""

    said: set[str]
    blocks: list[MarkdownBlock] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    asked: int = 0
    kept: int = 0

    def add(self, section: SectionPlan, body: Sequence[MarkdownBlock]) -> None:
        """Put a section behind the others."""
        self.said |= _sentences(body)
        if body and section.title:
            self.blocks.append(MarkdownBlock("heading", section.title, "##"))
        self.blocks += body


def write_model_page(
    writer: ModelWriter,
    plan: Plan,
    page: PlannedPage,
    material: Material,
    gates: Gates,
) -> ModelPage:
    """Write the page around its facts, from the evidence that was gathered."""
    page_context, brief = material.page_context, writer.brief
    asking = Asking(writer.chat, writer.before)
    findings: Sequence[Finding] = ()
    if material.former is not None:
        order = material.former.order
    else:
        asked, findings = plan_sections(
            page, material.sections, page_context, brief, asking
        )
        order = tuple(share_out(asked, page_context))
    desk = Desk(topic_of(writer, plan, page, page_context, order), gates, asking)
    done = _write(desk, material.former, order, _summaries(writer, page))
    blocks = _without_dead_ends(
        [MarkdownBlock("heading", page.title, "#"), *done.blocks]
    )
    markdown = join_blocks(blocks)
    summary = kept_summary(material.former, markdown) or summarise(desk, markdown)
    asking.check()
    record = record_of(material.key, order, page_context, material.context)
    return ModelPage(
        markdown=markdown,
        summary=summary,
        findings=(*findings, *(f for _, each in done.outcomes for f in each)),
        cut=(*page_context.cut, *_unseen(page_context, order)),
        record=record.with_outcomes(done.outcomes),
        asked=done.asked,
        kept=done.kept,
    )


def kept_summary(former: Former | None, markdown: str) -> str:
    """Return the summary while the introduction stays and its names are told of."""
    if former is None or 0 not in former.kept:
        return ""
    spans = (span for _, span in CODE.findall(former.page.summary))
    return former.page.summary if all(span in markdown for span in spans) else ""


def topic_of(
    writer: ModelWriter,
    plan: Plan,
    page: PlannedPage,
    page_context: ModelPageContext,
    order: Iterable[SectionPlan],
) -> Topic:
    """Return what all sections of the page are told."""
    around = _around(plan, page, order, writer.notes.get(page.path, ()))
    return Topic(page.path, around, page_context, writer.brief)


def _write(
    desk: Desk,
    former: Former | None,
    order: Iterable[SectionPlan],
    summaries: Mapping[str, str],
) -> _Progress:
    """Return the page section by section, those that are kept as they were."""
    kept = former.kept if former else {}
    done = _Progress({s for body in kept.values() for s in _sentences(body)})
    for number, section in enumerate(order):
        request = section_request(desk.topic, section)
        told: Sequence[MarkdownBlock] = ()  # the facts speak for themselves
        count, findings = 0, tuple[Finding, ...]()
        if request and former and number in kept:
            done.kept += 1
            told = kept[number]
            count, findings = former.record.outcomes[number]
        elif request:
            done.asked += 1
            dated = former.dated.get(number) if former else None
            written = _told(desk, section, request, dated, frozenset(done.said))
            told, findings = (
                _narrowed(desk, split_blocks(written.text)),
                written.findings,
            )
            count = len(told)
        done.outcomes.append((count, findings))
        shown = _shown(desk, section, told, summaries) if count >= 0 else ()
        done.add(section, [*told, *shown])
    return done


def _told(
    desk: Desk,
    section: SectionPlan,
    request: SectionRequest,
    dated: Dated | None,
    said: frozenset[str],
) -> Written:
    """Return the section, brought up to date where that can be done."""
    revision = revision_request(desk.topic, section, dated)
    if revision is not None:
        written = write_section(desk, section, revision, said)
        if written.text:
            return written
    return write_section(desk, section, request, said)


def _without_dead_ends(blocks: Sequence[MarkdownBlock]) -> list[MarkdownBlock]:
    """Return the page without links to sections of it that it no longer has."""
    anchors = anchors_of(blocks)

    def is_good(target: str) -> bool:
        return not target.startswith("#") or target[1:] in anchors

    return map_prose(blocks, lambda text: unlink(text, is_good))


def _sentences(blocks: Iterable[MarkdownBlock]) -> set[str]:
    return {said_as(s) for b in blocks if b.is_prose for s in b.sentences()}


def _shown(
    desk: Desk,
    section: SectionPlan,
    told: Sequence[MarkdownBlock],
    summaries: Mapping[str, str],
) -> list[MarkdownBlock]:
    """Return the facts that the model left out; all of them if it told nothing."""
    language = desk.topic.brief.language
    if told:
        text = join_blocks(told)
        return _narrowed(desk, left_to_show(section.facts, text, language, summaries))
    blocks = (block for facts in section.facts for block in _headed(facts, section))
    return _narrowed(desk, [in_language(each, language, summaries) for each in blocks])


def _headed(facts: FactSection, section: SectionPlan) -> Sequence[MarkdownBlock]:
    """Return facts as they stand; of several that share a section each by its title."""
    if len(section.facts) < _SEVERAL or not (facts.title and facts.blocks):
        return facts.blocks
    return [MarkdownBlock("heading", facts.title, "###"), *facts.blocks]


def _narrowed(desk: Desk, blocks: Sequence[MarkdownBlock]) -> list[MarkdownBlock]:
    if not blocks:
        return []
    book = desk.topic.page_context.book
    return split_blocks(narrow_citations(join_blocks(blocks), book))


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


def _unseen(page_context: ModelPageContext, order: Iterable[SectionPlan]) -> list[str]:
    shown = {item.id for plan in order for item in chosen_evidence(page_context, plan)}
    return [
        f"{item.path}:{item.start_line}-{item.end_line}"
        for item in page_context.found
        if item.id not in shown
    ]
