"""What a page would take from and get of a model, counted from the very prompts: pure.

Repairs are left aside: a section that passes its checks needs none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from devrag.llm.chat import Message
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.generation.links import task_of
from devrag.wiki.generation.material import Material, ModelWriter
from devrag.wiki.generation.model_page import asked_sections
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.reuse.revision import revision_request
from devrag.wiki.writing.model.chosen_evidence import evidence_of
from devrag.wiki.writing.model.page_request import most_words, sections_request
from devrag.wiki.writing.model.section_plan import SectionPlan

_TOKENS_A_WORD = 1.5
_OF_A_SUMMARY = 60
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
    """Return what it would take to write what is not kept of the page."""
    task, former = task_of(writer, plan, page, material), material.former
    found = TokenCount()
    anew = {}
    for number, section in asked_sections(material).items():
        dated = former.dated.get(number) if former else None
        request = revision_request(task, section, dated)
        if request is None:
            anew[number] = section
            continue
        words = most_words(material.context, section)
        found += measure_call(request.messages, round(_TOKENS_A_WORD * words))
    is_whole = material.context.budget.is_whole_page
    portions = [anew] if is_whole else [{n: each} for n, each in anew.items()]
    for portion in filter(None, portions):
        words = sum(most_words(material.context, each) for each in portion.values())
        answer = round(_TOKENS_A_WORD * words) + _OF_A_SUMMARY
        found += measure_call(sections_request(task, portion).messages, answer)
    if writer.checker is not None:
        # What is brought up to date has hardly a new sentence.
        words = sum(most_words(material.context, each) for each in anew.values())
        found += measure_check(words, _evidence_tokens(material, anew.values()))
    return found


def _evidence_tokens(material: Material, plans: Iterable[SectionPlan]) -> int:
    items = {i.id: i for plan in plans for i in evidence_of(material.context, plan)}
    return sum(estimate_tokens(item.excerpt) for item in items.values())


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
