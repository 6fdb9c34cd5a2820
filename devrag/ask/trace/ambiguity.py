"""Ask which definition an end of a trace means, and read the reply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.utils.translation import gettext

from devrag.ask.trace.choices import Candidate, chosen_by
from devrag.ask.trace.citations import HEAD_LINES, Citations
from devrag.ask.trace.endpoints import Endpoint, Named
from devrag.ask.trace.not_found import not_found
from devrag.ask.trace.wording import code
from devrag.ask.types import Answer
from devrag.sources.models import Symbol

_MOST_LISTED = 12


def ask_back(unclear: Sequence[Endpoint]) -> Answer:
    """Return an answer that lists what each unclear name may mean."""
    citations = Citations()
    blocks = []
    for end in unclear:
        found = end.candidates or end.similar
        name = {"name": code(end.written), "count": len(found)}
        if end.candidates:
            said = gettext(
                "`%(name)s` is ambiguous: %(count)s definitions have this name. Which "
                "one do you mean?"
            )
        elif found:
            said = gettext(
                "There is no definition `%(name)s` in the current version. Did you "
                "mean one of these?"
            )
        else:
            said = gettext("There is no definition `%(name)s` in the current version.")
        blocks.append(said % name)
        if found:
            blocks.append(_list(found[:_MOST_LISTED], citations))
        if len(found) > _MOST_LISTED:
            more = len(found) - _MOST_LISTED
            blocks.append(gettext("And %(count)s more.") % {"count": more})
    answer = not_found("\n\n".join(blocks), citations)
    is_choice = all(end.candidates for end in unclear)
    return replace(answer, outcome="ambiguous") if is_choice else answer


def _list(found: Sequence[Named], citations: Citations) -> str:
    citations.load({each.first.file_id for each in found})
    return "\n".join(f"- {_place(each.first, citations)}" for each in found)


def _place(symbol: Symbol, citations: Citations) -> str:
    said = gettext("`%(name)s` in `%(path)s`, line %(line)s") % {
        "name": code(symbol.qualified_name),
        "path": code(symbol.file.path),
        "line": symbol.start_line,
    }
    end = min(symbol.end_line, symbol.start_line + HEAD_LINES - 1)
    return said + citations.cite(
        symbol.file_id,
        (symbol.start_line, end),
        "definition",
        title=symbol.qualified_name,
        why=gettext("definition"),
        uuid=symbol.uuid,
    )


def has_choices(answer: str) -> bool:
    """Return whether an earlier answer may have asked which definition is meant."""
    return "\n- `" in answer


def choose_ends(
    ends: list[Endpoint], replies: Iterable[str], offered: str
) -> list[Endpoint] | None:
    """Return the ends after each reply, None where one chooses nothing.

    offered: the answer that asked which is meant.
    """
    for reply in replies:
        after = [_chosen(end, reply) for end in ends]
        if after == ends:
            return None
        ends = after
    names = [f"`{code(each.name)}`" for end in ends for each in end.candidates]
    return ends if any(name in offered for name in names) else None


def _chosen(end: Endpoint, reply: str) -> Endpoint:
    found = end.candidates or end.similar
    if end.candidates and not end.is_ambiguous:
        return end
    offered = [
        Candidate(e.first.file.source.name, e.first.file.path, e.name) for e in found
    ]
    chosen = [found[i] for i in chosen_by(reply, offered)]
    return replace(end, found_by="name", candidates=tuple(chosen)) if chosen else end
