"""Celery's side of accounts."""

from __future__ import annotations

from celery import shared_task

from devrag.accounts.password_reset import send_reset_links


@shared_task(name="accounts.send_reset_links")
def send_links(address: str, language: str) -> None:
    """Send the links of a forgotten password."""
    send_reset_links(address, language)
