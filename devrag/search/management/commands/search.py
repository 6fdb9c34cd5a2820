"""`search`: ask the index from a terminal."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.principal import SYSTEM
from devrag.core.text import one_line, shorten
from devrag.search.service import search
from devrag.search.types import (
    CHUNK_KINDS,
    DEFAULT_LIMIT,
    FILE_KINDS,
    MODES,
    SYMBOL_KINDS,
    Hit,
    SearchQuery,
)


class Command(DevragCommand):
    """Search all products, or one."""

    help = 'Search the index. Example: devrag search "where is the token checked"'

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "query",
            help='Words; "these stand together", lang:go, kind:method, path:src/, '
            "-path:tests, source:name and product:name narrow them down.",
        )
        parser.add_argument("--product", default="")
        parser.add_argument("--source", default="")
        parser.add_argument("--mode", choices=MODES, default="hybrid")
        parser.add_argument("--limit", type=int, default=DEFAULT_LIMIT)
        parser.add_argument("--path", default="", help="Path prefix.")
        parser.add_argument("--mime", default="")
        parser.add_argument(
            "--kind",
            default="",
            help=f"Of the file: {', '.join(FILE_KINDS)}; of the definition: "
            f"{', '.join(SYMBOL_KINDS)}; of the piece: {', '.join(CHUNK_KINDS)}.",
        )
        parser.add_argument(
            "--language", default="", help="As in python, go, markdown."
        )
        parser.add_argument(
            "--min-complexity",
            type=int,
            default=0,
            help="Only functions of at least this cyclomatic complexity.",
        )
        parser.add_argument(
            "--generated",
            action="store_true",
            help="Generated and vendored files too.",
        )
        parser.add_argument(
            "--clean-only",
            action="store_true",
            help="No files that changed since they were indexed.",
        )
        parser.add_argument("--context", type=int, default=0, help="0 to 3 chunks.")

    def handle(self, *_args: Any, **options: Any) -> None:
        result = search(
            SearchQuery(
                text=options["query"],
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
                context=options["context"],
                include_generated=options["generated"],
                include_clean_only=options["clean_only"],
            )
        )
        if options["json"]:
            self.write_json(
                {
                    "hits": [_as_json(hit) for hit in result.hits],
                    "milliseconds": round(result.milliseconds, 1),
                    "lexicalBehind": result.is_lexical_behind,
                    "notes": result.notes,
                }
            )
            return
        for hit in result.hits:
            self.stdout.write(_line(hit))
        for note in result.notes:
            self.stderr.write(note)
        if not result.hits:
            self.stderr.write("Nothing found. Try other words or --mode semantic.")


def _as_json(hit: Hit) -> dict[str, Any]:
    return {
        "path": hit.path,
        "startLine": hit.start_line,
        "endLine": hit.end_line,
        "score": round(hit.score, 4),
        "sourceName": hit.source_name,
        "productName": hit.product_name,
        "version": hit.version_identifier,
        "kind": hit.kind,
        "language": hit.language,
        "symbol": hit.symbol_name,
        "symbolId": str(hit.symbol_uuid or ""),
        "complexity": hit.complexity,
        "heading": hit.heading,
        "isDirty": hit.is_dirty,
        "why": hit.why,
        "matchedTerms": hit.matched_terms,
        "text": hit.text,
        "contextBefore": [c.text for c in hit.context_before],
        "contextAfter": [c.text for c in hit.context_after],
    }


def _line(hit: Hit) -> str:
    name = hit.symbol_name or hit.heading
    head = f"{hit.score:.2f}  {hit.source_name}:{hit.path}:{hit.start_line}"
    mark = "  (changed since, updating)" if hit.is_dirty else ""
    snippet = one_line(shorten(hit.text, 100))
    return f"{one_line(f'{head}  {name}{mark}')}\n      {snippet}"
