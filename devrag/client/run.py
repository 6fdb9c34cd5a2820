"""Whether another devrag is to answer a command, and its answer."""

from __future__ import annotations

from devrag.client.destination import CommandLine, find_destination
from devrag.core.command_list import COMMANDS
from devrag.core.errors import InvalidInput

# What `devrag.client.commands` has, named here so that others do not load it.
REMOTE = ("index", "search", "wiki", "product", "source", "jobs")


def run_remote(line: CommandLine) -> bool:
    """Let another devrag answer, where one is named; say whether that was so."""
    name = line.words[1] if len(line.words) > 1 else ""
    if name == "init" and line.server:
        from devrag.client.introduce import introduce  # noqa: PLC0415

        introduce(line)
        return True
    if name not in REMOTE:
        if (line.server or line.token) and name in COMMANDS:
            raise InvalidInput(
                f"`{name}` works on this machine only; --server and --token are for "
                f"{', '.join(REMOTE)}."
            )
        return False
    destination = find_destination(line)
    if destination is None:
        return False
    from devrag.client import commands  # noqa: PLC0415 - only who asks pays for it
    from devrag.client.connection import Connection  # noqa: PLC0415

    options = commands.read_options(name, line.words[2:])
    commands.COMMANDS[name][2](Connection(destination), options)
    return True
