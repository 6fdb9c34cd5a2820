"""`index` on the data of this machine; see `devrag.cli.commands.index`."""

from __future__ import annotations

from devrag.cli.commands.index import COMMAND
from devrag.cli.local.command import LocalCommand


class Command(LocalCommand):
    help = COMMAND.help
    command = COMMAND
