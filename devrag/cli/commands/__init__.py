"""The commands that any devrag answers, by name."""

from __future__ import annotations

from devrag.cli.command import Command
from devrag.cli.commands import ask, index, jobs, product, search, source, wiki

COMMANDS: dict[str, Command] = {
    "index": index.COMMAND,
    "search": search.COMMAND,
    "ask": ask.COMMAND,
    "wiki": wiki.COMMAND,
    "product": product.COMMAND,
    "source": source.COMMAND,
    "jobs": jobs.COMMAND,
}
