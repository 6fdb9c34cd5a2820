"""Where a definition is used: places with their lines, code before tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from devrag.core.text import shorten
from devrag.navigation.stored_references import WrittenUse
from devrag.navigation.symbols import Callers, called_by, symbols_around
from devrag.parsing.path_roles import is_test
from devrag.sources.models import File, GitRef, Symbol

_LINE_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class ListedUse:
    """A use. inside: the definition around it, '' outside of any.

    is_possible: as in Callers.
    """

    path: str
    line: int
    kind: str
    inside: str
    text: str
    is_possible: bool = False


def list_uses(
    ref: GitRef, symbol: Symbol, limit: int
) -> tuple[list[ListedUse], int, list[str]]:
    """Return the first uses, sure ones before possible, how many, and what is open."""
    callers = called_by(ref, symbol)
    possible = set(callers.possible)
    uses = sorted(
        callers.all,
        key=lambda u: (u in possible, is_test(u.path), u.kind == "import"),
    )
    shown = uses[:limit]
    around = symbols_around(shown)
    texts = _lines_of(shown)
    found = [
        ListedUse(
            path=use.path,
            line=use.line,
            kind=use.kind,
            inside=around[use.place].qualified_name if use.place in around else "",
            text=texts.get((use.usage.file, use.line), ""),
            is_possible=use in possible,
        )
        for use in shown
    ]
    return found, len(uses), list(_notes(callers))


def caller_names(ref: GitRef, symbol: Symbol) -> list[str]:
    """Return the definitions that call one, possible callers last."""
    calls = [use for use in called_by(ref, symbol).all if use.kind == "call"]
    around = symbols_around(calls)
    names = (around[c.place].qualified_name for c in calls if c.place in around)
    return list(dict.fromkeys(names))


def _lines_of(uses: Sequence[WrittenUse]) -> dict[tuple[int, int], str]:
    files = {use.usage.file for use in uses}
    texts = dict(File.objects.filter(pk__in=files).values_list("pk", "text"))
    lines = {pk: text.split("\n") for pk, text in texts.items()}
    return {
        (use.usage.file, use.line): shorten(
            lines[use.usage.file][use.line - 1], _LINE_CHARACTERS
        )
        for use in uses
        if use.usage.file in lines and use.line <= len(lines[use.usage.file])
    }


def _notes(callers: Callers) -> Iterable[str]:
    if callers.unresolved:
        yield (
            f"{callers.unresolved} more uses of this name could not be resolved; what "
            "they refer to is only known at run time."
        )
    if callers.elsewhere:
        yield f"{callers.elsewhere} uses of this name refer to another definition."
    if callers.unread:
        yield f"{callers.unread} more uses of this name were not examined."
