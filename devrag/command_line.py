"""The command line: `manage.py` in a checkout, `devrag` when it is installed."""

from __future__ import annotations

import sys

from devrag.client.destination import read_command_line
from devrag.client.run import run_remote
from devrag.core.command_list import overview
from devrag.core.leave import leaving_in_words

_HELP: tuple[list[str], ...] = (["-h"], ["--help"], [])


def main() -> None:
    """Run a command; who asks another devrag, or for help, does not wait for Django."""
    with leaving_in_words():
        line = read_command_line(sys.argv)
        sys.argv = line.words
        if line.words[1:] in _HELP:
            sys.stdout.write(f"{overview()}\n")
        elif not run_remote(line):
            from devrag.core import cli  # noqa: PLC0415 - Django
            from devrag.mcp.quick import serve_quickly  # noqa: PLC0415

            cli.main(serve_quickly)
