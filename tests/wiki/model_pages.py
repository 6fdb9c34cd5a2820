"""Writes pages of the small shop with a scripted model, for tests of what happens."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.conf import settings

from devrag.llm.chat import ChatModel
from devrag.search.types import Hit
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.names import Names
from devrag.wiki.checking.mermaid import shared_parser
from devrag.wiki.checking.validators import Gates
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.evidence.citations import CITATION, after_punctuation
from devrag.wiki.evidence.page_evidence import EvidenceBook
from devrag.wiki.generation.material import ModelWriter
from devrag.wiki.generation.page import compose_page
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.budget import WHOLE_PAGE, EvidenceBudget
from devrag.wiki.writing.model.children import ChildPage
from devrag.wiki.writing.model.citation_spans import CitationSpans
from devrag.wiki.writing.model.facts import split_facts
from devrag.wiki.writing.model.page_context import Find
from devrag.wiki.writing.model.queries import PseudoQuery
from devrag.wiki.writing.model.validators import Rules
from devrag.wiki.writing.model.whole_places import WholePlaces
from devrag.wiki.writing.outline.types import PageDesign, SectionDesign
from tests.wiki.plans import plan_wiki
from tests.wiki.scripted import Fault, ScriptedModel, claims_in
from tests.wiki.shop import SHOP, analyse

ORDERS = "features/orders.md"
STOCK = "features/stock.md"
DESIGN = PageDesign(
    "How does an order come about?",
    (
        SectionDesign("Placing an order", "What does place_order reserve and keep?"),
        SectionDesign("What an order is made of", "What do Order and Line hold?"),
    ),
)
SECTION_BY_SECTION = EvidenceBudget(1_500, 4_000, is_whole_page=False, answer=2_048)
WORK = 'def work():\n    """Do it."""\n    return helper(1)\n\n\ndef helper(n):\n'
# Beside much else, so that what is cited is a part of it.
LONG_WORK = WORK + "    return n\n" + "\n# Nothing.\n" * 30


def nothing(_query: PseudoQuery) -> Sequence[Hit]:
    return ()


def write(
    model: ChatModel,
    path: str = ORDERS,
    *,
    tree: Mapping[str, str] = SHOP,
    children: Mapping[str, ChildPage] | None = None,
    notes: Sequence[str] = (),
    brief: Brief | None = None,
    published: DraftedPage | None = None,
    find: Find = nothing,
    known: Mapping[str, str] | None = None,
    design: PageDesign | None = None,
    budget: EvidenceBudget = WHOLE_PAGE,
    checker: ChatModel | None = None,
    analysis: Analysis | None = None,
) -> DraftedPage:
    analysis = analysis or analyse(tree)
    brief = brief or Brief("Shop", getattr(model, "language", "en"))
    plan, page = _planned(analysis, path, brief.language)
    writer = ModelWriter(
        model,
        brief,
        find,
        children or {},
        {path: notes},
        known or {},
        budget=budget,
        designs={path: design} if design else {},
        checker=checker,
    )
    return compose_page(
        analysis, plan, page, _diagram_error(), writer, published=published
    )


def structural_lead(path: str = ORDERS) -> str:
    """Return what a page of the shop opens with that no model wrote."""
    analysis = analyse(SHOP)
    plan, page = _planned(analysis, path)
    return lead_of(compose_page(analysis, plan, page, _diagram_error()))


def lead_of(draft: DraftedPage) -> str:
    """Return what a page opens with, without numbers of citations."""
    lead, *_ = split_facts(draft.markdown)
    return CITATION.sub("", lead.markdown).strip()


def _diagram_error() -> Callable[[str], str | None]:
    return shared_parser(settings.MERMAID_PATH).error_in


def _planned(
    analysis: Analysis, path: str, language: str = "en"
) -> tuple[Plan, PlannedPage]:
    plan = plan_wiki(analysis, language)
    page = plan.page(path)
    assert page is not None
    return plan, page


def as_published(draft: DraftedPage) -> DraftedPage:
    """Return a draft as readers and the next run get it."""
    draft = replace(draft, markdown=after_punctuation(draft.markdown))
    return DraftedPage.from_json(json.loads(json.dumps(draft.as_json())))


def gates_of(draft: DraftedPage) -> list[str]:
    return [finding.gate for finding in draft.findings]


def always(fault: Fault, language: str = "en") -> ScriptedModel:
    return ScriptedModel(language, faults=[fault])


def refusing(*words: str) -> ScriptedModel:
    """A judge to whom claims with these words are not supported."""

    def verdicts(prompt: str) -> str:
        claims = claims_in(prompt)
        failed = [n for n, said in claims if any(word in said for word in words)]
        lines = [f"{number}| not shown" for number in failed]
        return "\n".join([*lines, f"checked| {len(claims)}"])

    return ScriptedModel(verdicts=verdicts)


def spans_of(text: str = WORK) -> CitationSpans:
    """Spans of the one file that `rules_of` has evidence of."""
    analysis = analyse({"a.py": text})
    book = EvidenceBook(analysis.files, analysis.texts)
    return CitationSpans(book, WholePlaces(analysis).all_in)


def rules_of(
    said: frozenset[str] = frozenset(),
    glossary: Mapping[str, str] | None = None,
    text: str = WORK,
) -> Rules:
    """Rules of a section with one item of evidence, E1."""
    analysis = analyse({"a.py": text})
    book = EvidenceBook(analysis.files, analysis.texts)
    book.hold(1, 1, text.count("\n"))
    gates = Gates(
        page="features/a.md",
        pages=frozenset({"index.md", "features/a.md"}),
        names=Names({"work", "helper", "elsewhere", "a.py"}),
        items={item.id: item for item in book.items},
        broken_items={},
        diagram_error=_diagram_error(),
    )
    return Rules(gates, "f00dcafe", said, glossary or {})
