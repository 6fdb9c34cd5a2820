"""Count calls of models and what they cost, and log a line about each."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import structlog

from devrag.core.metrics import count, observe
from devrag.core.metrics.definitions import (
    MODEL_CALLS,
    MODEL_COST,
    MODEL_SECONDS,
    MODEL_TOKENS,
)
from devrag.llm.chat import Usage
from devrag.spending.models import EMBEDDING_PURPOSE, RERANK_PURPOSE, ModelCall

log = structlog.get_logger("devrag.spending")


def record_call(
    call: ModelCall, usage: Usage, cost: Decimal | None, *, has_failed: bool = False
) -> None:
    """Count and log a call that ended; the line bears the ids that are bound here."""
    outcome = "failed" if has_failed else "answered"
    labels = (call.purpose, call.provider, call.model)
    seconds = (datetime.now(UTC) - call.created_at).total_seconds()
    count(MODEL_CALLS, *labels, outcome)
    count(MODEL_TOKENS, *labels, "input", by=usage.input_tokens)
    count(MODEL_TOKENS, *labels, "output", by=usage.output_tokens)
    count(MODEL_COST, *labels, by=float(cost or 0))
    if call.purpose not in (EMBEDDING_PURPOSE, RERANK_PURPOSE):  # rows of what is over
        observe(MODEL_SECONDS, call.purpose, seconds=seconds)
    log.info(
        "model called",
        call=call.pk,
        purpose=call.purpose,
        provider=call.provider,
        model=call.model,
        outcome=outcome,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        dollars=None if cost is None else float(cost),
    )
