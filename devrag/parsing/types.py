"""What a parser knows about one file: the shapes that rows are made of.

Lines are 1-based and inclusive, columns 0-based; ordinals count from 0 within a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from operator import attrgetter
from typing import Any

# Raised whenever equal input gives other facts: rows of the new version are built
# beside the old ones and switched at activation.
FACTS_VERSION = 19

# The section of a document that holds all of it.
WHOLE_DOCUMENT = "(document root)"

# Why a file is indexed as plain windows: codes for programs, and the words for people.
PARSER_CRASH = "parser_crash"
PARSER_ERROR = "parser_error"
PARSER_MEMORY = "parser_memory"
PARSER_TIMEOUT = "parser_timeout"
REASONS = {
    PARSER_CRASH: "its parser crashed",
    PARSER_ERROR: "its parser failed",
    PARSER_MEMORY: "parsing it exceeded the memory limit",
    PARSER_TIMEOUT: "parsing it exceeded the time limit",
}


@lru_cache(maxsize=16)
def _values(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    return attrgetter(*(each.name for each in fields(kind)))


class _Pickled:
    """Pickled by position, in a third of the time that slots take otherwise."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        kind: Any = type(self)
        return kind, _values(kind)(self)


@dataclass(frozen=True, slots=True)
class Parameter(_Pickled):
    """One parameter of a function; `type` is empty when the source names none."""

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class SymbolFacts(_Pickled):
    """A definition and what its source says of it.

    kind: function, method, class, interface, enum, constant, variable, type, module,
    namespace, extension (an impl block, a reopened type), section (a rule, target or
    block of what is no program). Structs, records, unions and objects are classes;
    traits and protocols are interfaces.
    class_hierarchy: base first, own class last. scope: global, class or local.
    complexity: cyclomatic, None where it has no meaning. parent: enclosing symbol.
    value_types: of a type, the name of each attribute and what it holds; of a variable
    or function '' and what it holds or returns. As targets of references are written
    (`via` is type there); what may be several things is joined with `|`. `#`: the names
    of a struct's fields in their order, where tables name none.
    """

    ordinal: int
    kind: str
    name: str
    qualified_name: str
    signature: str
    start_line: int
    end_line: int
    start_column: int = 0
    end_column: int = 0
    parameters: tuple[Parameter, ...] = ()
    return_type: str = ""
    class_name: str = ""
    class_hierarchy: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    called_functions: tuple[str, ...] = ()
    docstring: str = ""
    comments: tuple[str, ...] = ()
    scope: str = "global"
    modifiers: tuple[str, ...] = ()
    used_types: tuple[str, ...] = ()
    complexity: int | None = None
    loc: int = 0
    comment_lines: int = 0
    decorators: tuple[str, ...] = ()
    annotations: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    parent: int | None = None
    value_types: tuple[tuple[str, str], ...] = ()


# Modifier of a function that is the class of the objects it makes, as in JavaScript.
CONSTRUCTOR = "constructor"
# Kinds of references that a text makes in words; they are no uses of a definition.
TICKET, ADDRESS, MENTION = "ticket", "address", "mention"
OF_TEXTS = (TICKET, ADDRESS, MENTION)


@dataclass(frozen=True, slots=True)
class ReferenceFacts(_Pickled):
    """A use of a name. kind: call, import, inherit, implement, type, decorator, link,
    value (a definition of this file that is passed, assigned or exported), assign (a
    function that a table puts into a field), slot (which field that is: its target is
    `struct.field`, or `struct.2` for the third; it is no use by itself); ticket,
    address, mention: what its text speaks of, see `mentions.py`; target: by what it is
    looked for.

    name: as written, dotted (`hashlib.sha256`); for imports the full imported path
    (`devrag.core.text.clean_text`), relative ones resolved against the file's path;
    for links the path inside the repository that the target leads to.
    target: what the name stands for as far as the file alone can tell, '' when it
    cannot; via says how: file (a definition of this file, by qualified name), import
    (a full name in another module), foreign (the same, in a package that surely comes
    from elsewhere), path (a file: from the root or a folder that the build knows),
    member (of the class around it), super (of one above that), type (a member of what
    the name before the last dot gives: a type, an attribute of it, what a call with
    `()` returns; several such targets are joined with `|`), local (a parameter or
    variable: whatever it holds, no definition is meant by its name), slot.
    symbol: ordinal of the enclosing symbol, None at module level.
    """

    kind: str
    name: str
    line: int
    symbol: int | None = None
    target: str = ""
    via: str = ""


@dataclass(frozen=True, slots=True)
class FactFacts(_Pickled):
    """Something the wiki's survey reads: entry_point, route, command, setting…"""

    kind: str
    name: str
    start_line: int
    end_line: int
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChunkFacts(_Pickled):
    """A searchable piece of a file.

    kind: symbol, section, window, entry. header: path, class and signature context,
    kept apart from the text. parent: ordinal of the enclosing chunk. symbol: ordinal of
    the symbol this chunk is the body of, or a piece of it. depth: 0-3 for sections.
    tags, date: memos. language: code, ja, en.
    """

    ordinal: int
    kind: str
    start_line: int
    end_line: int
    text: str
    tokens: int
    header: str = ""
    heading: str = ""
    title: str = ""
    depth: int | None = None
    parent: int | None = None
    symbol: int | None = None
    date: str = ""
    tags: tuple[str, ...] = ()
    language: str = "code"


@dataclass(frozen=True, slots=True)
class FileFacts(_Pickled):
    """All that is known about one file version.

    module: dotted name of the namespace that the file's top-level symbols are in, in
    the terms that its language imports by; '' when it has none.

    kind: code, doc, config, data. language: lower-case name (`python`, `markdown`), ''
    when unknown. mime: such as `text/x-python`.

    fallback: a code of REASONS when the file is windows because its parser failed.
    """

    path: str
    language: str
    mime: str
    kind: str
    lines: int
    title: str = ""
    module: str = ""
    chunks: tuple[ChunkFacts, ...] = ()
    symbols: tuple[SymbolFacts, ...] = ()
    references: tuple[ReferenceFacts, ...] = ()
    facts: tuple[FactFacts, ...] = ()
    warnings: tuple[str, ...] = ()
    fallback: str = ""
    facts_version: int = FACTS_VERSION


def unparsed(path: str, code: str) -> FileFacts:
    """Return a file without facts: not even windows could be made of it."""
    warning = f"{path} is not searchable: {REASONS[code]}"
    return FileFacts(
        *(path, "", "text/plain", "data", 0), warnings=(warning,), fallback=code
    )
