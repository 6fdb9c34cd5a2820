"""What a language's file provides: a query, and rules for what queries cannot say.

Captures of the query: `definition.<kind>`, `call`, `type`, `use` (a name whose root may
be imported), `value` (a name that is passed, assigned or exported), `object` (one
before a dot, where functions and types count as values), `constructor` (a function
with a prototype), `local` (where a function names a variable of its own), `hold` (what
gives a variable or attribute its type), `table` (what puts functions into fields),
`rebound` (a name that gets some other value), `decorator`, `import`, `branch`,
`comment`, `lead` (lines that belong to the definition below, as Rust's attributes),
`error`, and any more that the language's own fact detectors read.
Where a grammar knows no difference between using a type and naming one, `type.own`
takes from `type` what is no use, `type.parameter` the names that stand for any type.
A pattern that waits for a child behind another one that may nest deeply (`a.b().c()`,
`a + b + c`) takes quadratic time: capture the node itself, or the operator's token.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tree_sitter import Node

from devrag.parsing.code.tree import Captures
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

# A name and its line.
Named = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Import:
    """path: what is imported, absolute; alias: the name bound here, '' for none.

    target: what the alias stands for (`import a.b` binds `a`, which is `a`).
    via: as in ReferenceFacts: import, foreign or path.
    """

    path: str
    alias: str
    target: str
    line: int
    start: int
    via: str = "import"


@dataclass(frozen=True, slots=True)
class Description:
    """What a language reads from one definition node; `outer` includes decorators.

    kind: function (a method where it stands in a type), class, interface, enum,
    constant, variable, type, namespace or extension.
    signature_lines: first and last line of the signature, without decorators.
    owner: the type that a method belongs to when it does not stand inside it: a Go
    receiver, `Owner::name` in C++. bases: what it inherits; interfaces: what it
    implements, where the language tells the two apart.
    fields: of a struct whose values are written in their order.
    receiver: the method's own word for the object itself, where each has its own (Go).
    annotations, attributes: as written (Java, Kotlin; C#, Rust, PHP).
    first: where it begins, if not at `outer`: a decorator or clause above that one.
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
    annotations: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    bases: tuple[Named, ...] = ()
    interfaces: tuple[Named, ...] = ()
    owner: str = ""
    receiver: str = ""
    fields: tuple[str, ...] = ()
    first: Node | None = None

    @property
    def begin(self) -> Node:
        """The node that the definition begins with."""
        return self.first or self.outer


@dataclass(frozen=True, slots=True)
class ModuleSymbol:
    """The symbol of the file itself, in languages where a file is a module."""

    name: str
    docstring: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """A variable, or with the word for the object before it (`self.x`) an attribute.

    declared: the type as written. value: the name of its value, as calls are named:
    `Cup()`, `self.shelf.take()`, another variable; several are joined with `|`. One of
    them, or none for any other value. RESULT as the name: what a function returns.
    is_local: it is no attribute though no function that has a name is around it.
    """

    name: str = field(compare=False)
    declared: str = ""
    value: str = ""
    is_local: bool = field(default=False, compare=False)

    @property
    def is_known(self) -> bool:
        """Return whether there is a type to be known."""
        return bool(self.declared or self.value)


RESULT = "()"


@dataclass(frozen=True, slots=True)
class Slot:
    """A name that a table puts into a field. place: `struct.field` or `struct.2`."""

    place: str
    name: str
    node: Node


Describe = Callable[[SourceText, Node, str], Description | None]


def no_imports(_source: SourceText, _node: Node) -> list[Import]:
    """Return none: for languages that import nothing by name."""
    return []


def no_types(_source: SourceText, _node: Node) -> list[Held]:
    """Return none: for languages whose variables tell no types."""
    return []


def plain_type(written: str) -> str:
    """Return the type itself: for languages that wrap nothing around types."""
    return written


def no_slots(_source: SourceText, _node: Node) -> list[Slot]:
    """Return none: for languages without tables of functions."""
    return []


def no_namespace(_source: SourceText, _captures: Captures) -> str:
    """Return '': for languages with one space of names."""
    return ""


def never(_source: SourceText, _node: Node) -> bool:
    """Return False: for languages whose scopes are definitions."""
    return False


def as_written(data: bytes) -> bytes:
    """Return the text itself: for languages that are parsed as they stand."""
    return data


@dataclass(frozen=True)
class LanguageSpec:
    """One language.

    describe: (source, node, kind of the capture) → Description, None for no symbol.
    imports: what one `import` node binds. name_of: the dotted name of a `call` or
    `decorator` node, '' when it is no plain name. type_names: names in a `type` node's
    text. namespace: the dotted name of what top-level symbols are in, as others import
    it. module: the file's own symbol, None for none.
    receivers: words for the object itself (self, this). is_self_implicit: a bare call
    may mean a method of the class around it. builtins: types not worth a reference.
    held: what one `hold` node says of variables. value_type: the type whose members a
    written one has, without what is wrapped around it (`Optional[…]`). slots: what one
    `table` node puts into fields. supers: words for the object as one of
    the type that it inherits from. exported: words for what the file itself exports.
    is_parameter: whether a name is a parameter of a function without a name around it.
    prepare: the text as the grammar shall read it, every byte in its place.
    """

    name: str
    grammar: str
    query: str
    describe: Describe
    name_of: Callable[[SourceText, Node], str]
    type_names: Callable[[str], tuple[str, ...]]
    imports: Callable[[SourceText, Node], list[Import]] = no_imports
    namespace: Callable[[SourceText, Captures], str] = no_namespace
    module: Callable[[SourceText, Node], ModuleSymbol] | None = None
    builtins: frozenset[str] = frozenset()
    receivers: frozenset[str] = frozenset()
    is_self_implicit: bool = False
    held: Callable[[SourceText, Node], list[Held]] = no_types
    value_type: Callable[[str], str] = plain_type
    slots: Callable[[SourceText, Node], list[Slot]] = no_slots
    supers: frozenset[str] = frozenset()
    exported: frozenset[str] = frozenset()
    is_parameter: Callable[[SourceText, Node], bool] = never
    prepare: Callable[[bytes], bytes] = as_written
