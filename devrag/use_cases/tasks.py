"""Celery's side of use cases."""

from __future__ import annotations

from celery import shared_task

from devrag.use_cases import schedule


@shared_task(name="use_cases.run_schedules")
def run_schedules() -> None:
    """Index the sources whose time has come."""
    schedule.run_schedules()
