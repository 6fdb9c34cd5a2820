"""An answer of search as lines at a terminal, from the fields that REST gives too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from devrag.core.terminal import Terminal
from devrag.core.text import one_line, shorten
from devrag.search.snippets import SNIPPET_CHARACTERS, Strategy
from devrag.search.types import WIKI

_LONG = ("entry", "full")
_TERMS = 8


def strategy_of(strategy: Strategy | None, *, is_json: bool) -> Strategy:
    """Return what of a hit is wanted: programs take all, people a beginning."""
    return strategy or ("full" if is_json else "snippet")


def print_answer(
    fields: Mapping[str, Any], options: Mapping[str, Any], terminal: Terminal
) -> None:
    """Print hits and a summary that was asked for, and notes."""
    is_long = options["strategy"] in _LONG
    if fields.get("confidence") == "low":
        terminal.note("No exact matches. Closest results:")
    for hit in fields["hits"]:
        for line in _lines(hit, is_long=is_long):
            terminal.print(line)
    if options["summarize"]:
        terminal.print(fields["summary"])
    for note in fields["notes"]:
        terminal.note(note)
    if not fields["hits"]:
        terminal.note("No results. Try other words or --mode semantic.")


def _lines(hit: Mapping[str, Any], *, is_long: bool) -> Iterator[str]:
    if hit["matchedLines"]:
        place = f"{hit['sourceName']}:{hit['path']}"
        for found in hit["matchedLines"]:
            yield one_line(f"{place}:{found['line']}: {found['text']}")
        return
    mark = "  (changed since it was indexed; being updated)" if hit["isDirty"] else ""
    name = hit["symbol"] or hit["heading"]
    yield one_line(f"{hit['score']:.2f}  {_place(hit)}  {name}{mark}")
    text = str(hit["text"])
    if is_long:
        yield from _text_lines(hit["contextBefore"], "    · ")
        yield from _text_lines([text], "      ")
        yield from _text_lines(hit["contextAfter"], "    · ")
    else:
        yield f"      {one_line(shorten(text, SNIPPET_CHARACTERS))}"
    yield f"      {one_line('; '.join(_reasons(hit)))}"


def _place(hit: Mapping[str, Any]) -> str:
    if hit["kind"] == WIKI:
        anchor = f"#{hit['anchor']}" if hit["anchor"] else ""
        return f"wiki of {hit['productName']}: {hit['path']}{anchor}"
    return f"{hit['sourceName']}:{hit['path']}:{hit['startLine']}"


def _text_lines(texts: Sequence[str], indent: str) -> Iterator[str]:
    for text in texts:
        yield from (f"{indent}{one_line(line)}" for line in text.split("\n"))


def _reasons(hit: Mapping[str, Any]) -> Iterator[str]:
    """Yield the rules that applied, then its place in each list that brought it."""
    yield from hit["why"]
    for key, words in (("lexicalRank", "keyword"), ("semanticRank", "semantic")):
        if hit[key] is not None:
            yield f"#{hit[key]} in {words} search"
    if hit["matchedTerms"]:
        yield f"contains {', '.join(hit['matchedTerms'][:_TERMS])}"
