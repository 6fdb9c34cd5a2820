"""Symbols of files that declare things without being code: schemas, interfaces, SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from devrag.parsing.documents.blocks import NamedLines, block_chunks
from devrag.parsing.facts.declared_facts import Maker
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.types import FactFacts, Parameter, ReferenceFacts, SymbolFacts

_SIGNATURE_LIMIT = 1000
_DOCSTRING_LIMIT = 4000


@dataclass(eq=False, slots=True)
class Declared:
    """One declaration; lines are 1-based, first_line is that of its comments.

    uses: the names of the types it uses, each with the line. fact: makes what the
    wiki should know of it.
    """

    kind: str
    name: str
    signature: str
    start_line: int
    end_line: int
    start_column: int = 0
    end_column: int = 0
    first_line: int = 0
    parameters: tuple[Parameter, ...] = ()
    return_type: str = ""
    docstring: str = ""
    qualified: str = ""
    uses: list[tuple[str, int]] = field(default_factory=list)
    fact: Maker | None = None
    inner: list[Declared] = field(default_factory=list)


@dataclass
class Declarations:
    """The declarations of a file on their way to symbols and chunks."""

    source: SourceText
    prefix: str = ""
    symbols: list[SymbolFacts] = field(default_factory=list)
    references: list[ReferenceFacts] = field(default_factory=list)
    facts: list[FactFacts] = field(default_factory=list)

    def blocks(self, found: Iterable[Declared]) -> list[NamedLines]:
        """Add the symbols of declarations and return their blocks."""
        return [self._block(item, None) for item in found]

    def _block(self, item: Declared, parent: SymbolFacts | None) -> NamedLines:
        symbol = self._symbol(item, parent)
        self.symbols.append(symbol)
        if item.fact is not None:
            self.facts.append(item.fact(symbol))
        self.references += [
            ReferenceFacts("type", name, line, symbol.ordinal)
            for name, line in dict.fromkeys(item.uses)
        ]
        parts = [self._block(inner, symbol) for inner in item.inner]
        return NamedLines(
            item.name,
            item.first_line or item.start_line,
            item.end_line,
            parts=_always(parts),
            symbol=symbol.ordinal,
            label=symbol.signature[:300],
            own_line=item.start_line,
        )

    def _symbol(self, item: Declared, parent: SymbolFacts | None) -> SymbolFacts:
        symbol = SymbolFacts(
            ordinal=len(self.symbols),
            kind=item.kind,
            name=item.name,
            qualified_name=f"{self.prefix}{item.qualified or item.name}",
            signature=item.signature[:_SIGNATURE_LIMIT],
            start_line=item.start_line,
            end_line=item.end_line,
            start_column=item.start_column,
            end_column=item.end_column,
            parameters=item.parameters,
            return_type=item.return_type,
            docstring=item.docstring[:_DOCSTRING_LIMIT],
            used_types=tuple(dict.fromkeys(name for name, _ in item.uses)),
            loc=item.end_line - item.start_line + 1,
        )
        if parent is None:
            return symbol
        return replace(
            symbol,
            qualified_name=f"{parent.qualified_name}.{item.name}",
            class_name=parent.name if item.kind == "method" else "",
            scope="class",
            parent=parent.ordinal,
        )

    def parsed(self, blocks: list[NamedLines]) -> Parsed:
        """Return the file's symbols, references and the chunks of these blocks."""
        return Parsed(
            chunks=block_chunks(self.source, blocks),
            symbols=self.symbols,
            references=self.references,
            facts=self.facts,
        )


def _always(parts: list[NamedLines]) -> Callable[[], list[NamedLines]]:
    return lambda: parts


def nested(found: Iterable[tuple[int, int, Declared]]) -> list[Declared]:
    """Nest declarations by their (start, end) offsets; return the outermost."""
    outermost: list[Declared] = []
    around: list[tuple[int, Declared]] = []
    for start, end, item in sorted(found, key=lambda entry: (entry[0], -entry[1])):
        while around and around[-1][0] <= start:
            around.pop()
        (around[-1][1].inner if around else outermost).append(item)
        around.append((end, item))
    return outermost


def comment_line(lines: list[str], line: int, marks: tuple[str, ...]) -> int:
    """Return the first of the comment lines that stand directly above a line."""
    while line > 1 and lines[line - 2].lstrip().startswith(marks):
        line -= 1
    return line


def comment_text(lines: list[str], first: int, line: int, marks: str) -> str:
    """Return the comment of lines [first, line) without its marks."""
    words = [
        text.strip().lstrip(marks).removesuffix("*/")
        for text in lines[first - 1 : line - 1]
    ]
    return "\n".join(text.strip() for text in words).strip()
