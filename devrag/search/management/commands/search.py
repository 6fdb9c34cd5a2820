"""`search`: ask the index from a terminal."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.principal import SYSTEM
from devrag.core.text import one_line, shorten
from devrag.search.asking_model import summarize_result
from devrag.search.extract import (
    MAX_CHARACTERS,
    SNIPPET_CHARACTERS,
    STRATEGIES,
    extract,
)
from devrag.search.fields import result_fields
from devrag.search.ranges import parse_depths
from devrag.search.reasons import explain
from devrag.search.related.answer import find_related
from devrag.search.searches import log_search
from devrag.search.service import search
from devrag.search.types import (
    CHUNK_KINDS,
    DEFAULT_LIMIT,
    FILE_KINDS,
    MODES,
    SYMBOL_KINDS,
    Hit,
    SearchQuery,
    SearchResult,
)

_KINDS = (
    f"Of the file: {', '.join(FILE_KINDS)}; of the definition: "
    f"{', '.join(SYMBOL_KINDS)}; of the piece: {', '.join(CHUNK_KINDS)}."
)
_LONG = ("entry", "full")
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


class Command(DevragCommand):
    """Search all products, or one."""

    help = (
        'Search the index. Examples: devrag search "where is the token checked"; '
        "devrag search 'exact:\"retry = 3\"'; devrag search '/def \\w+_token/'; "
        "devrag search --related SOURCE:PATH:LINE"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
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
        parser.add_argument("--product", default="")
        parser.add_argument("--source", default="")
        parser.add_argument("--mode", choices=MODES, default="hybrid")
        parser.add_argument("--limit", type=int, default=DEFAULT_LIMIT)
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
        parser.add_argument("--max-chars", type=int, default=MAX_CHARACTERS)

    def handle(self, *_args: Any, **options: Any) -> None:
        query = _to_query(options)
        result = find_related(query) if options["related"] else search(query)
        shown = partial(_shown, options)
        if options["json"]:
            fields = result_fields(result, shown)
            if options["summarize"]:
                fields["summary"] = summarize_result(result)
            self.write_json(fields)
        else:
            self._print(result, options, shown)
        if not options["related"]:
            log_search(result)

    def _print(
        self,
        result: SearchResult,
        options: Mapping[str, Any],
        shown: Callable[[Hit], str],
    ) -> None:
        for hit in result.hits:
            for line in _lines(hit, shown, is_long=options["strategy"] in _LONG):
                self.stdout.write(line)
        if options["summarize"]:
            self.stdout.write(summarize_result(result))
        for note in result.notes:
            self.stderr.write(note)
        if not result.hits:
            self.stderr.write("Nothing found. Try other words or --mode semantic.")


def _to_query(options: Mapping[str, Any]) -> SearchQuery:
    return SearchQuery(
        text=options["related"] or options["query"],
        principal=SYSTEM,
        product=options["product"],
        source=options["source"],
        mode=options["mode"],
        limit=options["limit"],
        path_prefix=options["path"],
        mime=options["mime"],
        kind=options["kind"],
        language=options["language"],
        min_complexity=options["min_complexity"],
        max_complexity=options["max_complexity"],
        depths=parse_depths(options["depth"]),
        context=options["context"],
        include_generated=options["generated"],
        include_clean_only=options["clean_only"],
        rewrite=options["rewrite"],
    )


def _shown(options: Mapping[str, Any], hit: Hit) -> str:
    return extract(
        hit.text,
        options["strategy"] or ("full" if options["json"] else "snippet"),
        terms=hit.matched_terms,
        max_characters=options["max_chars"],
    )


def _lines(hit: Hit, shown: Callable[[Hit], str], *, is_long: bool) -> Iterator[str]:
    place = f"{hit.source_name}:{hit.path}"
    if hit.matched_lines:
        for found in hit.matched_lines:
            yield one_line(f"{place}:{found.number}: {found.text}")
        return
    mark = "  (changed since, updating)" if hit.is_dirty else ""
    name = hit.symbol_name or hit.heading
    yield one_line(f"{hit.score:.2f}  {place}:{hit.start_line}  {name}{mark}")
    text = shown(hit)
    for line in text.split("\n") if is_long else [shorten(text, SNIPPET_CHARACTERS)]:
        yield f"      {one_line(line)}"
    yield f"      {one_line('; '.join(explain(hit)))}"
