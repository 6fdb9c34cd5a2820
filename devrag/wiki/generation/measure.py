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
from devrag.wiki.writing.model.page_request import most_words, sections_request

_TOKENS_A_WORD = 1.5
_OF_A_SUMMARY = 60


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
    return found


def measure_call(messages: Iterable[Message], answer: int) -> TokenCount:
    """Return what one call takes that is answered with so many tokens."""
    return TokenCount(
        sum(estimate_tokens(each.content) for each in messages), answer, 1
    )
