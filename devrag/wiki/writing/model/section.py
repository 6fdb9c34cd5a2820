"""Writes one section: ask, check, ask again for what failed, cut what is left.

Of an answer of which something can be used only the sentences that failed are asked for
again, in one call; the whole only where nothing of it can.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from devrag.llm.chat import Completion, Message
from devrag.llm.fence import Fence, all_around
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.checking.validators import Finding, Gates
from devrag.wiki.drafts.record import UNTOLD
from devrag.wiki.evidence.blocks import join_blocks, plain, split_blocks
from devrag.wiki.evidence.page_evidence import MARKER, EvidenceItem
from devrag.wiki.writing.model.answers import read_answer
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.model.outline import SectionPlan
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.rewrite import rewrite_sentences, with_sentences
from devrag.wiki.writing.model.validators import Rules, check_section
from devrag.wiki.writing.prompts import fill

_TRIES = 3
_WORDS, _WORDS_OF_LEAD = 350, 150
_MOST_FAULTS = 20
_ANSWER_SHOWN = 12_000  # characters


@dataclass(frozen=True, slots=True)
class Topic:
    """What all sections of a page are told. around: title, other sections, links."""

    page: str
    around: tuple[tuple[str, str], ...]
    page_context: ModelPageContext
    brief: Brief

    def labelled(self, item: EvidenceItem) -> tuple[str, str]:
        """Return an item's label in a prompt, and its lines."""
        kind = self.page_context.kinds.get(item.id, "")
        return f"{item.id} {kind} {item.source}/{item.path}", item.excerpt


@dataclass(frozen=True, slots=True)
class Desk:
    """Where the sections of a page are written: asked for and judged."""

    topic: Topic
    gates: Gates
    asking: Asking

    @property
    def glossary(self) -> Mapping[str, str]:
        """Return word → how the wiki writes it; the product's settings count first."""
        return {**self.topic.page_context.spellings, **self.topic.brief.glossary}


@dataclass(frozen=True, slots=True)
class SectionRequest:
    """What is asked for a section. word: of the marks around the material."""

    messages: tuple[Message, ...]
    items: tuple[EvidenceItem, ...]
    word: str


@dataclass(frozen=True, slots=True)
class Written:
    """A section's text, '' when no answer could be used, and what gates said."""

    text: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Attempt:
    """draft: the text before anything of it was cut."""

    text: str
    faults: tuple[Finding, ...]
    is_cut: bool = False
    is_hopeless: bool = False
    draft: str = ""

    @property
    def worth(self) -> tuple[bool, int, int]:
        return bool(self.text), -len(self.faults), len(self.text)


def write_section(
    desk: Desk, plan: SectionPlan, request: SectionRequest, said: frozenset[str]
) -> Written:
    """Return the section as far as the gates let it through."""
    brief = desk.topic.brief
    gates = replace(desk.gates, items={item.id: item for item in request.items})
    facts = given_facts(desk.topic.page_context, plan, request.items)
    rules = Rules(gates, request.word, said, desk.glossary, facts)
    attempts: list[_Attempt] = []
    messages: Sequence[Message] = request.messages
    before = ""
    for _ in range(_TRIES):
        completion = desk.asking.ask(messages)
        attempt = _judge(completion, plan, rules, brief.language)
        attempts.append(attempt)
        if attempt.text or not attempt.faults or attempt.is_hopeless:
            break
        answer = completion.text[:_ANSWER_SHOWN].strip()
        messages = _asked_again(request, answer, before, attempt.faults, brief)
        before = answer
    best = max(reversed(attempts), key=lambda attempt: attempt.worth)
    return _result(desk.topic.page, plan, _mended(desk, rules, best))


def _mended(desk: Desk, rules: Rules, attempt: _Attempt) -> _Attempt:
    """Return an attempt with what the model says instead of its failed sentences."""
    if not attempt.text:
        return attempt
    items, brief = rules.gates.items, desk.topic.brief
    rewritten = rewrite_sentences(attempt.faults, items, desk.asking, brief)
    if not rewritten:
        return attempt
    draft = with_sentences(attempt.draft, rewritten)
    text, faults = check_section(draft, rules)
    mended = replace(attempt, text=text, faults=tuple(faults), draft=draft)
    return max(attempt, mended, key=lambda each: each.worth)


def section_request(topic: Topic, plan: SectionPlan) -> SectionRequest | None:
    """Return what the model is asked, None where there is nothing to cite."""
    items = chosen_evidence(topic.page_context, plan)
    if not items or plan.is_navigation:
        return None
    fence = Fence(texts_of(topic, plan, items))
    prompt = _prompt(topic, plan, items, fence)
    # Corrections repeat it: a provider that sells cached input may keep it.
    messages = (topic.brief.message(), Message("user", prompt, is_repeated=True))
    return SectionRequest(messages, tuple(items), fence.word)


def most_words(plan: SectionPlan) -> int:
    """Return how long a section may become."""
    return _WORDS if plan.title else _WORDS_OF_LEAD


def _judge(
    completion: Completion, plan: SectionPlan, rules: Rules, language: str
) -> _Attempt:
    answer = read_answer(completion, plan.title, language)
    if answer.problem:
        fault = Finding(rules.gates.page, answer.gate, answer.problem)
        return _Attempt("", (fault,), answer.is_cut, answer.is_hopeless)
    draft = join_blocks(split_blocks(answer.text))
    text, faults = check_section(draft, rules)
    usable = text if plain(text) else ""
    return _Attempt(usable, tuple(faults), answer.is_cut, draft=draft)


def _result(page: str, plan: SectionPlan, best: _Attempt) -> Written:
    findings = list(best.faults)
    title = plan.title or "introduction"
    if best.is_cut and best.text:
        reason = (
            "the answer came to no end; the section ends at its last whole sentence"
        )
        findings.append(Finding(page, "length", reason, title))
    if not best.text:
        reason = "nothing of the model's section could be used"
        instead = "; the facts stand instead" if plan.facts else "; it is left out"
        findings.append(Finding(page, UNTOLD, reason + instead, title))
    return Written(best.text, tuple(findings))


def _asked_again(
    request: SectionRequest,
    answer: str,
    before: str,
    faults: Iterable[Finding],
    brief: Brief,
) -> list[Message]:
    """Return the request with what was wrong with its answer.

    A model that repeats itself is not shown the answer once more: it copies that.
    """
    told = dict.fromkeys(
        f"- {f.gate}: {f.reason}" + (f": “{f.text}”" if f.text else "") for f in faults
    )
    errors = "\n".join(list(told)[:_MOST_FAULTS])
    if answer and answer == before:
        *first, asked = request.messages
        anew = fill("anew", errors=errors, language=brief.language_name)
        return [*first, Message("user", f"{asked.content}\n{anew}")]
    again = fill("correction", errors=errors, language=brief.language_name)
    said = Message("assistant", answer or "-")
    return [*request.messages, said, Message("user", again)]


def chosen_evidence(
    page_context: ModelPageContext, plan: SectionPlan
) -> list[EvidenceItem]:
    """Return what the facts cite and the section was given, as far as there is room."""
    named = [*(key for facts in plan.facts for key in facts.evidence), *plan.evidence]
    held = {item.id: item for item in page_context.book.items}
    kept: list[EvidenceItem] = []
    left = page_context.budget.evidence
    for item in (held[key] for key in dict.fromkeys(named) if key in held):
        size = estimate_tokens(item.excerpt)
        if size <= left:
            left -= size
            kept.append(item)
    return kept


def texts_of(
    topic: Topic, plan: SectionPlan, items: Iterable[EvidenceItem]
) -> Iterable[str]:
    """Yield all that a prompt may hold between marks."""
    yield from (text for pair in topic.around for text in pair)
    yield from (plan.title, plan.about, *(f.markdown for f in plan.facts))
    for item in items:
        yield from (item.path, item.excerpt)


def _prompt(
    topic: Topic, plan: SectionPlan, items: Sequence[EvidenceItem], fence: Fence
) -> str:
    return fill(
        "section",
        language=topic.brief.language_name,
        words=most_words(plan),
        fence=fence.word,
        place=place_of(topic, plan, fence),
        facts=fence.around("facts", given_facts(topic.page_context, plan, items)),
        evidence=all_around(fence, map(topic.labelled, items)),
    )


def place_of(topic: Topic, plan: SectionPlan, fence: Fence) -> str:
    """Return which section it is and what stands around it, between marks."""
    heading = plan.title or "Introduction: what this is and what it is for"
    section = ("the section to write", f"{heading}\n{plan.about}")
    return all_around(fence, [section, *topic.around])


def given_facts(
    page_context: ModelPageContext, plan: SectionPlan, items: Iterable[EvidenceItem]
) -> str:
    """Return the facts as the model reads them: within a budget, no other evidence."""
    shown = {item.id for item in items}
    facts = "\n\n".join(f.markdown for f in plan.facts)
    known = MARKER.sub(lambda m: m.group() if m.group(1) in shown else "", facts)
    return _within(page_context.budget.facts, known)


def _within(most: int, facts: str) -> str:
    """Return the facts' first lines that have so many tokens."""
    lines = facts.split("\n")
    while lines and estimate_tokens("\n".join(lines)) > most:
        lines = lines[: len(lines) * 3 // 4]
    return "\n".join(lines)
