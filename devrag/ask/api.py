"""What other packages use of asking beside its models and types."""

from __future__ import annotations

from devrag.ask.evidence.gathering import (
    begin_evidence,
    complete_evidence,
    gather_evidence,
)
from devrag.ask.requests import check_request, finish_answer, release_connection
from devrag.ask.service import answer_now, answer_question, check_question
from devrag.ask.threads import in_thread
from devrag.ask.trace.answer import trace_answer

__all__ = [
    "answer_now",
    "answer_question",
    "begin_evidence",
    "check_question",
    "check_request",
    "complete_evidence",
    "finish_answer",
    "gather_evidence",
    "in_thread",
    "release_connection",
    "trace_answer",
]
