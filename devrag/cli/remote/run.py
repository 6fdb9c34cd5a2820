"""Send a command to another server if one is configured, and print its answer."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from devrag.cli.remote.destination import (
    CommandLine,
    choose_local_home,
    find_destination,
)
from devrag.core.command_list import COMMANDS
from devrag.core.errors import InvalidInput
from devrag.core.options import add_common_options
from devrag.core.terminal import Terminal

if TYPE_CHECKING:
    from devrag.cli.command import Command

# What `devrag.cli.commands` has, named here so that others do not load it.
_EPILOG = "The rest of it works on the machine that runs devrag."
REMOTE = ("index", "search", "ask", "wiki", "product", "source", "jobs")


def run_remote(line: CommandLine) -> bool:
    """Let another server answer, where one is configured; return whether it did.

    Otherwise the data is on this machine, and DEVRAG_HOME leads to it.
    """
    name = line.words[1] if len(line.words) > 1 else ""
    if name == "init" and line.server:
        from devrag.cli.remote.init import introduce  # noqa: PLC0415

        introduce(line)
        return True
    if name not in REMOTE:
        if (line.server or line.token) and name in COMMANDS:
            raise InvalidInput(
                f"`{name}` works on this machine only. --server and --token are "
                f"available for: {', '.join(REMOTE)}."
            )
        if name in COMMANDS and not _asks_for_help(line.words):
            choose_local_home(line)
        return False
    if _asks_for_help(line.words):
        return False
    destination = find_destination(line)
    if destination is None:
        return name == "search" and _search_beside(line.words[2:])
    # Only who asks another server pays for it.
    from devrag.cli.commands import COMMANDS as SHARED  # noqa: PLC0415
    from devrag.cli.remote.backend import RemoteBackend  # noqa: PLC0415
    from devrag.cli.remote.connection import Connection  # noqa: PLC0415

    command = SHARED[name]
    options = _read_options(name, command, line.words[2:])
    terminal = Terminal.of_process(is_json=options.json)
    command.run(RemoteBackend(Connection(destination)), options, terminal)
    return True


def _search_beside(words: Sequence[str]) -> bool:
    """Let a server of this machine search; return whether it did."""
    from devrag.cli.commands.search import COMMAND  # noqa: PLC0415
    from devrag.cli.remote.running_server import (  # noqa: PLC0415
        Unanswered,
        find_running_server,
    )

    if "--" in words:
        return False
    parser = _parser("search", COMMAND)
    options, others = parser.parse_known_intermixed_args(words)
    if others:  # of Django's
        return False
    server = find_running_server(options)
    if server is None:
        return False
    try:
        COMMAND.run(server, options, Terminal.of_process(is_json=options.json))
    except Unanswered:
        return False
    return True


def _read_options(name: str, command: Command, words: Sequence[str]) -> Namespace:
    """Return a command's options; exits with 2 when they are wrong."""
    parser = _parser(name, command)
    # Intermixed, argparse takes what follows "--" for options, too.
    is_plain = command.has_actions or "--" in words
    read = parser.parse_args if is_plain else parser.parse_intermixed_args
    return read(words)


def _parser(name: str, command: Command) -> ArgumentParser:
    parser = ArgumentParser(f"devrag {name}", description=command.help, epilog=_EPILOG)
    add_common_options(parser, is_remote=True)
    command.add_options(parser)
    return parser


def _asks_for_help(words: list[str]) -> bool:
    options = words[2 : words.index("--")] if "--" in words else words[2:]
    return not {"-h", "--help"}.isdisjoint(options)
