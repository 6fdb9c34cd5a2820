"""`ask` on the data of this machine; see `devrag.cli.commands.ask`."""

from __future__ import annotations

from devrag.cli.commands.ask import COMMAND
from devrag.cli.local.command import LocalCommand


class Command(LocalCommand):
    help = COMMAND.help
    command = COMMAND
