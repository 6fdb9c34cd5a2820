"""`search`: ask the index from a terminal."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from devrag.cli.command import Command
from devrag.cli.interfaces import Backend, SearchRequest
from devrag.cli.search_output import print_answer, strategy_of
from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.core.terminal import Terminal
from devrag.core.text import one_line
from devrag.search.snippets import MAX_CHARACTERS, STRATEGIES
from devrag.search.types import (
    CHUNK_KINDS,
    DEFAULT_CONTEXT,
    DEFAULT_LIMIT,
    DOCUMENT_KINDS,
    FILE_KINDS,
    MAX_CONTEXT,
    MAX_LIMIT,
    MODE_NAMES,
    SYMBOL_KINDS,
    SearchQuery,
    read_depths,
)

_KINDS = (
    f"File kinds: {', '.join((*FILE_KINDS, *DOCUMENT_KINDS))}; definition kinds: "
    f"{', '.join(SYMBOL_KINDS)}; chunk kinds: {', '.join(CHUNK_KINDS)}."
)
# Option and help: texts that are empty when not given.
_TEXTS = (
    ("--path", "Path prefix."),
    ("--pattern", "Path pattern, such as src/**/*.py or *_test.go."),
    ("--mime", "MIME type, such as text/x-go."),
    ("--kind", _KINDS),
    ("--language", "Language, such as python or markdown."),
    ("--depth", "Heading levels, such as 1 or 0,1,2."),
    ("--status", "Ticket status: open, closed, or the name used in the source."),
    ("--author", "Author of pages and tickets: full name or one word of it."),
    ("--after", "Pages and tickets updated on or after this date, such as 2026-01-31."),
    ("--before", "Pages and tickets updated before this date."),
)
# Numbers that are 0 when not given.
_NUMBERS = (
    ("--min-complexity", "Functions with at least this cyclomatic complexity."),
    ("--max-complexity", "Functions with at most this cyclomatic complexity."),
)
_FLAGS = (
    ("--generated", "Include generated and vendored files."),
    ("--clean-only", "Exclude files that have changed since they were indexed."),
    ("--rewrite", "Rewrite the query as keywords first."),
    ("--summarize", "Summarize the results, with the product's model if one is set."),
)


def _add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "query",
        nargs="?",
        default="",
        help='Search query. Filters: "exact phrase", lang:go, kind:method, path:src/, '
        "-path:tests, label:auth, -label:test, source:name, product:name; for "
        "pages and tickets: kind:ticket, status:open, author:name, "
        "after:2026-01-31, before:2026-06.",
    )
    parser.add_argument(
        "--related",
        default="",
        metavar="PLACE",
        help="Find code related to SOURCE:PATH:LINE, SOURCE:PATH::chunk_N or a "
        "definition ID.",
    )
    parser.add_argument("--product", default="", help="Search only this product.")
    parser.add_argument("--source", default="", help="Search only this source.")
    parser.add_argument(
        "--mode",
        choices=MODE_NAMES,
        default="hybrid",
        help=(
            "keyword (or bm25): keyword search; semantic: semantic search; "
            "hybrid: both."
        ),
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=DEFAULT_LIMIT,
        help=f"Number of results, 1 to {MAX_LIMIT}; default: {DEFAULT_LIMIT}.",
    )
    for name, explanation in _TEXTS:
        parser.add_argument(name, default="", help=explanation)
    _add_repeatable(parser)
    for name, explanation in _NUMBERS:
        parser.add_argument(name, type=int, default=0, help=explanation)
    for name, explanation in _FLAGS:
        parser.add_argument(name, action="store_true", help=explanation)
    _add_output_options(parser)


def _add_repeatable(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--tag",
        action="append",
        default=[],
        dest="tags",
        metavar="TAG",
        help="Only dated entries with this tag (repeatable; all must match).",
    )
    parser.add_argument(
        "--label",
        action="append",
        default=[],
        dest="labels",
        metavar="LABEL",
        help="Only files with this label, such as auth (repeatable; all must match).",
    )


def _add_output_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--verbose", action="store_true", help="Print timings and scores on stderr."
    )
    parser.add_argument(
        "--strategy",
        choices=STRATEGIES,
        help="How much of each result to print; default: snippet, full with --json.",
    )
    parser.add_argument(
        "--max-chars",
        type=int,
        default=MAX_CHARACTERS,
        help=f"Truncate longer texts; default: {MAX_CHARACTERS}.",
    )
    parser.add_argument(
        "--context",
        type=int,
        default=DEFAULT_CONTEXT,
        help=f"Neighbouring chunks on each side, 0 to {MAX_CONTEXT}; default: "
        f"{DEFAULT_CONTEXT}. Printed with --json and with --strategy entry or full.",
    )


def _run(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    answer = backend.search(
        SearchRequest(
            query=_query(options),
            is_related=bool(options.related),
            strategy=strategy_of(options.strategy, is_json=terminal.is_json),
            max_characters=options.max_chars,
            is_summarized=options.summarize,
            is_traced=options.verbose,
        )
    )
    for line in answer.trace:
        terminal.note(one_line(line))
    if terminal.is_json:
        terminal.print_json(answer.fields)
    else:
        print_answer(answer.fields, vars(options), terminal)


def _query(options: Namespace) -> SearchQuery:
    return SearchQuery(
        text=options.related or options.query,
        principal=SYSTEM,
        product=options.product,
        source=options.source,
        mode=options.mode,
        limit=options.limit,
        path_prefix=options.path,
        pattern=options.pattern,
        tags=tuple(options.tags),
        labels=tuple(options.labels),
        status=options.status,
        author=options.author,
        after=options.after,
        before=options.before,
        mime=options.mime,
        kind=options.kind,
        language=options.language,
        min_complexity=options.min_complexity,
        max_complexity=options.max_complexity,
        depths=_depths(options.depth),
        context=options.context,
        include_generated=options.generated,
        include_clean_only=options.clean_only,
        rewrite=options.rewrite,
    )


def _depths(text: str) -> tuple[int, ...]:
    depths = read_depths(text)
    if depths is None:
        raise InvalidInput(
            f"Invalid depth '{text}'. Give heading levels such as 1 or 0,1,2."
        )
    return depths


COMMAND = Command(
    'Search the index. Examples: devrag search "where is the token checked"; '
    "devrag search 'exact:\"retry = 3\"'; devrag search '/def \\w+_token/'; "
    "devrag search --related SOURCE:PATH:LINE",
    _add_options,
    _run,
)
