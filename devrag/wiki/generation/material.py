"""What a model's page is made of, gathered before any call: facts and evidence.

Beside the page that readers see it says which sections would be told anything new.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from devrag.llm.chat import ChatModel
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.drafts.page import DraftedPage, Inputs
from devrag.wiki.drafts.record import Outcome, Record
from devrag.wiki.evidence.blocks import MarkdownBlock
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.reuse.fingerprint import inputs_of
from devrag.wiki.reuse.invalidation import doubtful_sections
from devrag.wiki.reuse.keys import record_of, sections_key
from devrag.wiki.reuse.sections import Dated, take_sections
from devrag.wiki.reuse.stable_retrieval import StableEvidence
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.budget import WHOLE_PAGE, EvidenceBudget
from devrag.wiki.writing.model.children import ChildPage, child_facts, children_of
from devrag.wiki.writing.model.chosen_evidence import choose_evidence
from devrag.wiki.writing.model.facts import FactSection, split_facts
from devrag.wiki.writing.model.page_context import (
    Find,
    ModelPageContext,
    page_context_of,
)
from devrag.wiki.writing.model.section_evidence import SectionEvidence
from devrag.wiki.writing.model.section_plan import SectionPlan, plan_sections
from devrag.wiki.writing.model.shown_facts import rest_of
from devrag.wiki.writing.model.ticket_facts import with_ticket_facts
from devrag.wiki.writing.outline.types import PageDesign
from devrag.wiki.writing.prompts import prompt_version


def do_nothing() -> None:
    """Most callers need not hear of each call."""


@dataclass(frozen=True, slots=True)
class ModelWriter:
    """Who writes and what helps it.

    find: asks the index. children: finished pages by path. notes: what people wrote
    beside a page, by its path. known: files of the version before, `source/path` →
    content hash. before: called ahead of each call. budget: what a request is given.
    designs: of pages, by path. checker: judges whether the cited lines say what is
    written.
    """

    chat: ChatModel
    brief: Brief
    find: Find
    children: Mapping[str, ChildPage] = field(default_factory=dict)
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    known: Mapping[str, str] = field(default_factory=dict)
    before: Callable[[], None] = do_nothing
    budget: EvidenceBudget = WHOLE_PAGE
    designs: Mapping[str, PageDesign] = field(default_factory=dict)
    checker: ChatModel | None = None

    @property
    def name(self) -> str:
        return f"{self.chat.provider}/{self.chat.model}"

    @property
    def version(self) -> int:
        return prompt_version()


@dataclass(frozen=True, slots=True)
class Former:
    """The page that readers see, beside what the model would be given for it now.

    kept: what the model told in sections that need no call, by their numbers. dated: of
    others, to be brought up to date.
    """

    page: DraftedPage
    kept: Mapping[int, Sequence[MarkdownBlock]]
    dated: Mapping[int, Dated]


@dataclass(frozen=True, slots=True)
class Material:
    """A page's sections with their facts and evidence, and all facts of the page.

    record: of the sections before any is asked for; of a former page with what became
    of them then. inputs: the files that the page comes from. tied: paths of the pages
    whose code uses its code or is used by it, the most first.
    """

    plans: tuple[SectionPlan, ...]
    facts: tuple[FactSection, ...]
    context: ModelPageContext
    record: Record
    inputs: Inputs
    tied: tuple[str, ...] = ()
    former: Former | None = None


def gather_material(
    writer: ModelWriter,
    analysis: Analysis,
    plan: Plan,
    page: PlannedPage,
    facts: tuple[str, EvidenceBook],
    published: DraftedPage | None = None,
) -> Material:
    """Return all that the model will be told of; nothing is asked of it here.

    facts: structural text and its evidence, to which more is added. published: the
    page that readers see, as far as it may be kept.
    """
    text, book = facts
    lead, *rest = with_ticket_facts(split_facts(text), analysis, page, book)
    children = children_of(plan, page, writer.children)
    every = (child_facts(lead, page, analysis, book, children), *rest)
    plans = plan_sections(every, writer.designs.get(page.path))
    made_by = (writer.name, str(writer.version), writer.brief.message().content)
    key = sections_key((page.kind, page.title, *made_by), plans)
    shared = (page.kind, page.title, *made_by, *writer.notes.get(page.path, ()))
    context = page_context_of(analysis, book, every, writer.budget)
    tied = _tied_pages(analysis, plan, page)
    finder = SectionEvidence(analysis, page, plans, writer.find)
    before = published.record if published else None
    if published is None or before is None or before.key != key:
        plans = choose_evidence(plans, finder, context)
        record = record_of(key, plans, context, shared)
        inputs = inputs_of(analysis, page, book.items)
        return Material(tuple(plans), every, context, record, inputs, tied)
    stable = StableEvidence(analysis, before, writer.known)
    plans = stable.choose(plans, finder, context)
    record = record_of(key, plans, context, shared)
    outcomes = _as_shown_now(before.outcomes, plans, context)
    record = record.with_outcomes(outcomes)
    record = record.asking_for(doubtful_sections(published, context))
    taken = take_sections(published, record, analysis, plan, book)
    former = Former(published, taken.kept, taken.dated)
    inputs = inputs_of(analysis, page, book.items)
    return Material(tuple(plans), every, context, record, inputs, tied, former)


def _as_shown_now(
    outcomes: Sequence[Outcome], plans: Sequence[SectionPlan], context: ModelPageContext
) -> list[Outcome]:
    return [
        replace(outcome, rest=rest_of(outcome, plan, context))
        for outcome, plan in zip(outcomes, plans, strict=True)
    ]


def _tied_pages(analysis: Analysis, plan: Plan, page: PlannedPage) -> tuple[str, ...]:
    if page.topic is None:
        return ()
    ties: dict[int, float] = defaultdict(float)
    for source, targets in analysis.topic_edges.items():
        for target, weight in targets.items():
            if page.topic in {source, target}:
                ties[target if source == page.topic else source] += weight
    ranked = sorted(ties, key=lambda topic: (-ties[topic], topic))
    return tuple(p.path for t in ranked if (p := plan.page_of_topic(t)) is not None)
