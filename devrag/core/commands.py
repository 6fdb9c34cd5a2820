"""What all management commands share: JSON output and one-sentence failures."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import BaseCommand


class DevragCommand(BaseCommand):
    """A command that can print its answer as JSON; expected errors leave as they are.

    Subclasses define `handle`; `core.cli` turns a DevragError into a sentence and
    exit code 1. System checks run in `make check`, not at every command.
    """

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="Print the answer as JSON."
        )

    def write_json(self, data: Mapping[str, Any] | Sequence[Any]) -> None:
        """Print one JSON document on stdout."""
        self.stdout.write(json.dumps(data, ensure_ascii=False, indent=2, default=str))
