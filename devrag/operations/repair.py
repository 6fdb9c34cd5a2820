"""Find what disagrees between rows, indexes and files, and mend it when asked to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from devrag.core.errors import DevragError
from devrag.operations.consistency_checks.registry import CHECKS
from devrag.operations.consistency_checks.types import Check
from devrag.operations.findings import DoctorFinding
from devrag.operations.housekeeping import count_chores

_NAMED = 3


def examine(*, is_repairing: bool = False) -> Iterator[DoctorFinding]:
    """Yield a finding per disagreement, or one that there is none."""
    is_sound = True
    for check in CHECKS:
        found = check.find()
        if found:
            is_sound = False
            yield _mend(check, found) if is_repairing else _tell(check, found)
    if is_sound:
        detail = f"rows, indexes and files are consistent ({len(CHECKS)} checks)"
        yield DoctorFinding("agreement", "ok", detail)


def describe_chores() -> DoctorFinding:
    """Say what the next housekeeping will take away."""
    counts = count_chores()
    if not counts:
        return DoctorFinding("housekeeping", "ok", "nothing to prune")
    detail = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    return DoctorFinding("housekeeping", "note", f"the next pass deletes {detail}")


def _tell(check: Check, found: Sequence[Any]) -> DoctorFinding:
    advice = f"Run `devrag doctor --repair`: they {check.remedy}."
    return DoctorFinding(check.name, "broken", _count(found), advice)


def _mend(check: Check, found: Sequence[Any]) -> DoctorFinding:
    try:
        check.mend(found)
    except DevragError as error:
        return DoctorFinding(check.name, "broken", _count(found), error.message)
    left = check.find()
    if left:
        advice = f"The repair ({check.remedy}) did not succeed; see the logs."
        return DoctorFinding(check.name, "broken", f"still {_count(left)}", advice)
    return DoctorFinding(
        check.name, "ok", f"repaired: {_count(found)} ({check.remedy})"
    )


def _count(found: Sequence[Any]) -> str:
    """Return how many, and the first of them."""
    names = ", ".join(map(str, found[:_NAMED]))
    return f"{len(found)}: {names}{' …' if len(found) > _NAMED else ''}"
