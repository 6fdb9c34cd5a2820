"""What a language's file provides: a query, and rules for what queries cannot say.

Captures of the query: `definition.<kind>`, `call`, `type`, `use` (a name whose root may
be imported), `decorator`, `import`, `branch`, `comment`, `error`, and any more that the
language's own fact detectors read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tree_sitter import Node

from devrag.parsing.source import Source
from devrag.parsing.types import Parameter


@dataclass(frozen=True, slots=True)
class Import:
    """path: what is imported, absolute; alias: the name bound here, '' for none.

    target: what the alias stands for (`import a.b` binds `a`, which is `a`).
    """

    path: str
    alias: str
    target: str
    line: int
    start: int


@dataclass(frozen=True, slots=True)
class Description:
    """What a language reads from one definition node; `outer` includes decorators.

    signature_lines: first and last line of the signature, without decorators.
    """

    kind: str
    name: str
    outer: Node
    signature: str
    signature_lines: tuple[int, int]
    body: Node | None = None
    parameters: tuple[Parameter, ...] = ()
    return_type: str = ""
    docstring: str = ""
    decorators: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    bases: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class LanguageSpec:
    """One language. module: the name of the module a path is, '' for none.

    describe: (source, node, kind of the capture) → Description, None for no symbol.
    """

    name: str
    grammar: str
    query: str
    describe: Callable[[Source, Node, str], Description | None]
    imports: Callable[[Source, Node], list[Import]]
    name_of: Callable[[Source, Node], str]
    type_names: Callable[[str], tuple[str, ...]]
    module: Callable[[str], str]
    module_docstring: Callable[[Source, Node], str]
    builtins: frozenset[str] = field(default_factory=frozenset)
