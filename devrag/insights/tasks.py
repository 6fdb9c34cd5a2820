"""Celery's side of insights."""

from __future__ import annotations

from celery import shared_task

from devrag.insights.measuring import measure_what_changed


@shared_task(name="insights.measure")
def measure() -> None:
    """Measure wikis and sources that changed, and the storage once an hour."""
    measure_what_changed()
