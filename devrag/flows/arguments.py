"""Options of commands that another machine can answer too; nothing needs Django."""

from __future__ import annotations

from argparse import ArgumentParser

INDEX_HELP = (
    "Index a git URL, a repository on disk or a folder. "
    "Example: devrag index https://host/group/app.git --product shop --ref main"
)
WIKI_HELP = (
    "Write, export and compare a product's wiki. Example: "
    "devrag wiki generate --product shop"
)


def add_index_options(parser: ArgumentParser) -> None:
    """Add what to index, into which product, and how long to wait."""
    parser.add_argument("location", help="Git URL or path.")
    parser.add_argument("--product", required=True, help="Made when it is new.")
    parser.add_argument("--source", help="Name; default: last part of the location.")
    parser.add_argument("--ref", help="Branch, tag or commit.")
    parser.add_argument("--full", action="store_true", help="Read everything again.")
    parser.add_argument("--wiki", action="store_true", help="Then write the wiki.")
    add_no_wait(parser)
    parser.add_argument(
        "--wait-vectors", action="store_true", help="Wait for the vectors, too."
    )


def add_no_wait(parser: ArgumentParser) -> None:
    """Add the option not to wait for the job that is asked for."""
    parser.add_argument("--no-wait", action="store_true", help="Print the job id.")
