"""Has sections of a page written, checked, and put right where that is worth a call.

A window that is large enough takes all sections in one request; a smaller one is asked
for each. Then one call judges whether the evidence supports what is written, and one
writes again what any check refused. Whatever fails in the end is cut and reported.
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
from devrag.wiki.writing.model.citation_spans import CitationSpans
from devrag.wiki.writing.model.page_request import (
    PageTask,
    SectionsRequest,
    sections_request,
)
from devrag.wiki.writing.model.rewrite import (
    failed_sentences,
    is_fence,
    rewrite_sentences,
    with_sentences,
)
from devrag.wiki.writing.model.section_plan import SectionPlan
from devrag.wiki.writing.model.supported import SupportJudge, claims_of
from devrag.wiki.writing.model.told_sections import (
    ToldSection,
    check_told,
    sentences_said,
    told_section,
    with_proof_added,
)
from devrag.wiki.writing.model.validators import Rules
from devrag.wiki.writing.prompts import fill

_MOST_ERRORS = 10
# So few of a page's sentences are cut rather than written again.
_FEW, _FEW_SHARE, _LARGE_PAGE = 2, 0.05, 20


@dataclass(frozen=True, slots=True)
class Proof:
    """What a page's sentences are held against.

    spans: the lines that are cited. known: sentences, as `said_as` has them, that were
    checked before. judge: of support, None where no model checks it.
    """

    gates: Gates
    spans: CitationSpans
    known: frozenset[str] = frozenset()
    judge: SupportJudge | None = None


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

    def change(self, rewritten: Mapping[str, str]) -> None:
        """Exchange sentences of the text."""
        text = with_sentences(self.answer.text, rewritten)
        self.answer = replace(self.answer, text=text)

    def refuse(self, unsupported: Mapping[str, str]) -> None:
        """Have these sentences fail. unsupported: sentence → why."""
        self.rules = replace(self.rules, unsupported=unsupported)


class PageWriter:
    """Writes sections of one page."""

    def __init__(
        self,
        task: PageTask,
        proof: Proof,
        asking: Asking,
    ) -> None:
        self.task = task
        self._proof = proof
        self._asking = asking
        self.summary = ""
        self.checked = 0
        self.unsupported = 0

    @property
    def glossary(self) -> Mapping[str, str]:
        """Return word → how the wiki writes it; the product's settings count first."""
        return {**self.task.context.spellings, **self.task.brief.glossary}

    def write(
        self,
        plans: Mapping[int, SectionPlan],
        said: frozenset[str],
        revisions: Mapping[int, SectionsRequest] | None = None,
    ) -> dict[int, ToldSection]:
        """Return sections by number. said: sentences that the page has already.

        revisions: what is asked for sections that are brought up to date; one that no
        answer brings is written anew.
        """
        parts = self._revised(plans, revisions or {}, said)
        anew = {number: plans[number] for number in plans if number not in parts}
        for some in self._portions(anew):
            parts |= self._ask(some)
            again = {
                number: plans[number]
                for number in some
                if parts[number].answer.problem and not parts[number].answer.is_hopeless
            }
            if again:
                parts |= self._ask(again, self._note(parts[n] for n in again))
        return self._told(dict(sorted(parts.items())), said)

    def _revised(
        self,
        plans: Mapping[int, SectionPlan],
        revisions: Mapping[int, SectionsRequest],
        said: frozenset[str],
    ) -> dict[int, _Part]:
        """Return the sections that could be brought up to date."""
        parts = {}
        for number, request in revisions.items():
            plan = plans[number]
            completion = self._complete(request)
            answer = read_section(completion, plan.title, self.task.brief.language)
            if answer.problem or answer.is_left_out:
                continue
            part = self._part(plan, answer, request)
            part.check(said)
            if part.blocks:
                parts[number] = part
        return parts

    def rules(self, word: str = "") -> Rules:
        """Return what text is checked against beside its evidence."""
        return Rules(self._proof.gates, word, glossary=self.glossary)

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
        return {
            number: self._part(plans[number], answer, request)
            for number, answer in answers.items()
        }

    def _part(
        self, plan: SectionPlan, answer: SectionAnswer, request: SectionsRequest
    ) -> _Part:
        rules = self._rules(request)
        text = with_proof_added(answer.text, rules.gates)
        return _Part(plan, replace(answer, text=text), rules, request.shown)

    def _complete(self, request: SectionsRequest) -> Completion:
        most = self.task.context.budget.answer
        return self._asking.ask(request.messages, most_tokens=most)

    def _rules(self, request: SectionsRequest) -> Rules:
        items = {item.id: self._proof.spans.whole(item) for item in request.items}
        gates = replace(self._proof.gates, items=items)
        return replace(self.rules(request.word), gates=gates, facts=request.facts)

    def _note(self, parts: Iterable[_Part]) -> str:
        errors = dict.fromkeys(f"- {part.answer.problem}" for part in parts)
        return fill("anew", errors="\n".join(list(errors)[:_MOST_ERRORS]))

    def _told(
        self, parts: Mapping[int, _Part], said: frozenset[str]
    ) -> dict[int, ToldSection]:
        _check(parts, said)
        if self._refuse_unsupported(parts):
            _check(parts, said)
        refused = {number: part.findings for number, part in parts.items()}
        if self._rewrite(parts):
            _check(parts, said)
            for number, part in parts.items():
                if not part.blocks:  # all of it was taken back
                    part.findings = part.findings or refused[number]
        return {number: self._section(part) for number, part in parts.items()}

    def _refuse_unsupported(self, parts: Mapping[int, _Part]) -> bool:
        """Have what the cited lines do not support fail; return whether any does."""
        judge, spans = self._proof.judge, self._proof.spans
        if judge is None:
            return False
        claims: dict[str, tuple[str, ...]] = {}
        for part in parts.values():
            claims |= claims_of(part.blocks, part.rules.gates, spans, self._proof.known)
        unsupported = judge.unsupported(claims)
        for part in parts.values():
            part.refuse(unsupported)
        self.checked, self.unsupported = len(claims), len(unsupported)
        return bool(unsupported)

    def _section(self, part: _Part) -> ToldSection:
        told = told_section(self.task.page, part.plan, part.answer, part.blocks)
        problem = part.answer.problem
        gate = part.answer.gate
        failed = [Finding(self.task.page, gate, problem)] if problem else []
        return replace(told, findings=(*failed, *part.findings, *told.findings))

    def _rewrite(self, parts: Mapping[int, _Part]) -> bool:
        """Ask for the sentences that failed; return whether any was answered."""
        if _are_few(parts.values()):
            return False
        findings = [finding for part in parts.values() for finding in part.findings]
        items = {
            key: item
            for part in parts.values()
            for key, item in part.rules.gates.items.items()
        }
        budget = self.task.context.budget
        rewritten = rewrite_sentences(
            findings, items, self._asking, self.task.brief, budget
        )
        for part in parts.values():
            part.change(rewritten)
        return bool(rewritten)


def _are_few(parts: Iterable[_Part]) -> bool:
    """Return whether so little failed that it is cut.

    A diagram is much, and so is all that a section has.
    """
    failed = kept = 0
    for part in parts:
        sentences = sum(len(b.sentences()) for b in part.blocks if b.is_prose)
        refused = failed_sentences(part.findings)
        if refused and (not sentences or any(map(is_fence, refused))):
            return False
        failed, kept = failed + len(refused), kept + sentences
    total = failed + kept
    is_few = failed <= _FEW and total >= _LARGE_PAGE
    return is_few or failed <= _FEW_SHARE * total


def _check(parts: Mapping[int, _Part], said: frozenset[str]) -> None:
    """Check the sections in order: none may repeat one before it."""
    known = set(said)
    for part in parts.values():
        part.check(known)
        known |= sentences_said(part.blocks)
