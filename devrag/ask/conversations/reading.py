"""A conversation as one reader may see it: without lines of what is hidden from them.

A conversation over several products may cite some that its reader may not see, and a
shared one is read by others than who asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext

from devrag.ask.models import Citation, Conversation, Turn
from devrag.core.page_urls import file_url
from devrag.core.principal import Principal
from devrag.products.models import Product

_CITED = re.compile(r"\]\(cite:(\d+)\)")


@dataclass(frozen=True, slots=True)
class ReadableTurn:
    """A turn with what its reader may see of it.

    markdown: lines that cite something hidden are replaced by one that says so.
    citations: by number. evidence: cited or not, in the order it was read.
    hidden: how many places are left out. diagram: '' when any is.
    """

    turn: Turn
    markdown: str
    diagram: str
    citations: Mapping[int, Citation]
    evidence: tuple[Citation, ...]
    hidden: int = 0


def readable_turns(
    conversation: Conversation, principal: Principal
) -> list[ReadableTurn]:
    """Return the turns of a conversation in their order. Queries: 4."""
    turns = list(
        conversation.turns.order_by("ordinal").prefetch_related("citations__product")
    )
    visible = _visible_products(principal)
    return [_readable(turn, visible) for turn in turns]


def readable_turn(turn: Turn, principal: Principal) -> ReadableTurn:
    """Return one turn as its reader may see it. Queries: 3."""
    prefetch_related_objects([turn], "citations__product")
    return _readable(turn, _visible_products(principal))


def _visible_products(principal: Principal) -> frozenset[int]:
    visible = Product.objects.visible_to(principal)
    return frozenset(visible.values_list("pk", flat=True))


def _readable(turn: Turn, visible: frozenset[int]) -> ReadableTurn:
    rows = list(turn.citations.all())
    shown = tuple(row for row in rows if row.product_id in visible)
    numbers = {row.number: row for row in shown if row.number}
    hidden = {row.number for row in rows if row.number} - numbers.keys()
    return ReadableTurn(
        turn=turn,
        markdown=_without(turn.markdown, hidden),
        diagram="" if len(shown) < len(rows) else turn.diagram,
        citations=numbers,
        evidence=shown,
        hidden=len(rows) - len(shown),
    )


def _without(markdown: str, hidden: set[int]) -> str:
    """Replace lines that cite hidden places; several in a row by one."""
    if not hidden:
        return markdown
    said = gettext("*(This part cites a product that you cannot see.)*")
    kept: list[str] = []
    for line in markdown.split("\n"):
        if not hidden & {int(number) for number in _CITED.findall(line)}:
            kept.append(line)
        elif not kept or kept[-1] != said:
            kept.append(said)
    return "\n".join(kept)


def citation_url(citation: Citation) -> str:
    """Return the address of the cited lines at their version."""
    return file_url(
        citation.product.name,
        citation.source_name,
        citation.version_identifier,
        citation.path,
        citation.start_line,
        citation.end_line,
    )


def label_of(citation: Citation) -> str:
    """Return `path:first–last`."""
    if citation.end_line <= citation.start_line:
        return f"{citation.path}:{citation.start_line}"
    return f"{citation.path}:{citation.start_line}–{citation.end_line}"


def as_markdown(readable: ReadableTurn, base: str) -> str:
    """Return question and answer as Markdown, citations as links under `base`."""

    def replace(match: re.Match[str]) -> str:
        citation = readable.citations.get(int(match[1]))
        return f"](<{base}{citation_url(citation)}>)" if citation else "]"

    lines = [f"## {readable.turn.question}", ""]
    lines += [_CITED.sub(replace, readable.markdown).strip(), ""]
    if readable.diagram:
        lines += ["```mermaid", readable.diagram.strip(), "```", ""]
    lines += [
        f"[{number}]: {base}{citation_url(citation)} "
        f"({label_of(citation)} @ {citation.version_identifier[:10]})"
        for number, citation in sorted(readable.citations.items())
    ]
    return "\n".join(lines).strip() + "\n"
