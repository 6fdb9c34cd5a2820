"""The commands that another devrag answers, with the options that they take there."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence

from devrag.client import lists, products, sources, wikis
from devrag.client import search as asking
from devrag.client.connection import Connection
from devrag.core.options import add_common_options, add_json_option
from devrag.products.wiki_settings import LANGUAGES
from devrag.search.arguments import HELP, add_search_options
from devrag.use_cases.arguments import (
    INDEX_HELP,
    PRODUCT_HELP,
    SOURCE_HELP,
    WIKI_HELP,
    add_diff_options,
    add_export_options,
    add_generate_options,
    add_index_options,
    add_product_options,
    add_removal_options,
    add_source_options,
    add_version_number,
    update_source_options,
)

Add = Callable[[ArgumentParser], None]
Run = Callable[[Connection, Namespace], None]


def _wiki_options(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    for name, add in _WIKI.items():
        action = actions.add_parser(name)
        add_json_option(action)
        action.add_argument("--product", required=True, help="Product name.")
        if name in wikis.OF_ONE_LANGUAGE:
            action.add_argument(
                "--language",
                choices=list(LANGUAGES),
                help="Language of the wiki; default: the main one.",
            )
        if add is not None:
            add(action)


def _source_options(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    for name, add in _SOURCE.items():
        action = actions.add_parser(name)
        add_json_option(action)
        if name not in {"add", "list"}:
            action.add_argument("name", help="Name of the source.")
        if add is not None:
            add(action)


def _job_options(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=["list", "show", "cancel", "retry"])
    parser.add_argument(
        "id", nargs="?", default="", help="Job id, or the beginning of it."
    )
    parser.add_argument(
        "--open", action="store_true", help="List only running and waiting jobs."
    )


_WIKI: dict[str, Add | None] = {
    "generate": add_generate_options,
    "status": None,
    "estimate": None,
    "export": add_export_options,
    "diff": add_diff_options,
    "show": add_version_number,
    "pin": add_version_number,
    "unpin": add_version_number,
}
_SOURCE: dict[str, Add | None] = {
    "list": None,
    "show": None,
    "add": add_source_options,
    "update": update_source_options,
    "remove": add_removal_options,
}
COMMANDS: dict[str, tuple[str, Add, Run]] = {
    "index": (INDEX_HELP, add_index_options, asking.index),
    "search": (HELP, add_search_options, asking.search),
    "wiki": (WIKI_HELP, _wiki_options, wikis.wiki),
    "product": (PRODUCT_HELP, add_product_options, products.product),
    "source": (SOURCE_HELP, _source_options, sources.source),
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
    has_actions = add in {_wiki_options, _source_options}
    # Intermixed, argparse takes what follows "--" for options, too.
    is_plain = has_actions or "--" in words
    read = parser.parse_args if is_plain else parser.parse_intermixed_args
    return read(words)
