"""The command line: `manage.py` in a checkout, `devrag` when it is installed."""

from __future__ import annotations

import sys

from devrag import __version__
from devrag.cli.remote.destination import read_command_line
from devrag.cli.remote.run import run_remote
from devrag.core.command_list import COMMANDS, overview
from devrag.core.exit_codes import leaving_in_words

_HELP: tuple[list[str], ...] = (["-h"], ["--help"], [])


def main() -> None:
    """Run a command; Django is loaded only for what needs it."""
    with leaving_in_words():
        line = read_command_line(sys.argv)
        sys.argv = line.words
        if line.words[1:] in _HELP:
            sys.stdout.write(f"{overview()}\n")
        elif _asks_for_version(line.words[1:]):
            sys.stdout.write(f"devrag {__version__}\n")
        elif not run_remote(line):
            from devrag.core import cli  # noqa: PLC0415 - Django
            from devrag.mcp.quick import serve_quickly  # noqa: PLC0415

            cli.main(serve_quickly)


def _asks_for_version(words: list[str]) -> bool:
    """Return whether devrag's version is asked for; Django would print its own."""
    is_of_command = len(words) == 2 and words[0] in COMMANDS
    asked = words[1:] if is_of_command else words
    return asked == ["--version"] or words == ["version"]
