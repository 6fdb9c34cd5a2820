"""What all management commands share: JSON output and one-sentence failures."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand

from devrag.core.options import add_common_options
from devrag.core.terminal import Terminal


class DevragCommand(BaseCommand):
    """A command that can print its answer as JSON; expected errors leave as they are.

    Subclasses define `handle`; `core.exit_codes` turns a DevragError into a
    sentence and exit code 1. System checks run in `make check`, not at every command.
    """

    requires_system_checks: list[str] = []
    # Whether another server can answer it, or a part of it.
    is_remote = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_options(parser, is_remote=self.is_remote)

    def terminal(self, options: Mapping[str, Any]) -> Terminal:
        """Return where this command's answer goes."""
        return Terminal(
            partial(self.stdout.write, ending=""),
            partial(self.stderr.write, ending=""),
            is_json=bool(options.get("json")),
        )

    def write_json(self, data: Mapping[str, Any] | Sequence[Any]) -> None:
        """Print one JSON document on stdout."""
        self.terminal({}).print_json(data)
