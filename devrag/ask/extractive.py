"""An answer without a model: the passages as a reading path, never as prose."""

from __future__ import annotations

from django.utils.translation import gettext

from devrag.ask.types import Answer, Evidence


def extractive_answer(evidence: Evidence) -> Answer:
    """Return the passages in reading order, each with what it shows."""
    if not evidence.is_found:
        return Answer(
            markdown=gettext("The sources do not answer this question."),
            citations=evidence.passages,
            evidence=evidence.passages,
            outcome="not_found",
            notes=evidence.notes,
        )
    lines = [
        f"{number}. `{passage.title or passage.path}` [{number}](cite:{number})"
        for number, passage in enumerate(evidence.passages, 1)
    ]
    return Answer(
        markdown="\n".join(lines) + "\n",
        citations=evidence.passages,
        evidence=evidence.passages,
        outcome="answered",
        notes=evidence.notes,
    )
