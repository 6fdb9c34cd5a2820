"""`init --server URL`: note down which devrag this machine asks, by what token."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path

from devrag.cli.remote.address_check import remember_trust
from devrag.cli.remote.connection import Connection
from devrag.cli.remote.destination import CommandLine, find_destination
from devrag.core.config_file import CONFIG_NAMES
from devrag.core.new_file import write_new_file
from devrag.core.options import add_init_options
from devrag.core.terminal import Terminal


def introduce(line: CommandLine) -> None:
    """Write `.devrag.json` here, once the server has answered to the token.

    The data of a server that this user started needs no token: only the address is
    written.
    """
    parser = ArgumentParser("devrag init")
    add_init_options(parser)
    options = parser.parse_args(line.words[2:])
    destination = find_destination(line)
    if destination is None:
        server = {"url": line.server.rstrip("/")}
        kept = "It contains no token; none is needed for a server started by this user."
    else:
        Connection(destination).get("/products")
        server = {"url": destination.url, "token": destination.token}
        kept = "It contains the token: do not commit it."
    path = Path.cwd() / CONFIG_NAMES[0]
    text = json.dumps({"server": server}, indent=2) + "\n"
    write_new_file(path, text, is_forced=options.force)
    if destination is not None:
        remember_trust(path, destination.url)  # nobody is asked about their own file
    Terminal.of_process(is_json=options.json).answer(
        {"file": str(path)},
        f"Wrote {path}. Commands in {path.parent} and its subfolders now use "
        f"{server['url']}. {kept}",
    )
