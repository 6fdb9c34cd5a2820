"""Send a command to another server if one is configured, and print its answer."""

from __future__ import annotations

from devrag.client.destination import CommandLine, choose_local_home, find_destination
from devrag.core.command_list import COMMANDS
from devrag.core.errors import InvalidInput

# What `devrag.client.commands` has, named here so that others do not load it.
REMOTE = ("index", "search", "wiki", "product", "source", "jobs")


def run_remote(line: CommandLine) -> bool:
    """Let another server answer, where one is configured; return whether it did.

    Otherwise the data is on this machine, and DEVRAG_HOME leads to it.
    """
    name = line.words[1] if len(line.words) > 1 else ""
    if name == "init" and line.server:
        from devrag.client.init import introduce  # noqa: PLC0415

        introduce(line)
        return True
    if name not in REMOTE:
        if (line.server or line.token) and name in COMMANDS:
            raise InvalidInput(
                f"`{name}` works on this machine only; --server and --token are for "
                f"{', '.join(REMOTE)}."
            )
        if name in COMMANDS and not _asks_for_help(line.words):
            choose_local_home(line)
        return False
    if _asks_for_help(line.words):
        return False
    destination = find_destination(line)
    if destination is None:
        return False
    from devrag.client import commands  # noqa: PLC0415 - only who asks pays for it
    from devrag.client.connection import Connection  # noqa: PLC0415

    options = commands.read_options(name, line.words[2:])
    commands.COMMANDS[name][2](Connection(destination), options)
    return True


def _asks_for_help(words: list[str]) -> bool:
    options = words[2 : words.index("--")] if "--" in words else words[2:]
    return not {"-h", "--help"}.isdisjoint(options)
