"""Refuse to prepare, after the migrations."""

from __future__ import annotations

from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import ServiceError


class Command(DevragCommand):
    """Fail."""

    def handle(self, *_args: Any, **_options: Any) -> None:
        raise ServiceError("This release is not ready.")
