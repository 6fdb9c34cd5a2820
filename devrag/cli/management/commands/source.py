"""`source` on the data of this machine, with the actions for secrets of sources."""

from __future__ import annotations

from devrag.cli.command import command_of_actions
from devrag.cli.commands import source
from devrag.cli.local import source_secrets
from devrag.cli.local.command import LocalCommand

_ACTIONS = {**source.ACTIONS, **source_secrets.ACTIONS}


class Command(LocalCommand):
    help = source.HELP
    command = command_of_actions(source.HELP, _ACTIONS)
