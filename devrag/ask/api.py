"""What other packages use of asking beside its models and types."""

from __future__ import annotations

from devrag.ask.evidence.gathering import gather_evidence
from devrag.ask.service import answer_now, answer_question, check_question
from devrag.ask.trace.answer import trace_answer

__all__ = [
    "answer_now",
    "answer_question",
    "check_question",
    "gather_evidence",
    "trace_answer",
]
