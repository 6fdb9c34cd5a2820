"""What other packages use of asking beside its models and types."""

from __future__ import annotations

from devrag.ask.evidence.gathering import (
    begin_evidence,
    complete_evidence,
    gather_evidence,
)
from devrag.ask.service import answer_now, answer_question, check_question

__all__ = [
    "answer_now",
    "answer_question",
    "begin_evidence",
    "check_question",
    "complete_evidence",
    "gather_evidence",
]
