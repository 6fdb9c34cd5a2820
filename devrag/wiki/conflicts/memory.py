"""Find the contradictions of files that are in memory: for measurements and tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from devrag.parsing.types import FileFacts
from devrag.wiki.conflicts.code import name_places
from devrag.wiki.conflicts.detectors import contradicts
from devrag.wiki.conflicts.docstrings import docstring_statements
from devrag.wiki.conflicts.inputs import is_code_side, is_document, wanted_names
from devrag.wiki.conflicts.statements import statements_of
from devrag.wiki.conflicts.types import (
    CodeFact,
    CodeIndex,
    Contradiction,
    NamePlace,
    StatementFacts,
)


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A parsed file. kind: `page` or `ticket` of a wiki or tracker, else ''."""

    text: str
    facts: FileFacts
    kind: str = ""


def read_statements(path: str, file: MemoryFile) -> list[StatementFacts]:
    """Return what a file says of the code: a document, or docstrings of Python."""
    if file.facts.language == "python":
        return docstring_statements(file.text)
    if not file.kind and not is_document(path, file.facts.kind):
        return []
    language = file.facts.language
    return statements_of(path, file.text, language=language, kind=file.kind)


def find_contradictions(
    files: Mapping[str, MemoryFile],
    documents: Mapping[str, MemoryFile] | None = None,
) -> list[Contradiction]:
    """Return what documents say against the code of the same files.

    documents: those to look at, None for all.
    """
    told = [
        (path, said)
        for path, file in (files if documents is None else documents).items()
        for said in read_statements(path, file)
    ]
    wanted = wanted_names(said for _, said in told)
    code = index_of(files, wanted)
    found = (contradicts(path, said, code) for path, said in told)
    return [each for each in found if each is not None]


def index_of(files: Mapping[str, MemoryFile], wanted: frozenset[str]) -> CodeIndex:
    """Return the code's side of files."""
    return CodeIndex(
        paths=frozenset(path for path, file in files.items() if not file.kind),
        facts=tuple(_facts(files)),
        places=tuple(_places(files, wanted)),
        tops=top_names(
            (file.facts.module, path) for path, file in files.items() if not file.kind
        ),
        symbols=frozenset(
            symbol.name
            for path, file in files.items()
            for symbol in file.facts.symbols
            if is_code_side(path, file.facts.kind)
        ),
    )


def top_names(modules: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return what the product's own modules begin with, from (module, path)."""
    return frozenset(
        module.partition(".")[0]
        for module, path in modules
        if module and is_code_side(path, "code")
    )


def _facts(files: Mapping[str, MemoryFile]) -> Iterable[CodeFact]:
    for path, file in files.items():
        for fact in file.facts.facts:
            lines = (fact.start_line, fact.end_line)
            yield CodeFact(fact.kind, fact.name, path, *lines, fact.data)


def _places(
    files: Mapping[str, MemoryFile], wanted: frozenset[str]
) -> Iterable[tuple[str, NamePlace]]:
    for path, file in files.items():
        if file.kind or is_document(path, file.facts.kind):
            continue
        for place in name_places(file.text, wanted):
            yield path, place
