"""What a model's page is made of, gathered before any call: facts and evidence.

Beside the page that readers see it says which sections would be told anything new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from devrag.llm.chat import ChatModel
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.drafts.page import DraftedPage, Inputs
from devrag.wiki.drafts.record import Record
from devrag.wiki.evidence.blocks import MarkdownBlock
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.reuse.fingerprint import inputs_of
from devrag.wiki.reuse.invalidation import doubtful_sections
from devrag.wiki.reuse.keys import outline_key, record_of
from devrag.wiki.reuse.sections import Dated, take_sections
from devrag.wiki.reuse.shares import order_again
from devrag.wiki.reuse.stable_retrieval import settled_places
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.budget import ENOUGH, EvidenceBudget
from devrag.wiki.writing.model.children import ChildPage, child_facts, children_of
from devrag.wiki.writing.model.outline import SectionPlan
from devrag.wiki.writing.model.page_context import (
    Find,
    ModelPageContext,
    build_page_context,
)
from devrag.wiki.writing.model.queries import pseudo_queries
from devrag.wiki.writing.model.sections import FactSection, split_sections
from devrag.wiki.writing.prompts import prompt_version


def do_nothing() -> None:
    """Most callers need not hear of each call."""


@dataclass(frozen=True, slots=True)
class ModelWriter:
    """Who writes and what helps it.

    find: asks the index. children: finished pages by path. notes: what people wrote
    beside a page, by its path. known: files of the version before, `source/path` →
    content hash. before: called ahead of each call. budget: what a section is given.
    checker: judges whether the cited lines say what is written.
    """

    chat: ChatModel
    brief: Brief
    find: Find
    children: Mapping[str, ChildPage] = field(default_factory=dict)
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    known: Mapping[str, str] = field(default_factory=dict)
    before: Callable[[], None] = do_nothing
    budget: EvidenceBudget = ENOUGH
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

    kept: what the model told in sections that need no call, by their place in the
    order. dated: of others, to be brought up to date.
    """

    page: DraftedPage
    order: tuple[SectionPlan, ...]
    record: Record
    kept: Mapping[int, Sequence[MarkdownBlock]]
    dated: Mapping[int, Dated]


@dataclass(frozen=True, slots=True)
class Material:
    """A page's facts by section and its evidence; inputs: the files they come from.

    key: of the order that the facts need; context: what all sections are told. former:
    None where the model must be asked for an order.
    """

    sections: tuple[FactSection, ...]
    page_context: ModelPageContext
    inputs: Inputs
    key: str
    context: tuple[str, ...]
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
    lead, *rest = split_sections(text)
    children = children_of(plan, page, writer.children)
    sections = (child_facts(lead, page, analysis, book, children), *rest)
    made_by = (writer.name, str(writer.version), writer.brief.message().content)
    key = outline_key((page.kind, page.title, *made_by), sections)
    context = (page.kind, page.title, *made_by, *writer.notes.get(page.path, ()))
    former = None
    if published is not None and published.record and published.record.key == key:
        page_context = _page_context(writer, analysis, page, book, published.record)
        order = order_again(published.record, sections, page_context)
        record = record_of(key, order, page_context, context)
        record = record.with_outcomes(published.record.outcomes)
        record = record.asking_for(doubtful_sections(published, record, page_context))
        taken = take_sections(published, record, analysis, plan, book)
        former = Former(published, tuple(order), record, taken.kept, taken.dated)
    else:
        page_context = _page_context(writer, analysis, page, book)
    inputs = inputs_of(analysis, page, book.items)
    return Material(sections, page_context, inputs, key, context, former)


def _page_context(
    writer: ModelWriter,
    analysis: Analysis,
    page: PlannedPage,
    book: EvidenceBook,
    record: Record | None = None,
) -> ModelPageContext:
    """Return the evidence; with a record what it tells of, and what is new."""
    queries = pseudo_queries(analysis, page)
    if record is None:
        return build_page_context(
            analysis, book, queries, writer.find, budget=writer.budget
        )
    return build_page_context(
        analysis,
        book,
        queries,
        writer.find,
        lambda found: settled_places(found, record, writer.known, analysis),
        budget=writer.budget,
    )
