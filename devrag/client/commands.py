"""The commands that another devrag answers, with the options that they take there."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from devrag.client import asking, lists, wikis
from devrag.client.connection import Connection
from devrag.core.options import add_common_options
from devrag.flows.arguments import (
    INDEX_HELP,
    WIKI_HELP,
    add_index_options,
    add_no_wait,
)
from devrag.search.arguments import HELP, add_search_options

Add = Callable[[ArgumentParser], None]
Run = Callable[[Connection, Namespace], None]


def _wiki_options(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=["generate", "status", "export"])
    parser.add_argument("--product", required=True, help="Its name.")
    parser.add_argument("--output", type=Path, help="Of export: the folder.")
    add_no_wait(parser)


def _noun_options(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=["list", "show"])
    parser.add_argument("name", nargs="?", default="")


def _job_options(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=["list", "show", "cancel", "retry"])
    parser.add_argument("id", nargs="?", default="-", help="The whole id.")
    parser.add_argument(
        "--open", action="store_true", help="List only jobs that run or wait."
    )


COMMANDS: dict[str, tuple[str, Add, Run]] = {
    "index": (INDEX_HELP, add_index_options, asking.index),
    "search": (HELP, add_search_options, asking.search),
    "wiki": (WIKI_HELP, _wiki_options, wikis.wiki),
    "product": ("List and show products.", _noun_options, lists.product),
    "source": ("List and show sources.", _noun_options, lists.source),
    "jobs": (
        "List jobs, show one with its log, cancel or retry it.",
        _job_options,
        lists.jobs,
    ),
}
_EPILOG = "The rest of it works on the machine that devrag runs on."


def read_options(name: str, words: Sequence[str]) -> Namespace:
    """Return a command's options; exits with 2 when they are wrong."""
    text, add, _run = COMMANDS[name]
    parser = ArgumentParser(f"devrag {name}", description=text, epilog=_EPILOG)
    add_common_options(parser, is_remote=True)
    add(parser)
    return parser.parse_intermixed_args(words)
