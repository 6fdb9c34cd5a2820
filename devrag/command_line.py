"""The command line: `manage.py` in a checkout, `devrag` when it is installed."""

from __future__ import annotations

from devrag.core import cli
from devrag.mcp.quick import serve_quickly


def main() -> None:
    """Run a command; an agent's client does not wait for Django."""
    cli.main(serve_quickly)
