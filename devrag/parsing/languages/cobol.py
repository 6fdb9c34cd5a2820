"""COBOL by lines: programs, and the sections and paragraphs of what they do.

The grammar that ships never ends on some texts; columns tell as much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.documents.declared import Declarations, Declared
from devrag.parsing.source import Parsed, SourceText

_PROGRAM = re.compile(r".{0,7}\s*PROGRAM-ID\.\s*[\"']?([\w-]+)", re.IGNORECASE)
_PROCEDURES = re.compile(r".{0,7}\s*PROCEDURE\s+DIVISION\b", re.IGNORECASE)
_END = re.compile(r".{0,7}\s*END\s+PROGRAM\b", re.IGNORECASE)
# In area A: the columns 8 to 11 below numbers or spaces, or the first four.
_HEADER = re.compile(
    r"(?:[\d ]{6} {1,4}| {0,3})(?! )([A-Z\d][A-Z\d-]*)(?:\s+SECTION)?\s*\.\s*$",
    re.IGNORECASE,
)
_STATEMENT = re.compile(
    r"(?:EXIT|GOBACK|CONTINUE|DECLARATIVES|END-\w+)$", re.IGNORECASE
)
_INDICATOR = 6


def parse_cobol(source: SourceText) -> Parsed:
    """Return a program's sections and paragraphs, each in a chunk of its own."""
    declarations = Declarations(source)
    return declarations.parsed(declarations.blocks(_programs(source)))


def _programs(source: SourceText) -> Iterator[Declared]:
    """Yield programs with what they do; each goes on until the next."""
    program: Declared | None = None
    does = False
    for number, line in _coded(source.lines):
        if found := _PROGRAM.match(line):
            if program:
                yield program
            program, does = _declared("namespace", found[1], line, number), False
        elif program:
            program.end_line = number
            if does:
                _add(program, line, number)
            does = (does or bool(_PROCEDURES.match(line))) and not _END.match(line)
    if program:
        yield program


def _coded(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither blank nor a comment."""
    for number, line in enumerate(lines, start=1):
        if line.strip() and line[_INDICATOR : _INDICATOR + 1] not in {"*", "/"}:
            yield number, line


def _add(program: Declared, line: str, number: int) -> None:
    """Begin a section or paragraph, or let the last one go on."""
    name = _HEADER.match(line)
    if name and not _STATEMENT.match(name[1]):
        program.inner.append(_declared("function", name[1], line, number))
    elif program.inner and not _END.match(line):
        program.inner[-1].end_line = number


def _declared(kind: str, name: str, line: str, number: int) -> Declared:
    return Declared(kind, name, " ".join(line.split()), number, number)
