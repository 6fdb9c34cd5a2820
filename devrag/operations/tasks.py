"""Celery's side of operations."""

from __future__ import annotations

from celery import shared_task

from devrag.operations.housekeeping import run_housekeeping
from devrag.operations.model_keys import report_missing


@shared_task(name="operations.report_missing_keys")
def report_missing_keys() -> None:
    """Report which keys of the models in use are not set where workers run."""
    report_missing()


@shared_task(name="operations.housekeeping")
def housekeeping() -> None:
    """Run the chores that are due; safe beside another run."""
    run_housekeeping()
