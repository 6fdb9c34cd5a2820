"""Celery's side of flows."""

from __future__ import annotations

from celery import shared_task

from devrag.flows import schedule
from devrag.flows.housekeeping import keep_house
from devrag.flows.model_keys import report_missing


@shared_task(name="flows.run_schedules")
def run_schedules() -> None:
    """Index the sources whose time has come."""
    schedule.run_schedules()


@shared_task(name="flows.report_missing_keys")
def report_missing_keys() -> None:
    """Report which keys of the models in use are not set where workers run."""
    report_missing()


@shared_task(name="flows.housekeeping")
def housekeeping() -> None:
    """Do what the house needs now and then; safe beside another one."""
    keep_house()
