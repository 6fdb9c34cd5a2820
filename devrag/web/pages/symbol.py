"""The page of a definition: what it is, where it stands, what it has to do with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString, mark_safe

from devrag.core.doc_tags import read_types
from devrag.core.docstrings import render_docstring
from devrag.core.highlight import highlight_lines, split_lines
from devrag.core.page_urls import symbol_url
from devrag.navigation.resolution import TYPES
from devrag.navigation.symbols import members_of
from devrag.sources.models import File, Symbol
from devrag.sources.selectors import CURRENT_VERSION
from devrag.web.kind_labels import shown_kind
from devrag.web.pages.callees import CalleesView, get_callees
from devrag.web.pages.callers import CallersView, get_callers
from devrag.web.pages.code import Line, number_lines
from devrag.web.pages.files import Crumb, SourcePosition, locate
from devrag.web.pages.outline import Complexity, to_complexity
from devrag.web.pages.symbol_links import FoundDefinition

_LINES = 60
_MEMBERS = 200


@dataclass(frozen=True, slots=True)
class SymbolUses:
    """What stands on the page and, shorter, beside a file."""

    found: FoundDefinition
    callers: CallersView
    callees: CalleesView


@dataclass(frozen=True, slots=True)
class SymbolMember:
    name: str
    kind: str
    url: str
    signature: str
    complexity: Complexity | None
    lines: int


@dataclass(frozen=True, slots=True)
class TypedName:
    """A parameter. type: as the code has it, or its comment; '' = neither does."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class SymbolPage:
    """hidden_lines, hidden_members: beyond those shown."""

    place: SourcePosition
    symbol: Symbol
    file_url: str
    complexity: Complexity | None
    decorators: tuple[str, ...]
    is_type: bool
    parameters: tuple[TypedName, ...]
    return_type: str
    docstring: SafeString
    members: tuple[SymbolMember, ...]
    hidden_members: int
    lines: tuple[Line, ...]
    hidden_lines: int

    @property
    def kind(self) -> str:
        return shown_kind(self.symbol.kind, self.symbol.file.language)

    @property
    def line_count(self) -> int:
        return self.symbol.end_line - self.symbol.start_line + 1


def get_symbol_uses(found: FoundDefinition) -> SymbolUses:
    """Return what uses a definition and what it uses. Queries: 9 and resolving."""
    return SymbolUses(found, get_callers(found), get_callees(found))


def get_symbol_page(found: FoundDefinition) -> SymbolPage:
    """Return what its own rows say of a definition. Queries: 2, 3 with many members."""
    symbol = found.symbol
    lines = _definition(symbol)
    rows = members_of(symbol)
    members = list(rows[: _MEMBERS + 1])
    hidden = rows.count() - _MEMBERS if len(members) > _MEMBERS else 0
    is_type = symbol.kind in TYPES
    documented = read_types(symbol.docstring)
    return SymbolPage(
        place=_place(found),
        symbol=symbol,
        file_url=found.file_url(symbol.file.path, symbol.start_line, symbol.end_line),
        complexity=to_complexity(symbol.complexity),
        decorators=(*symbol.decorators, *symbol.annotations, *symbol.attributes),
        is_type=is_type,
        parameters=_parameters(symbol, documented.parameters),
        return_type=symbol.return_type or documented.returned,
        docstring=_docstring(symbol),
        members=tuple(_to_member(found, each) for each in members[:_MEMBERS]),
        hidden_members=hidden,
        lines=number_lines(lines[:_LINES], start=symbol.start_line),
        hidden_lines=max(0, len(lines) - _LINES),
    )


def _parameters(symbol: Symbol, documented: Mapping[str, str]) -> tuple[TypedName, ...]:
    names = [(each["name"], each.get("type")) for each in symbol.parameters]
    return tuple(
        TypedName(name, type_ or documented.get(name, "")) for name, type_ in names
    )


def _docstring(symbol: Symbol) -> SafeString:
    html = render_docstring(symbol.docstring) if symbol.docstring else ""
    return mark_safe(html)  # noqa: S308 - sanitised


def _definition(symbol: Symbol) -> list[str]:
    text = File.objects.values_list("text", flat=True).get(pk=symbol.file_id)
    lines = split_lines(text)[symbol.start_line - 1 : symbol.end_line]
    return highlight_lines("\n".join(lines), symbol.file.language)


def _place(found: FoundDefinition) -> SourcePosition:
    """Return the place of the file with the definition as its last step."""
    path, version = found.symbol.file.path, found.version
    place = locate(found.product, found.source, found.ref, version, path)
    names = (found.product.name, found.source.name)
    return replace(
        place,
        crumbs=(*place.crumbs, Crumb(found.symbol.qualified_name, found.url)),
        permalink=symbol_url(*names, place.commit, found.symbol.uuid),
        current_url=symbol_url(*names, CURRENT_VERSION, found.symbol.uuid),
    )


def _to_member(found: FoundDefinition, member: Symbol) -> SymbolMember:
    return SymbolMember(
        name=member.name,
        kind=member.kind,
        url=found.url_of(member),
        signature=member.signature,
        complexity=to_complexity(member.complexity),
        lines=member.end_line - member.start_line + 1,
    )
