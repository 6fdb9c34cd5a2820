"""Options that all commands share, for Django's commands and for those without it."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser


def add_common_options(parser: ArgumentParser, *, is_remote: bool) -> None:
    """Add `--json` and `--config`; with `is_remote` where another server may answer."""
    parser.add_argument("--json", action="store_true", help="Print the result as JSON.")
    add_config_option(parser)
    if is_remote:
        parser.add_argument(
            "--server",
            metavar="URL",
            help="Send the command to this server instead of using local data.",
        )
        parser.add_argument(
            "--token",
            help=(
                "API token for that server; use DEVRAG_API_TOKEN to keep it out "
                "of the process list."
            ),
        )


def add_config_option(parser: ArgumentParser) -> None:
    """Add `--config`, which the command line reads wherever it stands."""
    parser.add_argument(
        *("-c", "--config"),
        metavar="FILE",
        help="Configuration file to use instead of .devrag.json.",
    )


def add_json_option(parser: ArgumentParser) -> None:
    """Let `--json` stand after an action, too."""
    parser.add_argument(
        "--json",
        action="store_true",
        default=SUPPRESS,
        help="Print the result as JSON.",
    )


def add_init_options(parser: ArgumentParser) -> None:
    """Add the options of `init`, whichever file it writes."""
    parser.add_argument(
        "--force", action="store_true", help="Replace an existing file."
    )
    add_common_options(parser, is_remote=True)
