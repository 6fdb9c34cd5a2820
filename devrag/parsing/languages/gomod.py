"""go.mod: under which path the packages in and below its folder are imported."""

from __future__ import annotations

import re

from devrag.parsing.code.chunks import window_chunks
from devrag.parsing.paths import folders
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.types import SymbolFacts

_MODULE = re.compile(r"^module[ \t]+\"?(?P<path>[^\s\"/][^\s\"]*)\"?", re.MULTILINE)


def parse_gomod(source: SourceText) -> Parsed:
    """Return the module as a symbol; its own `module` is the folder, dotted."""
    chunks = window_chunks(source)
    found = _MODULE.search(source.text)
    module = ".".join(folders(source.path))
    if found is None:
        return Parsed(chunks=chunks, module=module)
    line = source.text.count("\n", 0, found.start()) + 1
    name = found["path"].replace("/", ".")
    symbol = SymbolFacts(
        ordinal=0,
        kind="module",
        name=name.rpartition(".")[2],
        qualified_name=name,
        signature=found[0],
        start_line=line,
        end_line=line,
        loc=1,
    )
    return Parsed(chunks=chunks, symbols=[symbol], module=module)
