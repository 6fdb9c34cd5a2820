"""How much a section is given of facts and evidence: what the model's window holds."""

from __future__ import annotations

from dataclasses import dataclass

_MOST_FACTS, _MOST_EVIDENCE = 2_500, 7_000
# Of the window: an answer, and the one before where it is corrected.
_ANSWERS = 2_048 + 800
# Of the prompt, as tokens are estimated here: its rules, what is around the section.
_AROUND = 1_000
# Code and paths have more tokens than the estimate, which knows no vocabulary.
_REAL = 1.35


@dataclass(frozen=True, slots=True)
class EvidenceBudget:
    """Most tokens of a section's facts and of its evidence, as they are estimated."""

    facts: int = _MOST_FACTS
    evidence: int = _MOST_EVIDENCE


# What a section can use; larger windows change nothing.
ENOUGH = EvidenceBudget()


def budget_of_window(window: int) -> EvidenceBudget:
    """Return what a section may be given where the window has so many tokens."""
    left = int((window - _ANSWERS) / _REAL) - _AROUND
    facts = min(_MOST_FACTS, left // 4)
    return EvidenceBudget(facts, min(_MOST_EVIDENCE, left - facts))
