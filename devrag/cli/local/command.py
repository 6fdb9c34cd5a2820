"""Commands of `devrag.cli.commands` as management commands of Django."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any, ClassVar

from devrag.cli.command import Command
from devrag.cli.local.backend import LocalBackend
from devrag.core.commands import DevragCommand


class LocalCommand(DevragCommand):
    """Runs a command on the data of this machine."""

    is_remote = True
    command: ClassVar[Command]

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        self.command.add_options(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        terminal = self.terminal(options)
        self.command.run(LocalBackend(), Namespace(**options), terminal)
