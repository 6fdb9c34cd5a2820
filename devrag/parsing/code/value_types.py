"""What attributes hold and functions return, as other files may ask for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from devrag.parsing.code.binding import Binder, Bound
from devrag.parsing.code.definitions import CALLABLE, TYPES, Definition
from devrag.parsing.code.inferred_types import Holder, Holding
from devrag.parsing.code.spec import RESULT

# As in SymbolFacts.
ValueTypes = tuple[tuple[str, str], ...]
_PRIMITIVE_WORDS = (
    "void int bool boolean char short long float double string array mixed iterable "
    "object signed unsigned size_t ssize_t auto number any unknown never null true "
    "false i8 i16 i32 i64 u8 u16 u32 u64 isize usize f32 f64 str"
)
# They have no members that are defined anywhere.
_PRIMITIVES = frozenset(_PRIMITIVE_WORDS.split())
# The name under which the order of a struct's fields stands.
FIELDS = "#"
# Functions that are read as if they were attributes.
_PROPERTIES = frozenset({"property", "get"})


def value_types(
    binder: Binder,
    holdings: Mapping[Holder, Holding],
    definitions: Iterable[Definition],
) -> dict[int, ValueTypes]:
    """Return what is known of each definition by its ordinal."""
    found: dict[int, dict[str, str]] = defaultdict(dict)
    places = _places(definitions)
    for (around, name), holding in holdings.items():
        place = places.get((around, "" if name == RESULT else name))
        place = place or (places.get((around, "")) if isinstance(around, str) else None)
        if place is not None:
            attribute = name if isinstance(around, str) else ""
            _note(found[place.ordinal], attribute, binder.bind_holding(holding))
    for definition in definitions:
        for place, attribute, bound in _declared(binder, definition):
            _note(found[place.ordinal], attribute, bound)
    return {ordinal: tuple(types.items()) for ordinal, types in found.items() if types}


def _places(definitions: Iterable[Definition]) -> dict[Holder, Definition]:
    """Return whose row says what a holder holds: a type, a variable or a function."""
    found: dict[Holder, Definition] = {}
    for definition in definitions:
        if definition.kind in TYPES:
            found.setdefault((definition.qualified_name, ""), definition)
        elif definition.kind in CALLABLE:
            found[definition.ordinal, ""] = definition
        elif definition.parent is None:
            found.setdefault((None, definition.about.name), definition)
    return found


def _declared(
    binder: Binder, definition: Definition
) -> Iterator[tuple[Definition, str, Bound]]:
    """Yield what a definition's own head says: a result, a record's parts."""
    about = definition.about
    if about.fields:
        yield definition, FIELDS, (",".join(about.fields), "type")
    if definition.kind in TYPES:
        for part in about.parameters:
            if part.type:
                bound = binder.bind_declared(part.type, definition)
                yield definition, part.name, bound
    elif about.return_type:
        bound = binder.bind_result(definition)
        yield definition, "", bound
        above = definition.parent
        if above is not None and not _PROPERTIES.isdisjoint(about.modifiers):
            yield above, about.name, bound


def _note(types: dict[str, str], name: str, bound: Bound) -> None:
    path, via = bound
    if path and via == "type" and path not in _PRIMITIVES:
        types[name] = path
