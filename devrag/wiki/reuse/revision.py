"""Brings a section up to date: the model reads its text and what is news to it.

A commit mostly touches one of the many things that a section was given. Telling it all
anew would cost ten times the tokens and change sentences that are still true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from devrag.llm.chat import Message
from devrag.llm.fence import Fence, all_around
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.evidence.blocks import MarkdownBlock, join_blocks
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.reuse.sections import Dated
from devrag.wiki.writing.model.chosen_evidence import evidence_of
from devrag.wiki.writing.model.facts import SHOWN
from devrag.wiki.writing.model.page_request import (
    INTRODUCTION,
    PageTask,
    SectionsRequest,
    given_facts,
    most_words,
)
from devrag.wiki.writing.model.parts import SectionInput, parts_of
from devrag.wiki.writing.model.section_plan import SectionPlan
from devrag.wiki.writing.prompts import fill

_MOST_NEWS = 0.5  # of what the section is given; beyond it is told anew


def revision_request(
    task: PageTask, plan: SectionPlan, dated: Dated | None
) -> SectionsRequest | None:
    """Return what the model is asked, None where the section is to be told anew."""
    if dated is None:
        return None
    context = task.context
    items = evidence_of(context, plan)
    parts = parts_of(given_facts(context, plan), items, context.book.items)
    news = [part for part in parts if part.digest not in dated.known]
    if not news or _size(news) > _MOST_NEWS * _size(parts):
        return None
    facts = [part.block for part in news if part.block]
    held = {item.id: item for item in context.book.items}
    told = [key for block in facts for key in MARKER.findall(block.text)]
    shown = [part.item for part in news if part.item]
    text = _text(dated.body, context.numbered())
    texts = [context.labelled(item) for item in shown]
    section = ("the section to revise", f"{plan.title or INTRODUCTION}\n{plan.about}")
    fence = Fence(
        [text, *(t for pair in (section, *task.around, *texts) for t in pair)]
    )
    prompt = fill(
        "revision",
        language=task.brief.language_name,
        words=most_words(context, plan),
        fence=fence.word,
        place=all_around(fence, [section, *task.around]),
        text=fence.around("text", text),
        facts=fence.around("facts", join_blocks(facts) if facts else ""),
        evidence=all_around(fence, texts),
    )
    messages = (task.brief.message(), Message("user", prompt))
    ids = [*plan.evidence, *told, *MARKER.findall(text)]
    citable = tuple(held[key] for key in dict.fromkeys(ids) if key in held)
    told_facts = join_blocks(given_facts(context, plan))
    numbered = context.numbered()
    return SectionsRequest(messages, citable, fence.word, numbered, told_facts)


def _text(body: Sequence[MarkdownBlock], numbered: Mapping[str, str]) -> str:
    """Return a section as it stands, the facts that it shows by their numbers."""
    names = {key: name for name, key in numbered.items()}
    blocks = [
        MarkdownBlock("paragraph", f"[[{names[block.text]}]]")
        if block.kind == SHOWN
        else block
        for block in body
        if block.kind != SHOWN or block.text in names
    ]
    return join_blocks(blocks) if blocks else ""


def _size(parts: Iterable[SectionInput]) -> int:
    return sum(estimate_tokens(part.text) for part in parts)
