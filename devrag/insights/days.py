"""Days as they are kept: those of the instance's time zone, whoever looks."""

from __future__ import annotations

from datetime import date

from django.utils import timezone


def today() -> date:
    """Return today where the instance is."""
    return timezone.localdate(timezone=timezone.get_default_timezone())
