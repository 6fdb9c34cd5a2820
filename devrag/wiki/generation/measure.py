"""What a page would take from and get of a model, counted from the very prompts: pure.

Corrections are left aside: a section that passes its checks needs none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from devrag.llm.chat import Message
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.generation.material import Material, ModelWriter
from devrag.wiki.generation.model_page import kept_summary, topic_of
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.reuse.revision import revision_request
from devrag.wiki.reuse.shares import share_out
from devrag.wiki.writing.model.outline import (
    as_they_are,
    needs_outline,
    outline_request,
)
from devrag.wiki.writing.model.section import most_words, section_request
from devrag.wiki.writing.model.summary import summary_request

_TOKENS_A_WORD = 1.5
_OF_AN_OUTLINE, _OF_A_SUMMARY = 60, 80  # of each section's entry; of the whole
# Of a check: its rules; of a claim its words and its verdict.
_OF_A_CHECK, _WORDS_A_CLAIM, _OF_A_VERDICT = 400, 18, 6


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Tokens that a model is given and answers with, and by how many calls."""

    input: int = 0
    output: int = 0
    calls: int = 0

    def __add__(self, other: TokenCount) -> TokenCount:
        return TokenCount(
            self.input + other.input,
            self.output + other.output,
            self.calls + other.calls,
        )


def measure_page(
    writer: ModelWriter, plan: Plan, page: PlannedPage, material: Material
) -> TokenCount:
    """Return what it would take to write what is not kept of the page.

    Without an order that is known its facts are taken in their own.
    """
    page_context, brief, former = material.page_context, writer.brief, material.former
    found = TokenCount()
    rest, order = material.sections[1:], as_they_are(material.sections)
    if former is not None:
        order = list(former.order)
    else:
        if needs_outline(rest, page_context):
            asked = outline_request(page, rest, page_context, brief)
            found += measure_call(asked, _OF_AN_OUTLINE * len(order))
        order = share_out(order, page_context)
    topic = topic_of(writer, plan, page, page_context, order)
    told_words = evidence = 0
    for number, section in enumerate(order):
        request = section_request(topic, section)
        if request is not None and not (former and number in former.kept):
            dated = former.dated.get(number) if former else None
            revision = revision_request(topic, section, dated)
            words = most_words(section)
            messages = (revision or request).messages
            found += measure_call(messages, round(_TOKENS_A_WORD * words))
            # What is brought up to date has hardly a new sentence.
            told_words += 0 if revision else words
            evidence += sum(estimate_tokens(item.excerpt) for item in request.items)
    if writer.checker is not None:
        found += measure_check(told_words, evidence)
    text = "\n\n".join(facts.markdown for facts in material.sections)
    text = former.page.markdown if former else text
    if kept_summary(former, text):
        return found
    return found + measure_call(summary_request(text, brief), _OF_A_SUMMARY)


def measure_check(words: int, evidence: int) -> TokenCount:
    """Return what it takes to hold new words against evidence of so many tokens.

    A text is cited from about all of its evidence and is a part of that long.
    """
    if not words:
        return TokenCount()
    told = min(round(_TOKENS_A_WORD * words), evidence // 3)
    claims = round(told / _TOKENS_A_WORD / _WORDS_A_CLAIM) + 1
    return TokenCount(_OF_A_CHECK + evidence + told, claims * _OF_A_VERDICT, 1)


def measure_call(messages: Iterable[Message], answer: int) -> TokenCount:
    """Return what one call takes that is answered with so many tokens."""
    return TokenCount(
        sum(estimate_tokens(each.content) for each in messages), answer, 1
    )
