"""Brings a section up to date: the model reads its text and what is news to it.

A commit mostly touches one of the many things that a section was given. Telling it all
anew would cost ten times the tokens and change sentences that are still true.
"""

from __future__ import annotations

from collections.abc import Iterable

from devrag.llm.chat import Message
from devrag.llm.fence import Fence, all_around
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.evidence.blocks import join_blocks
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.reuse.sections import Dated
from devrag.wiki.writing.model.outline import SectionPlan
from devrag.wiki.writing.model.parts import SectionInput, parts_of
from devrag.wiki.writing.model.section import (
    SectionRequest,
    Topic,
    chosen_evidence,
    given_facts,
    most_words,
    place_of,
    texts_of,
)
from devrag.wiki.writing.prompts import fill

_MOST_NEWS = 0.5  # of what the section is given; beyond it is told anew


def revision_request(
    topic: Topic, plan: SectionPlan, dated: Dated | None
) -> SectionRequest | None:
    """Return what the model is asked, None where the section is to be told anew."""
    if dated is None:
        return None
    items = chosen_evidence(topic.page_context, plan)
    parts = parts_of(given_facts(topic.page_context, plan, items), items)
    news = [part for part in parts if part.digest not in dated.known]
    if not news or _size(news) > _MOST_NEWS * _size(parts):
        return None
    facts = [part.block for part in news if part.block]
    told = {key for block in facts for key in MARKER.findall(block.text)}
    new = {part.item.id for part in news if part.item}
    shown = [item for item in items if item.id in told | new]
    text = join_blocks(dated.body)
    fence = Fence([*texts_of(topic, plan, shown), text])
    prompt = fill(
        "revision",
        language=topic.brief.language_name,
        words=most_words(plan),
        fence=fence.word,
        place=place_of(topic, plan, fence),
        text=fence.around("text", text),
        facts=fence.around("facts", join_blocks(facts) if facts else ""),
        evidence=all_around(fence, map(topic.labelled, shown)),
    )
    messages = (topic.brief.message(), Message("user", prompt, is_repeated=True))
    held = {item.id: item for item in topic.page_context.book.items}
    cited = (held[key] for key in MARKER.findall(text) if key in held)
    return SectionRequest(messages, tuple(dict.fromkeys([*items, *cited])), fence.word)


def _size(parts: Iterable[SectionInput]) -> int:
    return sum(estimate_tokens(part.text) for part in parts)
