"""Puts facts on a model's page: where its text asks for them, or tells nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from devrag.wiki.drafts.record import Outcome
from devrag.wiki.evidence.blocks import MarkdownBlock, join_blocks
from devrag.wiki.evidence.digests import telling_digest
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.model.facts import SHOWN, FactSection, in_language
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.page_request import given_showable
from devrag.wiki.writing.model.section_plan import SectionPlan

_SEVERAL = 2


def with_reference(
    told: Sequence[MarkdownBlock], plan: SectionPlan
) -> list[MarkdownBlock]:
    """Return a section with the tables and diagrams that belong to it, each once."""
    shown = {block.text for block in told if block.kind == SHOWN}
    own = given_showable(plan)
    return [*told, *(MarkdownBlock(SHOWN, key) for key in own if key not in shown)]


def shown_body(
    body: Iterable[MarkdownBlock],
    context: ModelPageContext,
    language: str,
    summaries: Mapping[str, str],
) -> tuple[list[MarkdownBlock], tuple[tuple[int, str], ...]]:
    """Return a section with its facts as they are now, and where these stand."""
    blocks: list[MarkdownBlock] = []
    places: list[tuple[int, str]] = []
    for block in body:
        if block.kind != SHOWN:
            blocks.append(block)
        elif fact := context.showable.get(block.text):
            places.append((len(blocks), block.text))
            blocks.append(in_language(fact, language, summaries))
    return blocks, tuple(places)


def facts_instead(
    facts: Sequence[FactSection], language: str, summaries: Mapping[str, str]
) -> list[MarkdownBlock]:
    """Return facts as they stand; of several that share a section each by its title."""
    blocks = (block for fact in facts for block in _headed(fact, facts))
    return [in_language(each, language, summaries) for each in blocks]


def _headed(fact: FactSection, facts: Sequence[FactSection]) -> Sequence[MarkdownBlock]:
    if len(facts) < _SEVERAL or not (fact.title and fact.blocks):
        return fact.blocks
    return [MarkdownBlock("heading", fact.title, "###"), *fact.blocks]


def rest_of(outcome: Outcome, plan: SectionPlan, context: ModelPageContext) -> str:
    """Return a digest of the facts that a section shows, '' for none.

    The page has them as they are, so they call for another page but for no call.
    """
    if outcome.told == 0:
        shown = [block for fact in plan.facts for block in fact.blocks]
    else:
        keys = [key for _, key in outcome.shown]
        shown = [context.showable[key] for key in keys if key in context.showable]
    text = MARKER.sub("", join_blocks(shown)) if shown else ""
    return telling_digest(text, ()) if text else ""
