"""Celery's side of flows."""

from __future__ import annotations

from celery import shared_task

from devrag.flows import schedule


@shared_task(name="flows.run_schedules")
def run_schedules() -> None:
    """Index the sources whose time has come."""
    schedule.run_schedules()
