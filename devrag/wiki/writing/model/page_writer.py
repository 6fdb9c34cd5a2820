"""Has sections of a page written, checked, and put right where that is worth a call.

A window that is large enough takes all sections in one request; a smaller one is asked
for each. Then one call judges whether the lines that will be cited support what is
written, and one writes again what any check refused. A last, small one judges what is
new, and what was refused against all of the evidence that it cites. Whatever fails in
the end is cut and reported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
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
from devrag.wiki.writing.model.supported import (
    Claim,
    Judged,
    SupportJudge,
    claims_of,
    widened,
)
from devrag.wiki.writing.model.told_sections import (
    ToldSection,
    check_told,
    sentences_said,
    told_section,
    with_proof_added,
)
from devrag.wiki.writing.model.validators import Rules, said_as
from devrag.wiki.writing.prompts import fill

_MOST_ERRORS = 10
# So few of a page's sentences are cut rather than written again.
_FEW, _FEW_SHARE, _LARGE_PAGE = 3, 0.08, 20
_WORTH_A_CALL = 3  # of sentences that wider citations may save


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
    """A section on its way: its answer, its text, and what it is checked against.

    claims: what was judged. unsupported: which of it failed → why. again: what is to be
    judged once more. changed: sentence → what was written in its place.
    """

    plan: SectionPlan
    answer: SectionAnswer
    rules: Rules
    shown: Mapping[str, str]
    blocks: list[MarkdownBlock] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    claims: dict[str, Claim] = field(default_factory=dict)
    unsupported: dict[str, str] = field(default_factory=dict)
    again: dict[str, Claim] = field(default_factory=dict)
    changed: dict[str, str] = field(default_factory=dict)

    def check(self, said: Iterable[str]) -> None:
        """Take the text through the gates."""
        if self.answer.problem:
            return
        rules = replace(self.rules, said=frozenset(said))
        self.blocks, self.findings = check_told(self.answer.text, rules, self.shown)

    def change(self, rewritten: Mapping[str, str]) -> None:
        """Exchange sentences of the text."""
        text = self.answer.text
        self.changed = {old: new for old, new in rewritten.items() if old in text}
        self.answer = replace(self.answer, text=with_sentences(text, rewritten))

    def claim(self, proof: Proof) -> dict[str, Claim]:
        """Return what the text claims that no check has seen."""
        found = claims_of(
            self.blocks, self.rules.gates, proof.spans, proof.known, self.plan.title
        )
        return {said: found[said] for said in found if said not in self.claims}

    def refuse(self, unsupported: Mapping[str, str]) -> None:
        """Have these sentences fail, where they are of this part. Each with its why."""
        ours = self.claims.keys() | self.again.keys()
        self.unsupported |= {s: unsupported[s] for s in unsupported if s in ours}
        self.rules = replace(self.rules, unsupported=self.unsupported)

    def claim_again(self, proof: Proof) -> dict[str, Claim]:
        """Return what is new, and what failed against all that it cites."""
        gates, spans = self.rules.gates, proof.spans
        wide = {s: widened(s, self.claims[s], gates, spans) for s in self.unsupported}
        self.again = {said: claim for said, claim in wide.items() if claim is not None}
        for said, claim in self.claim(proof).items():
            is_put_right = self._is_put_right(said)
            wider = widened(said, claim, gates, spans) if is_put_right else None
            self.again[said] = wider or claim.alone()
        return self.again

    def _is_put_right(self, sentence: str) -> bool:
        """Return whether a sentence was written from all of an item: it cites it."""
        said = said_as(sentence)
        news = (new for old, new in self.changed.items() if old in self.unsupported)
        return any(said in said_as(new) for new in news)

    def settle(self, judged: Judged) -> set[str]:
        """Take back sentences that hold, refuse those that do not; return the wide.

        judged: what was judged again; without a verdict what was refused stays so.
        """
        refused = judged.failed.keys() | (judged.unknown & self.unsupported.keys())
        held = self.again.keys() - refused
        restored = held & self.unsupported.keys()
        wide = {s for s in held if s in restored or self._is_put_right(s)}
        back = {self.changed[old]: old for old in restored & self.changed.keys()}
        self.answer = replace(self.answer, text=with_sentences(self.answer.text, back))
        self.unsupported = {
            said: why for said, why in self.unsupported.items() if said not in restored
        }
        self.refuse(judged.failed)
        return {said_as(said) for said in wide}


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
        self.wide: frozenset[str] = frozenset()  # as `said_as` has them

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
        is_changed = self._rewrite(parts)
        if is_changed:
            _check(parts, said)
        if self._judge_again(parts.values()):
            _check(parts, said)
        for number, part in parts.items():
            if not part.blocks:  # all of it was taken back
                part.findings = part.findings or refused[number]
        return {number: self._section(part) for number, part in parts.items()}

    def _refuse_unsupported(self, parts: Mapping[int, _Part]) -> bool:
        """Have what the cited lines do not support fail; return whether any does."""
        if self._proof.judge is None:
            return False
        for part in parts.values():
            part.claims = part.claim(self._proof)
        claims = {s: c for part in parts.values() for s, c in part.claims.items()}
        judged = self._proof.judge.judge(claims)
        for part in parts.values():
            part.refuse(judged.failed)
        self.checked, self.unsupported = judged.checked, len(judged.failed)
        return bool(judged.failed)

    def _judge_again(self, parts: Collection[_Part]) -> bool:
        """Judge what is new and what wider citations may save; return if it was.

        A single one of these that nothing was written for is not worth a call.
        """
        if self._proof.judge is None:
            return False
        claims: dict[str, Claim] = {}
        for part in parts:
            claims |= part.claim_again(self._proof)
        is_changed = any(part.changed for part in parts)
        if not claims or (len(claims) < _WORTH_A_CALL and not is_changed):
            return False
        judged = self._proof.judge.judge(claims)
        wide = (part.settle(judged) for part in parts)
        self.wide = frozenset().union(*wide)
        known_before = sum(len(part.again.keys() & part.claims) for part in parts)
        self.checked += max(0, judged.checked - known_before)
        self.unsupported = sum(len(part.unsupported) for part in parts)
        return True

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
