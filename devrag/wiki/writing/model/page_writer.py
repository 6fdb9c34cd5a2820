"""Has sections of a page written: asks, asks again for what is none or was refused.

A window that is large enough takes all sections in one request; a smaller one is asked
for each. Whatever fails in the end is cut and reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from devrag.llm.chat import Completion
from devrag.wiki.checking.validators import Finding, Gates
from devrag.wiki.evidence.blocks import MarkdownBlock
from devrag.wiki.writing.model.answers import (
    SectionAnswer,
    read_section,
    read_sections,
)
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.model.page_request import (
    PageTask,
    SectionsRequest,
    sections_request,
)
from devrag.wiki.writing.model.rewrite import rewrite_sentences, with_sentences
from devrag.wiki.writing.model.section_plan import SectionPlan
from devrag.wiki.writing.model.told_sections import (
    ToldSection,
    check_told,
    sentences_said,
    told_section,
)
from devrag.wiki.writing.model.validators import Rules
from devrag.wiki.writing.prompts import fill

_MOST_ERRORS = 10


@dataclass(slots=True)
class _Part:
    """A section on its way: its answer, its text, and what it is checked against."""

    plan: SectionPlan
    answer: SectionAnswer
    rules: Rules
    shown: Mapping[str, str]
    blocks: list[MarkdownBlock] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def check(self, said: Iterable[str]) -> None:
        """Take the text through the gates."""
        if self.answer.problem:
            return
        rules = replace(self.rules, said=frozenset(said))
        self.blocks, self.findings = check_told(self.answer.text, rules, self.shown)


class PageWriter:
    """Writes sections of one page."""

    def __init__(self, task: PageTask, gates: Gates, asking: Asking) -> None:
        self.task = task
        self._gates = gates
        self._asking = asking
        self.summary = ""

    @property
    def glossary(self) -> Mapping[str, str]:
        """Return word → how the wiki writes it; the product's settings count first."""
        return {**self.task.context.spellings, **self.task.brief.glossary}

    def write(
        self, plans: Mapping[int, SectionPlan], said: frozenset[str]
    ) -> dict[int, ToldSection]:
        """Return sections by number. said: sentences that the page has already."""
        parts: dict[int, _Part] = {}
        for some in self._portions(plans):
            parts |= self._ask(some)
            again = {
                number: plans[number]
                for number in some
                if parts[number].answer.problem and not parts[number].answer.is_hopeless
            }
            if again:
                parts |= self._ask(again, self._note(parts[n] for n in again))
        return self._told(dict(sorted(parts.items())), said)

    def revise(
        self,
        number: int,
        plan: SectionPlan,
        request: SectionsRequest,
        said: frozenset[str],
    ) -> ToldSection | None:
        """Return the section brought up to date, None where no answer can be used."""
        completion = self._complete(request)
        answer = read_section(completion, plan.title, self.task.brief.language)
        if answer.problem or answer.is_left_out:
            return None
        part = _Part(plan, answer, self._rules(request), request.shown)
        told = self._told({number: part}, said)[number]
        return told if told.blocks else None

    def rules(self, word: str = "") -> Rules:
        """Return what text is checked against beside its evidence."""
        return Rules(self._gates, word, glossary=self.glossary)

    def _portions(
        self, plans: Mapping[int, SectionPlan]
    ) -> Iterator[dict[int, SectionPlan]]:
        if self.task.context.budget.is_whole_page and plans:
            yield dict(plans)
        elif plans:
            yield from ({number: plan} for number, plan in plans.items())

    def _ask(
        self, plans: Mapping[int, SectionPlan], note: str = ""
    ) -> dict[int, _Part]:
        request = sections_request(self.task, plans, note=note)
        completion = self._complete(request)
        titles = {number: plan.title for number, plan in plans.items()}
        language = self.task.brief.language
        answers, summary = read_sections(completion, titles, language)
        self.summary = self.summary or summary
        rules = self._rules(request)
        return {
            number: _Part(plans[number], answer, rules, request.shown)
            for number, answer in answers.items()
        }

    def _complete(self, request: SectionsRequest) -> Completion:
        most = self.task.context.budget.answer
        return self._asking.ask(request.messages, most_tokens=most)

    def _rules(self, request: SectionsRequest) -> Rules:
        items = {item.id: item for item in request.items}
        gates = replace(self._gates, items=items)
        return replace(self.rules(request.word), gates=gates, facts=request.facts)

    def _note(self, parts: Iterable[_Part]) -> str:
        errors = dict.fromkeys(f"- {part.answer.problem}" for part in parts)
        return fill("anew", errors="\n".join(list(errors)[:_MOST_ERRORS]))

    def _told(
        self, parts: Mapping[int, _Part], said: frozenset[str]
    ) -> dict[int, ToldSection]:
        _check(parts, said)
        refused = {number: part.findings for number, part in parts.items()}
        if self._rewrite(parts):
            _check(parts, said)
            for number, part in parts.items():
                if not part.blocks:  # all of it was taken back
                    part.findings = part.findings or refused[number]
        return {number: self._section(part) for number, part in parts.items()}

    def _section(self, part: _Part) -> ToldSection:
        told = told_section(self.task.page, part.plan, part.answer, part.blocks)
        problem = part.answer.problem
        gate = part.answer.gate
        failed = [Finding(self.task.page, gate, problem)] if problem else []
        return replace(told, findings=(*failed, *part.findings, *told.findings))

    def _rewrite(self, parts: Mapping[int, _Part]) -> bool:
        """Ask for the sentences that failed; return whether any was answered."""
        findings = [finding for part in parts.values() for finding in part.findings]
        items = {
            key: item
            for part in parts.values()
            for key, item in part.rules.gates.items.items()
        }
        brief = self.task.brief
        rewritten = rewrite_sentences(findings, items, self._asking, brief)
        for part in parts.values():
            text = with_sentences(part.answer.text, rewritten)
            part.answer = replace(part.answer, text=text)
        return bool(rewritten)


def _check(parts: Mapping[int, _Part], said: frozenset[str]) -> None:
    """Check the sections in order: none may repeat one before it."""
    known = set(said)
    for part in parts.values():
        part.check(known)
        known |= sentences_said(part.blocks)
