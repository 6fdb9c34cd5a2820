"""What a hit shows of its text: a few lines of code, or prose on one line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import islice

from django.utils.html import escape

from devrag.core.docstrings import without_dead_references
from devrag.core.highlight import highlight_lines, lex_lines, mark_terms, split_lines
from devrag.core.markdown import render_markdown, without_ids
from devrag.core.plain_markdown import FRONT_MATTER, to_plain
from devrag.search.api import Strategy, extract
from devrag.search.types import Hit
from devrag.sources.api import text_of_document
from devrag.web.pages.code import Line, number_lines

SNIPPET_LINES = 9
MAX_PROSE_CHARACTERS = 600
_DESCRIPTION = re.compile(
    r"^(?:description|summary|excerpt|abstract):[ \t]*(?P<text>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)


def mark_exactly(text: str, found: Sequence[str]) -> str:
    """Mark what was found, letter by letter; colours would take it apart."""
    if not found:
        return escape(text)
    longest_first = sorted(found, key=len, reverse=True)
    pieces = re.split(f"({'|'.join(map(re.escape, longest_first))})", text)
    return "".join(
        f"<mark>{escape(piece)}</mark>" if place % 2 else escape(piece)
        for place, piece in enumerate(pieces)
    )


def excerpt_lines(hit: Hit, strategy: Strategy) -> tuple[Line, ...]:
    """Return all highlighted lines, or a few around the first that has a term."""
    if strategy != "snippet":
        shown = extract(hit.text, strategy, terms=hit.matched_terms)
        begin = hit.text[: max(0, hit.text.find(shown))].count("\n")
        lines = highlight_lines(shown, hit.language)
        marked = [_mark(line, hit) for line in lines]
        return number_lines(marked, start=hit.start_line + begin)
    lines = split_lines(hit.text)
    begin = first_match(lines, hit.matched_terms, are_whole=hit.has_name)
    if hit.symbol_line:
        begin = hit.symbol_line - hit.start_line
    begin = max(0, min(begin - 1, len(lines) - SNIPPET_LINES))
    chosen = islice(lex_lines(lines, hit.language), begin, begin + SNIPPET_LINES)
    marked = [_mark(line, hit) for line in chosen]
    return number_lines(marked, start=hit.start_line + begin)


def _mark(line: str, hit: Hit) -> str:
    return mark_terms(line, hit.matched_terms, are_whole=hit.has_name)


def first_match(
    lines: Iterable[str], terms: Iterable[str], *, are_whole: bool = False
) -> int:
    """Return the index of the first line with a term, 0 when none has.

    With a phrase or a name of several words, if any has one. are_whole: not within
    other names.
    """
    if are_whole:
        names = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, terms))})(?!\w)")
        return next((at for at, line in enumerate(lines) if names.search(line)), 0)
    wanted = {term.lower() for term in terms}
    phrases = _longer(wanted)
    lowered = [line.lower() for line in lines]
    having = (
        index
        for each in (phrases, wanted)
        for index, line in enumerate(lowered)
        if any(term in line for term in each)
    )
    return next(having, 0)


def _longer(terms: Collection[str]) -> set[str]:
    """Return phrases, and names of which other terms are parts."""
    return {
        term
        for term in terms
        if len(term.split()) > 1 or any(each != term and each in term for each in terms)
    }


def _without_head(hit: Hit) -> Hit:
    """Return a hit without what stands above the text of a page or ticket.

    Pages show that in other words.
    """
    return replace(hit, text=text_of_document(hit.text)) if hit.document else hit


def excerpt_prose(hit: Hit, strategy: Strategy) -> str:
    """Return a text as HTML, or what stands around its first term."""
    hit = _without_head(hit)
    if strategy != "snippet":
        shown = extract(hit.text, strategy, terms=hit.matched_terms)
        return mark_terms(_whole(hit, shown), hit.matched_terms)
    flat = _on_one_line(hit)
    lowered = flat.lower()
    terms = [term.lower() for term in hit.matched_terms]
    found = [lowered.find(term) for term in _longer(terms) if term in lowered]
    found = found or [lowered.find(term) for term in terms if term in lowered]
    first = min(found, default=0)
    begin = max(0, first - MAX_PROSE_CHARACTERS // 4)
    if begin:  # Not within a word, where there is space between words.
        begin = flat.find(" ", begin, first) + 1 or begin
    piece = flat[begin : begin + MAX_PROSE_CHARACTERS]
    opening = "…" if begin else ""
    ending = "…" if begin + MAX_PROSE_CHARACTERS < len(flat) else ""
    [line] = highlight_lines(opening + piece + ending, "")
    return mark_terms(line, hit.matched_terms)


def _whole(hit: Hit, text: str) -> str:
    """Return a text as HTML: Markdown set, with links only where they are absolute."""
    if hit.language != "markdown":
        return "\n".join(highlight_lines(text, ""))
    known = without_dead_references(text)
    page = render_markdown(known, resolve_link=lambda _: None, drops_html=True)
    return without_ids(page.html)


def _description(front_matter: str) -> str:
    """Return what the head of a file says of it in words; the rest is for programs."""
    found = _DESCRIPTION.search(front_matter)
    return found["text"].strip().strip("\"'") if found else ""


def _on_one_line(hit: Hit) -> str:
    """Return a hit's words; of a page or ticket none where it is only a heading."""
    if hit.language == "markdown":
        plain = to_plain(hit.text, hit.heading)
        if plain or hit.document:
            return plain
        if front_matter := FRONT_MATTER.match(hit.text):
            return _description(front_matter[0])
    return " ".join(hit.text.split())
