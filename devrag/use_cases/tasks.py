"""Celery's side of use cases."""

from __future__ import annotations

from celery import shared_task

from devrag.use_cases import schedule
from devrag.use_cases.digest.deliveries import send_due_digests


@shared_task(name="use_cases.run_schedules")
def run_schedules() -> None:
    """Index the sources whose time has come."""
    schedule.run_schedules()


@shared_task(name="use_cases.send_digests")
def send_digests() -> None:
    """Send the weekly digests that are due."""
    send_due_digests()
