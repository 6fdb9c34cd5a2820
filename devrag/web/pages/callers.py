"""What uses a definition: the lines by file, the tests, the types below it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext, ngettext

from devrag.core.highlight import highlight_lines, split_lines
from devrag.navigation.stored_references import Place, WrittenUse
from devrag.navigation.symbols import Callers, called_by, symbols_around
from devrag.parsing.path_roles import is_test
from devrag.sources.models import File, Symbol
from devrag.web.pages.symbol_links import FoundDefinition, SymbolLink

_FILES, _LINES, _TESTS, _SUBTYPES, _NEAREST = 20, 6, 40, 60, 8
# Beyond this a line is not worth reading a whole file for.
_MAX_BYTES = 1_000_000
_SUBTYPE = frozenset({"inherit", "implement"})


@dataclass(frozen=True, slots=True)
class UseLine:
    """A line that uses a symbol; html: '' where the file is too big to read for it.

    is_possible: as in Callers.
    """

    number: int
    url: str
    html: str
    kind: str
    inside: str
    is_possible: bool


@dataclass(frozen=True, slots=True)
class UseFile:
    """Uses in one file. hidden: how many more it has."""

    path: str
    url: str
    lines: tuple[UseLine, ...]
    hidden: int


@dataclass(frozen=True, slots=True)
class CallersView:
    """nearest: where it is used, shortly. notes: what is left open.

    hidden_…: how many there are beyond those listed.
    """

    count: int
    nearest: tuple[SymbolLink, ...]
    files: tuple[UseFile, ...]
    hidden_files: int
    tests: tuple[SymbolLink, ...]
    hidden_tests: int
    subtypes: tuple[SymbolLink, ...]
    hidden_subtypes: int
    notes: tuple[str, ...]


def get_callers(found: FoundDefinition) -> CallersView:
    """Return what uses a definition. Queries: 5 and what resolving takes."""
    callers = called_by(found.ref, found.symbol)
    possible = set(callers.possible)
    uses = list(_without_imports(sorted(callers.all, key=lambda u: (u.path, u.line))))
    in_tests = {p for p in {use.path for use in uses} if is_test(p)}
    tests = _first_of_each(use for use in uses if use.path in in_tests)
    others = _first_of_lines(use for use in uses if use.path not in in_tests)
    groups = _by_file(found, others)
    shown = [use for group in groups[:_FILES] for use in group[:_LINES]]
    nearest = _first_of_each(shown)[:_NEAREST]
    subtypes = _first_of_each(use for use in uses if use.kind in _SUBTYPE)
    around = symbols_around([*shown, *tests[:_TESTS], *subtypes[:_SUBTYPES]])
    texts = _lines_of({use.usage.file for use in shown})
    return CallersView(
        count=len(others),
        nearest=tuple(_to_link(found, use, around) for use in nearest),
        files=tuple(
            _to_file(found, each, around, texts, possible) for each in groups[:_FILES]
        ),
        hidden_files=max(0, len(groups) - _FILES),
        tests=tuple(_to_link(found, use, around) for use in tests[:_TESTS]),
        hidden_tests=max(0, len(tests) - _TESTS),
        subtypes=tuple(_to_link(found, use, around) for use in subtypes[:_SUBTYPES]),
        hidden_subtypes=max(0, len(subtypes) - _SUBTYPES),
        notes=tuple(_notes(callers)),
    )


def _without_imports(uses: Iterable[WrittenUse]) -> Iterable[WrittenUse]:
    """Yield uses; an import only where its file has nothing that says more."""
    for _, group in groupby(uses, key=lambda use: use.path):
        written = list(group)
        yield from [use for use in written if use.kind != "import"] or written


def _by_file(
    found: FoundDefinition, uses: Iterable[WrittenUse]
) -> list[list[WrittenUse]]:
    """Return uses by file: its own first, then those with the most uses."""
    groups = [list(group) for _, group in groupby(uses, key=lambda use: use.path)]
    own = found.symbol.file.path
    return sorted(groups, key=lambda g: (g[0].path != own, -len(g), g[0].path))


def _first_of_each(uses: Iterable[WrittenUse]) -> list[WrittenUse]:
    """Return the first use in each symbol."""
    firsts: dict[Place, WrittenUse] = {}
    for use in uses:
        firsts.setdefault(use.place, use)
    return list(firsts.values())


def _first_of_lines(uses: Iterable[WrittenUse]) -> list[WrittenUse]:
    """Return the first use in each line."""
    firsts: dict[tuple[str, int], WrittenUse] = {}
    for use in uses:
        firsts.setdefault((use.path, use.line), use)
    return list(firsts.values())


def _lines_of(file_ids: Iterable[int]) -> dict[int, tuple[str, list[str]]]:
    rows = File.objects.filter(pk__in=file_ids, size__lte=_MAX_BYTES)
    return {
        pk: (language, split_lines(text))
        for pk, language, text in rows.values_list("pk", "language", "text")
    }


def _to_file(
    found: FoundDefinition,
    uses: list[WrittenUse],
    around: Mapping[Place, Symbol],
    texts: Mapping[int, tuple[str, list[str]]],
    possible: Collection[WrittenUse],
) -> UseFile:
    path = uses[0].path
    language, lines = texts.get(uses[0].usage.file, ("", []))
    return UseFile(
        path=path,
        url=found.file_url(path),
        lines=tuple(
            UseLine(
                number=use.line,
                url=found.file_url(path, use.line),
                html=_highlight(lines, use.line, language),
                kind=use.kind,
                inside=around[use.place].qualified_name if use.place in around else "",
                is_possible=use in possible,
            )
            for use in uses[:_LINES]
        ),
        hidden=max(0, len(uses) - _LINES),
    )


def _highlight(lines: list[str], number: int, language: str) -> str:
    if number > len(lines):
        return ""
    return highlight_lines(lines[number - 1].strip(), language)[0]


def _to_link(
    found: FoundDefinition, use: WrittenUse, around: Mapping[Place, Symbol]
) -> SymbolLink:
    symbol = around.get(use.place)
    if symbol is None:
        url = found.file_url(use.path, use.line)
        return SymbolLink(
            use.path, "file", url, gettext("line %(number)s") % {"number": use.line}
        )
    place = f"{use.path}:{use.line}"
    return SymbolLink(symbol.qualified_name, symbol.kind, found.url_of(symbol), place)


def _notes(callers: Callers) -> Iterable[str]:
    if callers.unresolved:
        yield ngettext(
            "%(number)s more use of this name could not be resolved: what they mean "
            "depends on types that only show when the program runs.",
            "%(number)s more uses of this name could not be resolved: what they mean "
            "depends on types that only show when the program runs.",
            callers.unresolved,
        ) % {"number": f"{callers.unresolved:,}"}
    if callers.elsewhere:
        yield ngettext(
            "%(number)s use means another definition of this name.",
            "%(number)s uses mean another definition of this name.",
            callers.elsewhere,
        ) % {"number": f"{callers.elsewhere:,}"}
    if callers.unread:
        yield gettext(
            "%(number)s more uses of this name were not checked: it is used "
            "in too many places."
        ) % {"number": f"{callers.unread:,}"}
