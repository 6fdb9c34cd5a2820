"""`mcp`: tools for agents over standard input and output."""

from __future__ import annotations

import threading
from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.mcp.quick import add_options, divert_stderr
from devrag.mcp.server import build_server
from devrag.search.api import warm_up


class Command(DevragCommand):
    """Serve MCP in this process; `quick` was asked first and found no server."""

    help = (
        "Serve MCP over stdin and stdout as the local operator. It is started by an "
        "agent's client; see docs/guide/mcp.md for the configuration. Uses the "
        "running server, or starts one and stops it at the end. Example: devrag mcp "
        "--log-file /tmp/devrag-mcp.log"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_options(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        divert_stderr(options["log_file"])
        threading.Thread(target=warm_up, name="warm-up", daemon=True).start()
        server = build_server()
        server.is_verbose = options["verbose"]
        server.run("stdio")
