"""A conversation as one reader may see it: without lines of what is hidden from them.

A conversation over several products may cite some that its reader may not see, and a
shared one is read by others than who asked. A source that is limited to some members of
its product is hidden from the others in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext

from devrag.ask.models import Citation, Conversation, Turn
from devrag.core.page_urls import file_url
from devrag.core.principal import Principal
from devrag.products.limits import hidden_limits
from devrag.products.models import Product
from devrag.sources.models import RefFile

_CITED = re.compile(r"\]\(cite:(\d+)\)")
_OF_SERVER = re.compile(r"\]\((?=/[^/])")  # before a link to a page, such as the wiki's


@dataclass(frozen=True, slots=True)
class ReadableTurn:
    """A turn with what its reader may see of it.

    hidden: how many passages are left out. Where any is, the markdown has only the
    lines that cite visible ones, and there is no diagram.
    citations: by number. evidence: cited or not, in the order it was read.
    gone: ids of citations of pages and tickets that their source no longer has.
    notes, removed: empty for readers to whom they may reveal a hidden product.
    """

    turn: Turn
    markdown: str
    diagram: str
    citations: Mapping[int, Citation]
    evidence: tuple[Citation, ...]
    hidden: int = 0
    notes: Sequence[str] = ()
    removed: Sequence[Mapping[str, str]] = ()
    gone: frozenset[int] = frozenset()


def readable_turns(
    conversation: Conversation, principal: Principal
) -> list[ReadableTurn]:
    """Return the turns of a conversation in their order. Queries: 5, 6."""
    return restrict_turns(conversation.turns.order_by("ordinal"), principal)


def readable_turn(turn: Turn, principal: Principal) -> ReadableTurn:
    """Return one turn as its reader may see it. Queries: 4, 5."""
    return restrict_turns([turn], principal)[0]


def restrict_turns(
    turns: Iterable[Turn], principal: Principal, *, is_for_model: bool = False
) -> list[ReadableTurn]:
    """Return turns as their reader may see them, in the same order. Queries: 4, 5.

    is_for_model: without products that allow no external models.
    """
    rows = list(turns)
    prefetch_related_objects(rows, "citations__product")
    products = Product.objects.visible_to(principal)
    if is_for_model:
        products = products.filter(is_external_models_allowed=True)
    visible = frozenset(products.values_list("pk", flat=True))
    limited = hidden_source_ids(principal)
    note = "" if is_for_model else _hidden_note()
    found = [_readable(turn, principal, visible, limited, note) for turn in rows]
    gone = _gone_documents(row for each in found for row in each.evidence)
    return [replace(each, gone=gone) for each in found] if gone else found


def hidden_source_ids(principal: Principal) -> frozenset[int]:
    """Return the ids of sources that are limited to others. Queries: 1."""
    return frozenset(hidden_limits(principal).values_list("source_id", flat=True))


def _gone_documents(shown: Iterable[Citation]) -> frozenset[int]:
    """Return the ids of citations whose page or ticket is indexed no more.

    Queries: 1 where there are any of these.
    """
    rows = [row for row in shown if row.document]
    if not rows:
        return frozenset()
    current = RefFile.objects.filter(
        until=None,
        ref__is_current=True,
        file__source__name__in={row.source_name for row in rows},
        file__path__in={row.path for row in rows},
    )
    there = set(current.values_list("file__source__name", "file__path"))
    gone = (row.pk for row in rows if (row.source_name, row.path) not in there)
    return frozenset(gone)


def _hidden_note() -> str:
    return gettext(
        "*(This part cites a product or source that you do not have access to.)*"
    )


def _readable(
    turn: Turn,
    principal: Principal,
    visible: frozenset[int],
    limited: frozenset[int],
    note: str,
) -> ReadableTurn:
    rows = list(turn.citations.all())
    shown = tuple(
        row
        for row in rows
        if row.product_id in visible and row.source_id not in limited
    )
    numbers = {row.number: row for row in shown if row.number}
    # A product that was deleted took its citations along, not what cites them.
    lost = _cited_numbers(turn.markdown) - {row.number for row in rows}
    hidden = len(rows) - len(shown) + len(lost)
    has_remarks = not hidden and _may_read_remarks(turn.conversation, principal)
    return ReadableTurn(
        turn=turn,
        markdown=_visible_lines(turn.markdown, numbers, note)
        if hidden
        else turn.markdown,
        diagram="" if hidden else turn.diagram,
        citations=numbers,
        evidence=shown,
        hidden=hidden,
        notes=turn.notes if has_remarks else (),
        removed=turn.removed if has_remarks else (),
    )


def _may_read_remarks(conversation: Conversation, principal: Principal) -> bool:
    """Return whether notes and removed sentences name only what the reader may see.

    Those of a conversation over several products may name any that its owner sees.
    """
    is_owner = conversation.owner_id == principal.user_id
    return is_owner or conversation.product_id is not None


def _cited_numbers(markdown: str) -> set[int]:
    return {int(number) for number in _CITED.findall(markdown)}


def _visible_lines(markdown: str, visible: Collection[int], note: str) -> str:
    """Keep the lines that cite visible passages only.

    Those that cite others are replaced by a note, several in a row by one. Code,
    headings and whatever else cites nothing may show a hidden passage: it is dropped.
    """
    kept: list[str] = []
    for line in markdown.split("\n"):
        cited = _cited_numbers(line)
        if cited and all(number in visible for number in cited):
            kept.append(line.rstrip("\\"))  # a break before a line that is dropped
        elif cited and (not kept or kept[-1] != note):
            kept.append(note)
    return "\n\n".join(filter(None, kept))


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


def original_url(citation: Citation, gone: Collection[int]) -> str:
    """Return where the original of a page or ticket is; '' of files and when gone."""
    facts = citation.facts
    return facts.url if facts and citation.pk not in gone else ""


def label_of(citation: Citation) -> str:
    """Return `path:first–last`."""
    if citation.end_line <= citation.start_line:
        return f"{citation.path}:{citation.start_line}"
    return f"{citation.path}:{citation.start_line}–{citation.end_line}"


def as_markdown(readable: ReadableTurn, base: str) -> str:
    """Return question and answer as Markdown, citations as links under `base`."""

    def replace(match: re.Match[str]) -> str:
        citation = readable.citations.get(int(match[1]))
        return f"](<{address(citation)}>)" if citation else "]"

    def address(citation: Citation) -> str:
        original = original_url(citation, readable.gone)
        return original or base + citation_url(citation)

    lines = [f"## {readable.turn.question}", ""]
    said = _OF_SERVER.sub(rf"\g<0>{base}", readable.markdown)
    lines += [_CITED.sub(replace, said).strip(), ""]
    if readable.diagram:
        lines += ["```mermaid", readable.diagram.strip(), "```", ""]
    lines += [
        f"[{number}]: {address(citation)} "
        f"({label_of(citation)} @ {citation.version_identifier[:10]})"
        for number, citation in sorted(readable.citations.items())
    ]
    return "\n".join(lines).strip() + "\n"
