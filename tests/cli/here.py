"""The same command where the database is, to compare with."""

from __future__ import annotations

import io
from collections.abc import Callable

from django.core.management import call_command

Ask = Callable[..., str]


def here(*words: str) -> str:
    """Run the command on this machine."""
    out = io.StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()
