"""A page by a model: its sections from facts and evidence, checked, told or kept.

Falls back section by section to the structural text, so that no page is ever broken or
empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from devrag.wiki.checking.shown_names import CODE
from devrag.wiki.checking.validators import Finding
from devrag.wiki.drafts.record import Outcome, Record
from devrag.wiki.evidence.blocks import (
    MarkdownBlock,
    anchors_of,
    join_blocks,
    map_prose,
    split_blocks,
    unlink,
)
from devrag.wiki.generation.links import linked_summaries, task_of
from devrag.wiki.generation.material import Former, Material, ModelWriter
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.reuse.revision import revision_request
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.model.facts import SHOWN
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.page_request import is_askable
from devrag.wiki.writing.model.page_writer import PageWriter, Proof
from devrag.wiki.writing.model.section_plan import SectionPlan
from devrag.wiki.writing.model.shown_facts import (
    facts_instead,
    rest_of,
    shown_body,
    with_reference,
)
from devrag.wiki.writing.model.summary import checked_summary
from devrag.wiki.writing.model.told_sections import ToldSection, sentences_said


@dataclass(frozen=True, slots=True)
class ModelPage:
    """What came of it. cut: evidence that no call had room for.

    asked: for how many sections an answer was asked; kept: how many needed none.
    summary: '' when none could be used. checked, unsupported: how many claims were
    judged, and how many of these failed.
    """

    markdown: str
    summary: str
    findings: tuple[Finding, ...]
    cut: tuple[str, ...]
    record: Record
    asked: int
    kept: int
    checked: int = 0
    unsupported: int = 0


@dataclass(slots=True)
class _Body:
    """Blocks of a page as far as they are put together, with what became of each."""

    blocks: list[MarkdownBlock] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    def add(
        self, plan: SectionPlan, body: Sequence[MarkdownBlock], outcome: Outcome
    ) -> None:
        """Put a section behind the others."""
        self.outcomes.append(outcome)
        if body and plan.title:
            self.blocks.append(MarkdownBlock("heading", plan.title, "##"))
        self.blocks += body


def write_model_page(
    writer: ModelWriter,
    plan: Plan,
    page: PlannedPage,
    material: Material,
    proof: Proof,
) -> ModelPage:
    """Write the page's sections, from the evidence that was gathered."""
    asking = Asking(writer.chat, writer.before)
    task = task_of(writer, plan, page, material)
    # What a prompt shows of an item beside its lines is shown to the gates, too.
    gates = replace(proof.gates, shown=material.context.names)
    proof = replace(proof, gates=gates)
    sections = PageWriter(task, proof, asking)
    told = _told(sections, material)
    asking.check()
    wide = sections.wide
    told = {n: _with_citations_set(each, proof, wide) for n, each in told.items()}
    done = _put_together(material, told, writer.brief.language, writer, page)
    blocks = _without_dead_ends(
        [MarkdownBlock("heading", page.title, "#"), *done.blocks]
    )
    markdown = join_blocks(blocks)
    kept = material.former.kept if material.former else {}
    return ModelPage(
        markdown=markdown,
        summary=_summary(sections, material.former, markdown),
        findings=tuple(f for each in done.outcomes for f in each.findings),
        cut=tuple(dict.fromkeys(material.context.cut)),
        record=material.record.with_outcomes(done.outcomes),
        asked=len(told),
        kept=len(kept),
        checked=sections.checked,
        unsupported=sections.unsupported,
    )


def asked_sections(material: Material) -> dict[int, SectionPlan]:
    """Return the sections that the model is to be asked for, by number."""
    kept = material.former.kept if material.former else {}
    return {
        number: plan
        for number, plan in enumerate(material.plans)
        if number not in kept and is_askable(material.context, plan)
    }


def _told(sections: PageWriter, material: Material) -> dict[int, ToldSection]:
    """Return what the model tells: brought up to date where that can be, else anew."""
    kept = material.former.kept if material.former else {}
    said = frozenset(s for body in kept.values() for s in sentences_said(list(body)))
    anew = asked_sections(material)
    dated = material.former.dated if material.former else {}
    requests = {
        number: revision_request(sections.task, plan, dated.get(number))
        for number, plan in anew.items()
    }
    revisions = {number: each for number, each in requests.items() if each is not None}
    return sections.write(anew, said, revisions)


def _put_together(
    material: Material,
    told: Mapping[int, ToldSection],
    language: str,
    writer: ModelWriter,
    page: PlannedPage,
) -> _Body:
    """Return the page with its facts: those asked for, those where nothing is told."""
    summaries = linked_summaries(writer, page)
    kept = material.former.kept if material.former else {}
    context, done = material.context, _Body()
    is_told = any(kept.values()) or any(each.blocks for each in told.values())
    for number, plan in enumerate(material.plans):
        section = told.get(number)
        body = kept.get(number, section.blocks if section else ())
        findings = _findings(material, number, section)
        if not body and (plan.is_reference or not plan.title):
            instead = facts_instead(plan.facts, language, summaries)
            done.add(plan, instead, _outcome(0, (), findings, plan, context))
            continue
        whole = with_reference(body, plan) if body else []
        blocks, places = shown_body(whole, context, language, summaries)
        outcome = _outcome(len(blocks), places, findings, plan, context)
        done.add(plan, blocks, outcome)
    return done if is_told else _facts_alone(material, done, language, summaries)


def _facts_alone(
    material: Material, done: _Body, language: str, summaries: Mapping[str, str]
) -> _Body:
    """Return the structural page where the model could tell nothing of it."""
    body = _Body()
    for fact in material.facts:
        plan = SectionPlan(fact.title, "", (fact,))
        instead = facts_instead([fact], language, summaries)
        body.add(plan, instead, Outcome())
    return _Body(body.blocks, done.outcomes)


def _outcome(
    told: int,
    shown: tuple[tuple[int, str], ...],
    findings: tuple[Finding, ...],
    plan: SectionPlan,
    context: ModelPageContext,
) -> Outcome:
    outcome = Outcome(told, shown, "", findings)
    return replace(outcome, rest=rest_of(outcome, plan, context))


def _findings(
    material: Material, number: int, section: ToldSection | None
) -> tuple[Finding, ...]:
    """Return what gates said of a section, of one that is kept when it was written."""
    if section is not None:
        return section.findings
    if material.former and number in material.former.kept:
        return material.record.outcomes[number].findings
    return ()


def _summary(sections: PageWriter, former: Former | None, markdown: str) -> str:
    language = sections.task.brief.language
    new = checked_summary(sections.summary, markdown, sections.rules(), language)
    return new or kept_summary(former, markdown)


def kept_summary(former: Former | None, markdown: str) -> str:
    """Return the summary of before while all its names are told of."""
    if former is None:
        return ""
    spans = (span for _, span in CODE.findall(former.page.summary))
    return former.page.summary if all(span in markdown for span in spans) else ""


def _without_dead_ends(blocks: Sequence[MarkdownBlock]) -> list[MarkdownBlock]:
    """Return the page without links to sections of it that it no longer has."""
    anchors = anchors_of(blocks)

    def is_good(target: str) -> bool:
        return not target.startswith("#") or target[1:] in anchors

    return map_prose(blocks, lambda text: unlink(text, is_good))


def _with_citations_set(
    section: ToldSection, proof: Proof, wide: frozenset[str]
) -> ToldSection:
    """Return what is told with its citations at the lines that bear each sentence.

    wide: sentences, as `said_as` has them, that cite all of their evidence.
    """
    found: list[MarkdownBlock] = []
    run: list[MarkdownBlock] = []
    for block in [*section.blocks, None]:
        if block is not None and block.kind != SHOWN:
            run.append(block)
            continue
        if run:
            text = proof.spans.narrowed(join_blocks(run), proof.known, wide)
            found += split_blocks(text)
            run = []
        if block is not None:
            found.append(block)
    return replace(section, blocks=tuple(found))
