"""`search`: ask the index from a terminal."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from functools import partial
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.principal import SYSTEM
from devrag.core.text import one_line
from devrag.search.arguments import HELP, add_search_options
from devrag.search.extract import extract
from devrag.search.fields import result_fields
from devrag.search.query_model import summarize_result
from devrag.search.ranges import parse_depths
from devrag.search.related.answer import find_related
from devrag.search.searches import log_search
from devrag.search.service import search
from devrag.search.terminal import print_answer, strategy_of
from devrag.search.trace import start_trace, trace_search
from devrag.search.types import Hit, SearchQuery


class Command(DevragCommand):
    """Search all products, or one."""

    help = HELP
    is_remote = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_search_options(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        query = _to_query(options)
        lines = start_trace() if options["verbose"] else []
        # A command loads the embedding model itself: that takes longer than a page may.
        patient = partial(search, is_patient=True)
        ask = find_related if options["related"] else patient
        result = trace_search(query, ask)
        for line in lines:
            self.stderr.write(one_line(line))
        fields = result_fields(result, partial(_shown, options))
        if options["summarize"]:
            fields["summary"] = summarize_result(result)
        if options["json"]:
            self.write_json(fields)
        else:
            print_answer(fields, options, self.stdout.write, self.stderr.write)
        if not options["related"]:
            log_search(result)


def _to_query(options: Mapping[str, Any]) -> SearchQuery:
    return SearchQuery(
        text=options["related"] or options["query"],
        principal=SYSTEM,
        product=options["product"],
        source=options["source"],
        mode=options["mode"],
        limit=options["limit"],
        path_prefix=options["path"],
        pattern=options["pattern"],
        tags=tuple(options["tags"]),
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
        strategy_of(options),
        terms=hit.matched_terms,
        max_characters=options["max_chars"],
    )
