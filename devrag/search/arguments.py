"""The options of `search` at a terminal, here and on another machine.

Nothing here needs Django: a laptop without a database asks with the same words.
"""

from __future__ import annotations

from argparse import ArgumentParser

from devrag.search.extract import MAX_CHARACTERS, STRATEGIES
from devrag.search.types import (
    CHUNK_KINDS,
    DEFAULT_LIMIT,
    FILE_KINDS,
    MAX_LIMIT,
    MODES,
    SYMBOL_KINDS,
)

HELP = (
    'Search the index. Examples: devrag search "where is the token checked"; '
    "devrag search 'exact:\"retry = 3\"'; devrag search '/def \\w+_token/'; "
    "devrag search --related SOURCE:PATH:LINE"
)
_KINDS = (
    f"Of the file: {', '.join(FILE_KINDS)}; of the definition: "
    f"{', '.join(SYMBOL_KINDS)}; of the piece: {', '.join(CHUNK_KINDS)}."
)
# Option and help: numbers that are 0 when not given.
_NUMBERS = (
    ("--min-complexity", "Only functions of at least this cyclomatic complexity."),
    ("--max-complexity", "Only functions of at most this cyclomatic complexity."),
    ("--context", "0 to 3 neighbouring pieces on each side."),
)
_FLAGS = (
    ("--generated", "Generated and vendored files too."),
    ("--clean-only", "No files that changed since they were indexed."),
    ("--rewrite", "Ask for what a question is about, not for its words."),
    ("--summarize", "Say what was found; by the product's model where one is set."),
)


def add_search_options(parser: ArgumentParser) -> None:
    """Add the question and all that narrows it down."""
    parser.add_argument(
        "query",
        nargs="?",
        default="",
        help='Words; "these stand together", lang:go, kind:method, path:src/, '
        "-path:tests, source:name and product:name narrow them down.",
    )
    parser.add_argument(
        "--related",
        default="",
        metavar="PLACE",
        help="What has to do with SOURCE:PATH:LINE or the id of a definition.",
    )
    parser.add_argument("--product", default="", help="Only this product.")
    parser.add_argument("--source", default="", help="Only this source.")
    parser.add_argument(
        "--mode", choices=MODES, default="hybrid", help="By words, by meaning, or both."
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=DEFAULT_LIMIT,
        help=f"Hits, 1 to {MAX_LIMIT}; default: {DEFAULT_LIMIT}.",
    )
    parser.add_argument("--path", default="", help="Path prefix.")
    parser.add_argument("--mime", default="", help="As in text/x-go.")
    parser.add_argument("--kind", default="", help=_KINDS)
    parser.add_argument("--language", default="", help="As in python, markdown.")
    parser.add_argument(
        "--depth", default="", help="Levels of headings, as in 1 or 0,1,2."
    )
    for name, explanation in _NUMBERS:
        parser.add_argument(name, type=int, default=0, help=explanation)
    for name, explanation in _FLAGS:
        parser.add_argument(name, action="store_true", help=explanation)
    parser.add_argument(
        "--strategy",
        choices=STRATEGIES,
        help="What of a hit is printed; default: snippet, full with --json.",
    )
    parser.add_argument(
        "--max-chars",
        type=int,
        default=MAX_CHARACTERS,
        help=f"Longer texts are cut; default: {MAX_CHARACTERS}.",
    )
