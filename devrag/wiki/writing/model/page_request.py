"""What a model is asked for sections of a page: all of them at once, or one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from devrag.llm.chat import Message
from devrag.llm.fence import Fence, all_around
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.evidence.blocks import MarkdownBlock, join_blocks
from devrag.wiki.evidence.page_evidence import MARKER, EvidenceItem
from devrag.wiki.wording import WORDINGS, phrase
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.chosen_evidence import evidence_of
from devrag.wiki.writing.model.facts import (
    is_given_whole,
    outline_of_fact,
    told_facts,
)
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.section_plan import SectionPlan
from devrag.wiki.writing.prompts import fill

INTRODUCTION = "Introduction: what this is and what it is for"
_SUMMARY = (
    "=== summary\n(one or two sentences in {} on what the page tells, for a list of "
    "pages; no ids, no links)"
)
_OF_CHILDREN = 4  # facts about the pages below are given so many times the room
_MOST_SHOWABLE = 1_200  # tokens of tables and diagrams that a page may show
# Sections of facts whose tables repeat what the sections tell, or the evidence itself.
_TOLD_ANYWAY = (
    phrase("## Public surface"),
    phrase("## How its files depend on each other"),
)
_WORDS_OF_TOKENS, _FEWEST_WORDS, _MOST_WORDS, _WORDS_OF_LEAD = 0.28, 100, 320, 130


@dataclass(frozen=True, slots=True)
class PageTask:
    """What all requests for a page are told. around: question, links, notes."""

    page: str
    around: tuple[tuple[str, str], ...]
    context: ModelPageContext
    brief: Brief


@dataclass(frozen=True, slots=True)
class SectionsRequest:
    """What is asked. word: of the marks around the material; items: citable ones.

    shown: facts that may be shown, F1 … → key. facts: those that are told.
    """

    messages: tuple[Message, ...]
    items: tuple[EvidenceItem, ...]
    word: str
    shown: Mapping[str, str]
    facts: str = ""


def is_askable(context: ModelPageContext, plan: SectionPlan) -> bool:
    """Return whether there is anything that a section could cite."""
    if not plan.is_told:
        return False
    if context.budget.is_whole_page and not plan.is_reference and context.names:
        return True  # by the evidence of other sections
    return bool(evidence_of(context, plan) or given_facts(context, plan))


def given_facts(context: ModelPageContext, plan: SectionPlan) -> list[MarkdownBlock]:
    """Return the facts that a section is given: prose with evidence.

    A designed section is written from evidence; without any, its facts are all it has.
    """
    most = context.budget.facts
    is_shown = not plan.is_designed or not context.names
    facts = [f if is_shown else replace(f, blocks=()) for f in plan.facts]
    has_children = any(fact.more for fact in facts)
    return told_facts(facts, most * _OF_CHILDREN if has_children else most)


def given_showable(plan: SectionPlan) -> dict[str, MarkdownBlock]:
    """Return the tables and diagrams that belong to a section, by key."""
    if not plan.is_reference:
        return {}
    return {key: block for fact in plan.facts for key, block in fact.showable.items()}


def sections_request(
    task: PageTask, plans: Mapping[int, SectionPlan], *, note: str = ""
) -> SectionsRequest:
    """Return what the model is asked for these sections, by their numbers.

    note: what was wrong with an answer before.
    """
    context = task.context
    texts = [pair for n in plans for pair in _section(context, n, plans)]
    free = _free_showable(context, plans.values(), task.brief.language)
    texts += free
    fence = Fence([text for pair in (*task.around, *texts) for text in pair])
    language = task.brief.language_name
    summary = [_SUMMARY.format(language)] if 0 in plans else []
    prompt = fill(
        "page",
        language=language,
        fence=fence.word,
        place=all_around(fence, task.around),
        sections=all_around(fence, texts),
        form="\n".join([*(f"=== {number}\n…" for number in plans), *summary]),
        note=f"\n{note}" if note else "",
    )
    messages = (task.brief.message(), Message("user", prompt))
    citable = _citable(context, plans.values(), [text for _, text in free])
    facts = join_blocks(
        b for plan in plans.values() for b in given_facts(context, plan)
    )
    return SectionsRequest(messages, citable, fence.word, context.numbered(), facts)


def _section(
    context: ModelPageContext, number: int, plans: Mapping[int, SectionPlan]
) -> Iterable[tuple[str, str]]:
    """Yield what a section is told, as labelled texts."""
    plan = plans[number]
    words = most_words(context, plan)
    title = plan.title or INTRODUCTION
    yield f"section {number}, at most {words} words", f"{title}\n{plan.about}"
    facts = given_facts(context, plan)
    if facts:
        yield f"facts for section {number}", join_blocks(facts)
    ids = {key: name for name, key in context.numbered().items()}
    for key, block in given_showable(plan).items():
        items = _items_of(context, plans)
        yield f"{ids[key]} of section {number}", _outlined(block, items)
    for item in evidence_of(context, plan):
        yield context.labelled(item)


def _free_showable(
    context: ModelPageContext, plans: Iterable[SectionPlan], language: str
) -> list[tuple[str, str]]:
    """Return the tables and diagrams that any section may show, within a budget."""
    planned = list(plans)
    is_designed = any(plan.is_designed for plan in planned)
    if not is_designed and any(plan.is_reference for plan in planned):
        return []
    told = {WORDINGS[language].say(title).lstrip("# ") for title in _TOLD_ANYWAY}
    items = _items_of(context, dict(enumerate(planned)))
    found, left = [], _MOST_SHOWABLE
    for name, key in context.numbered().items():
        if key.rpartition("/")[0] in told:
            continue
        block = context.showable[key]
        if not is_given_whole(block):
            continue
        text = _outlined(block, items)
        left -= estimate_tokens(text)
        if left >= 0:
            found.append((f"{name} {key}", text))
    return found


def _items_of(
    context: ModelPageContext, plans: Mapping[int, SectionPlan]
) -> list[EvidenceItem]:
    return [item for plan in plans.values() for item in evidence_of(context, plan)]


def _outlined(block: MarkdownBlock, items: Iterable[EvidenceItem]) -> str:
    """Return a fact as a prompt has it; of code that evidence has its first line."""
    first, *rest = [line.strip() for line in block.text.strip().split("\n")]
    if block.kind == "fence" and rest:
        code = "\n".join([first, *rest])
        for item in items:
            if code in "\n".join(map(str.strip, item.excerpt.split("\n"))):
                return f"{first}\n(the whole block is in {item.id})"
    return outline_of_fact(block)


def _citable(
    context: ModelPageContext, plans: Iterable[SectionPlan], shown: Iterable[str]
) -> tuple[EvidenceItem, ...]:
    """Return the items of the evidence, and those that given facts cite.

    shown: tables and diagrams of no section, whose ids the prompt shows as well.
    """
    held = {item.id: item for item in context.book.items}
    ids: list[str] = [key for text in shown for key in MARKER.findall(text)]
    for plan in plans:
        ids += plan.evidence
        blocks = [*given_facts(context, plan), *given_showable(plan).values()]
        ids += [key for block in blocks for key in MARKER.findall(block.text)]
    return tuple(held[key] for key in dict.fromkeys(ids) if key in held)


def most_words(context: ModelPageContext, plan: SectionPlan) -> int:
    """Return how long a section may become, by what it is given."""
    items = evidence_of(context, plan)
    given = sum(estimate_tokens(item.excerpt) for item in items)
    given += sum(estimate_tokens(b.text) for b in given_facts(context, plan))
    most = _MOST_WORDS if plan.title else _WORDS_OF_LEAD
    return min(most, max(_FEWEST_WORDS, round(given * _WORDS_OF_TOKENS)))
