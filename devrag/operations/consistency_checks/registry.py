"""All checks, in the order in which mending one helps the next."""

from __future__ import annotations

from devrag.operations.consistency_checks import (
    jobs,
    keyword,
    mirrors_and_exports,
    rows,
    vectors,
)
from devrag.operations.consistency_checks.types import Check

CHECKS: tuple[Check, ...] = (
    *jobs.CHECKS,
    *rows.CHECKS,
    *vectors.CHECKS,
    *keyword.CHECKS,
    *mirrors_and_exports.CHECKS,
)
