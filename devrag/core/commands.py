"""What all management commands share: JSON output and one-sentence failures."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import BaseCommand

from devrag.core.errors import Conflict
from devrag.core.options import add_common_options


class DevragCommand(BaseCommand):
    """A command that can print its answer as JSON; expected errors leave as they are.

    Subclasses define `handle`; `core.leave` turns a DevragError into a sentence and
    exit code 1. System checks run in `make check`, not at every command.
    """

    requires_system_checks: list[str] = []
    # Whether `devrag.client` can do it (or a part) on another machine.
    is_remote = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_options(parser, is_remote=self.is_remote)

    def write_json(self, data: Mapping[str, Any] | Sequence[Any]) -> None:
        """Print one JSON document on stdout."""
        self.stdout.write(json.dumps(data, ensure_ascii=False, indent=2, default=str))

    def confirm(
        self, options: Mapping[str, Any], what: str, lines: Sequence[str]
    ) -> None:
        """Ask before `what` is deleted, saying how much goes, unless `--yes` was given.

        Raises Conflict when the answer is not yes, or when there is nobody to ask.
        """
        lost = f"This deletes {what}: {', '.join(lines) or 'it is empty'}."
        self.ask(options, f"{lost}\nIt cannot be undone.", "Nothing was deleted.")

    def ask(self, options: Mapping[str, Any], said: str, refused: str) -> None:
        """Say what would be done and wait for a yes, unless `--yes` was given.

        Raises Conflict with what `refused` says when the answer is not yes.
        """
        if options["yes"]:
            return
        self.stderr.write(f"{said} Type yes to go on: ", ending="")
        if sys.stdin.readline().strip().lower() != "yes":
            raise Conflict(f"{refused} Answer yes, or give --yes.")
