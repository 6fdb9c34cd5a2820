"""How much a request is given of facts and evidence: what the model's window holds."""

from __future__ import annotations

from dataclasses import dataclass

# From this window on a page is written in one call.
PAGE_WINDOW = 64_000
_MOST_FACTS, _MOST_EVIDENCE = 1_500, 5_000
_PAGE_FACTS, _PAGE_EVIDENCE, _PAGE_ANSWER = 900, 12_000, 6_000
_SECTION_ANSWER = 2_048
# Of the window: an answer, and what is shown of it where it is corrected.
_ANSWERS = _SECTION_ANSWER + 800
# Of the prompt, as tokens are estimated here: its rules, what is around the section.
_AROUND = 1_000
# Code and paths have more tokens than the estimate, which knows no vocabulary.
_REAL = 1.35


@dataclass(frozen=True, slots=True)
class EvidenceBudget:
    """Most tokens of each section's facts and of a request's evidence, as estimated.

    is_whole_page: a request is for all sections of a page, else for one of them.
    answer: most tokens of an answer.
    """

    facts: int = _PAGE_FACTS
    evidence: int = _PAGE_EVIDENCE
    is_whole_page: bool = True
    answer: int = _PAGE_ANSWER


WHOLE_PAGE = EvidenceBudget()


def budget_of_window(window: int) -> EvidenceBudget:
    """Return what a request may be given where the window has so many tokens."""
    if window >= PAGE_WINDOW:
        return WHOLE_PAGE
    left = int((window - _ANSWERS) / _REAL) - _AROUND
    facts = min(_MOST_FACTS, left // 4)
    evidence = min(_MOST_EVIDENCE, left - facts)
    return EvidenceBudget(facts, evidence, is_whole_page=False, answer=_SECTION_ANSWER)
