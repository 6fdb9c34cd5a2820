"""Answer where a definition is used: the list of references, without a model.

    uses_answer(request) -> Answer | None

Code comes before examples and these before tests, what surely means the definition
before what may mean it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext, gettext_noop, ngettext

from devrag.ask.language import language_of
from devrag.ask.named.definitions import find_definitions
from devrag.ask.named.question import read_names
from devrag.ask.named.written import written_answer
from devrag.ask.trace.citations import CALL_LINES, HEAD_LINES, Citations
from devrag.ask.trace.endpoints import Named
from devrag.ask.types import Answer, AskRequest
from devrag.core.text import code_text, shorten
from devrag.navigation.stored_references import Place, WrittenUse
from devrag.navigation.symbols import Callers, called_by, symbols_around, uses_by_name
from devrag.parsing.path_roles import is_aside, is_test
from devrag.sources.models import GitRef, Symbol

_CODE, _EXAMPLES, _TESTS = (
    gettext_noop("Code"),
    gettext_noop("Examples"),
    gettext_noop("Tests"),
)
# Of each group so many are listed.
_MOST = {_CODE: 20, _EXAMPLES: 5, _TESTS: 8}
_LINE, _MOST_OVERLOADS = 100, 8
_Line = tuple[str, int]  # a path and the number


@dataclass(frozen=True, slots=True)
class _Uses:
    """The uses of a definition. unclear: those that are not sure to mean it.

    imports: lines that only import it, where others use it.
    """

    symbol: Symbol
    all: tuple[WrittenUse, ...]
    unclear: frozenset[WrittenUse]
    imports: int = 0

    def of(self, group: str) -> list[WrittenUse]:
        """Return the uses of a group, the most telling first."""
        found = [use for use in self.all if _group(use) == group]
        return sorted(found, key=lambda use: use in self.unclear)


def uses_answer(request: AskRequest) -> Answer | None:
    """Return where the definition is used that a question names, None for another.

    Raises NotFound for a scope that the asker cannot see.
    """
    question = read_names(request.question)
    if question is None or not question.is_about_uses:
        return None
    named = find_definitions(request)
    if named is None:
        return written_answer(request, question.names[0])
    citations = Citations()
    with translation.override(language_of(request)):
        blocks = [
            block
            for each in named.found
            for block in _blocks(_read_uses(each), citations)
        ]
    passages = tuple(citations.passages)
    return Answer(
        markdown="\n\n".join(blocks) + "\n",
        citations=passages,
        evidence=passages,
        outcome="answered",
    )


def _read_uses(named: Named) -> _Uses:
    """Return the uses that mean a definition, may mean it, or have its whole name."""
    symbol = named.body
    ref = GitRef.objects.get(source=symbol.file.source_id, is_current=True)
    callers = [called_by(ref, each) for each in named.symbols[:_MOST_OVERLOADS]]
    sure: dict[_Line, WrittenUse] = {}
    maybe = _by_line(_by_name(ref, symbol, callers))
    for each in callers:
        sure |= _by_line(each.uses)
        maybe |= _by_line(tuple(reversed(each.possible)))
    maybe = {line: use for line, use in maybe.items() if line not in sure}
    found = sorted((*sure.values(), *maybe.values()), key=lambda u: (u.path, u.line))
    inside = [use for use in found if not _is_own(use, symbol)]
    used = [use for use in inside if use.kind != "import"] or inside
    imports = len(inside) - len(used)
    return _Uses(symbol, tuple(used), frozenset(maybe.values()), imports)


def _by_line(uses: Sequence[WrittenUse]) -> dict[_Line, WrittenUse]:
    """Return the first use of each line."""
    return {(use.path, use.line): use for use in reversed(uses)}


def _by_name(
    ref: GitRef, symbol: Symbol, callers: Iterable[Callers]
) -> list[WrittenUse]:
    """Return the uses that write the qualified name and whose meaning is not known."""
    is_open = any(each.unresolved for each in callers)
    return uses_by_name(ref, symbol) if is_open and "." in symbol.qualified_name else []


def _is_own(use: WrittenUse, symbol: Symbol) -> bool:
    """Return whether a line is the definition's first, which assigns its name."""
    return use.usage.file == symbol.file_id and use.line == symbol.start_line


def _group(use: WrittenUse) -> str:
    if is_test(use.path):
        return _TESTS
    return _EXAMPLES if is_aside(use.path) else _CODE


def _blocks(uses: _Uses, citations: Citations) -> Iterator[str]:
    shown = {group: uses.of(group)[:most] for group, most in _MOST.items()}
    listed = [use for group in shown.values() for use in group]
    citations.load({uses.symbol.file_id, *(use.usage.file for use in listed)})
    yield _count(uses) + _definition(uses.symbol, citations)
    around = symbols_around(listed)
    for heading, found in shown.items():
        if found:
            yield f"**{gettext(heading)}**"
            yield "\n".join(_item(use, uses, around, citations) for use in found)
            more = len(uses.of(heading)) - len(found)
            if more:
                yield gettext("And %(count)s more.") % {"count": more}
    if any(use in uses.unclear for use in listed):
        yield gettext(
            "“Possible” marks uses that only their name connects with it: what they "
            "mean is known at run time only."
        )


def _count(uses: _Uses) -> str:
    """Return how many uses there are, and where."""
    name = code_text(uses.symbol.qualified_name)
    if not uses.all:
        said = gettext("No use of `%(name)s` was found in the current version.")
        return said % {"name": name}
    possible = sum(use in uses.unclear for use in uses.all)
    parts = [_places(name, len(uses.all) - possible, possible)]
    counts = ((each, len(uses.of(each))) for each in _MOST)
    listed = [f"{gettext(each)}: {count}" for each, count in counts if count]
    if len(listed) > 1:
        parts.append(gettext("%(counts)s.") % {"counts": gettext(", ").join(listed)})
    if uses.imports:
        imported = ngettext(
            "%(count)s more line only imports it.",
            "%(count)s more lines only import it.",
            uses.imports,
        )
        parts.append(imported % {"count": uses.imports})
    return " ".join(parts)


def _places(name: str, sure: int, possible: int) -> str:
    """Return how many places use it for sure, and how many may."""
    if not sure:
        said = ngettext(
            "`%(name)s` may be used in %(possible)s place; that is not certain.",
            "`%(name)s` may be used in %(possible)s places; none is certain.",
            possible,
        )
    elif possible:
        said = ngettext(
            "`%(name)s` is used in %(count)s place, possibly in %(possible)s more.",
            "`%(name)s` is used in %(count)s places, possibly in %(possible)s more.",
            sure,
        )
    else:
        said = ngettext(
            "`%(name)s` is used in %(count)s place.",
            "`%(name)s` is used in %(count)s places.",
            sure,
        )
    return said % {"name": name, "count": sure, "possible": possible}


def _definition(symbol: Symbol, citations: Citations) -> str:
    said = gettext("It is defined in `%(path)s`, line %(line)s.") % {
        "path": code_text(symbol.file.path),
        "line": symbol.start_line,
    }
    mark = citations.cite(
        symbol.file_id,
        (
            symbol.start_line,
            min(symbol.end_line, symbol.start_line + HEAD_LINES - 1),
        ),
        "definition",
        title=symbol.qualified_name,
        why=gettext("definition"),
        uuid=symbol.uuid,
    )
    return f" {said}{mark}"


def _item(
    use: WrittenUse,
    uses: _Uses,
    around: dict[Place, Symbol],
    citations: Citations,
) -> str:
    """Return a use as a list item: its file and line, what it is in, what it says."""
    inside = around.get(use.place)
    title = inside.qualified_name if inside and inside.kind != "module" else ""
    place = {"path": code_text(use.path), "line": use.line, "name": code_text(title)}
    said = (
        gettext("`%(path)s`, line %(line)s, in `%(name)s`")
        if title
        else gettext("`%(path)s`, line %(line)s")
    ) % place
    mark = citations.cite(
        use.usage.file,
        (use.line, use.line + CALL_LINES - 1),
        "test" if is_test(use.path) else "caller",
        title=title,
        why=gettext("Uses %(name)s") % {"name": uses.symbol.qualified_name},
        uuid=inside.uuid if inside and title else None,
    )
    line = shorten(citations.line(use.usage.file, use.line).strip(), _LINE)
    marked = f" ({gettext('possible')})" if use in uses.unclear else ""
    text = f"\\\n  `{code_text(line)}`" if line else ""
    return f"- {said}{marked}{mark}{text}"
