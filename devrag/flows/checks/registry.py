"""All checks, in the order in which mending one helps the next."""

from __future__ import annotations

from devrag.flows.checks import disk, jobs, keyword, rows, vectors
from devrag.flows.checks.types import Check

CHECKS: tuple[Check, ...] = (
    *jobs.CHECKS,
    *rows.CHECKS,
    *vectors.CHECKS,
    *keyword.CHECKS,
    *disk.CHECKS,
)
