"""Asks again for the sentences that failed, all in one call, and for nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from devrag.core.text import clean_text, normalise_newlines
from devrag.llm.chat import Message
from devrag.llm.fence import Fence, all_around
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.checking.shown_names import names_in
from devrag.wiki.checking.validators import Finding
from devrag.wiki.evidence.page_evidence import MARKER, EvidenceItem
from devrag.wiki.writing.model.answers import usual_marks
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.budget import WHOLE_PAGE, EvidenceBudget
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.prompts import fill

MOST_SENTENCES = 80
_MOST_EVIDENCE, _MOST_NAMED = 12_000, 2_000  # tokens, of those what is not cited
# What no other words put right: it is said already, or nothing is.
_WITHOUT_REPAIR = frozenset({"repeat", "empty"})
_LINE = re.compile(r"^[^\w\n]*(\d+)[ \t]*\|[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
# A diagram or code that is answered as a whole.
_FENCE = re.compile(
    r"^[^\w\n]*(\d+)[ \t]*\|\s*(```[\w+-]*\n.*?\n```)[ \t]*$", re.MULTILINE | re.DOTALL
)


def rewrite_sentences(
    findings: Iterable[Finding],
    items: Mapping[str, EvidenceItem],
    asking: Asking,
    brief: Brief,
    budget: EvidenceBudget = WHOLE_PAGE,
) -> dict[str, str]:
    """Return failed sentence → what the model says instead; one call at most.

    findings: those on one sentence each; others cost no call.
    """
    failed = failed_sentences(findings)
    if not failed:
        return {}
    most = min(_MOST_EVIDENCE, budget.evidence)
    request = rewrite_request(failed, items, brief, most)
    said = asking.ask(request, most_tokens=budget.answer)
    return read_rewritten(said.text, list(failed))


def failed_sentences(findings: Iterable[Finding]) -> dict[str, Finding]:
    """Return the sentences that can be put right, each with what was first found."""
    failed: dict[str, Finding] = {}
    for finding in findings:
        is_reparable = finding.sentence and finding.gate not in _WITHOUT_REPAIR
        if is_reparable and len(failed) < MOST_SENTENCES:
            failed.setdefault(finding.sentence, finding)
    return failed


def rewrite_request(
    failed: Mapping[str, Finding],
    items: Mapping[str, EvidenceItem],
    brief: Brief,
    most_tokens: int = _MOST_EVIDENCE,
) -> list[Message]:
    """Return what the model is asked: sentences, their faults and their evidence.

    most_tokens: of the evidence.
    """
    lines = [
        f"{number}| {sentence}\n   {finding.reason}"
        for number, (sentence, finding) in enumerate(failed.items(), 1)
    ]
    labelled = [
        (f"{item.id} {item.source}/{item.path}", item.excerpt)
        for item in _evidence(failed, items, most_tokens)
    ]
    fence = Fence([*lines, *(text for pair in labelled for text in pair)])
    content = fill(
        "rewrite",
        fence=fence.word,
        language=brief.language_name,
        evidence=all_around(fence, labelled),
        sentences=fence.around("sentences", "\n".join(lines)),
    )
    return [brief.message(), Message("user", content)]


def read_rewritten(text: str, failed: Sequence[str]) -> dict[str, str]:
    """Return failed sentence → new one, as far as the answer has them."""
    known = dict(enumerate(failed, 1))
    found: dict[str, str] = {}
    answer = normalise_newlines(clean_text(text))
    for number, fence in _FENCE.findall(answer):
        old = known.get(int(number), "")
        if is_fence(old) and fence != old:
            found[old] = fence
    for number, said in _LINE.findall(_FENCE.sub("", answer)):
        old = known.get(int(number), "```")
        if not is_fence(old) and said != old:
            found[old] = usual_marks(said)
    return found


def is_fence(sentence: str) -> bool:
    """Return whether a finding is on a diagram or on code, and not on a sentence."""
    return sentence.startswith("```")


def with_sentences(markdown: str, rewritten: Mapping[str, str]) -> str:
    """Return Markdown with new sentences in the places of old ones."""
    for old, new in rewritten.items():
        markdown = markdown.replace(old, new, 1)
    return markdown


def _evidence(
    failed: Iterable[str], items: Mapping[str, EvidenceItem], most_tokens: int
) -> list[EvidenceItem]:
    """Return what the sentences cite, and some of what else has their names."""
    cited = [key for said in failed for key in MARKER.findall(said) if key in items]
    names = [name for said in failed for name in names_in(said)]
    named = [k for k, item in items.items() if any(n in item.excerpt for n in names)]
    known = set(cited)
    kept = _fitting([items[key] for key in dict.fromkeys(cited)], most_tokens)
    left = most_tokens - sum(estimate_tokens(item.excerpt) for item in kept)
    others = [items[key] for key in named if key not in known]
    return kept + _fitting(others, min(left, _MOST_NAMED))


def _fitting(items: Iterable[EvidenceItem], most_tokens: int) -> list[EvidenceItem]:
    kept: list[EvidenceItem] = []
    for item in items:
        size = estimate_tokens(item.excerpt)
        if size <= most_tokens:
            most_tokens -= size
            kept.append(item)
    return kept
