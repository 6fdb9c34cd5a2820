"""What the variables and attributes of one file hold, where it is surely one type."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.parsing.code.definitions import TYPES, Definition, Owners
from devrag.parsing.code.spec import Held, LanguageSpec
from devrag.parsing.code.text import node_text
from devrag.parsing.code.tree import Captures
from devrag.parsing.source import SourceText

_UNKNOWN = Held("")

# The definition around a variable, or the name of the type that has an attribute; and
# the variable's or attribute's name.
Holder = tuple[int | str | None, str]


@dataclass(frozen=True, slots=True)
class Holding:
    """What is known of a holder, and the definition in which it was said."""

    held: Held
    owner: Definition | None


def collect_holdings(
    spec: LanguageSpec, source: SourceText, captures: Captures, owners: Owners
) -> dict[Holder, Holding]:
    """Return what variables and attributes hold; of several types said none is."""
    found = [
        (held, node.start_byte)
        for node in captures.get("hold", ())
        for held in spec.held(source, node)
    ]
    names = {held.name.rpartition(".")[2] for held, _ in found if held.is_said}
    if not names:
        return {}
    rebound = captures.get("rebound", ())
    found += [(Held(node_text(source, n)), n.start_byte) for n in rebound]
    said: dict[Holder, Holding] = {}
    for held, start in found:
        if held.name.rpartition(".")[2] in names:
            owner = owners.at(start)
            _say(_holder(spec, held.name, owner), Holding(held, owner), said)
    return said


def _say(holder: Holder, new: Holding, said: dict[Holder, Holding]) -> None:
    """Note one more value; unknown is known too, for it hides what is further out."""
    old = said.setdefault(holder, new).held
    if old == new.held:
        return
    if old.declared and new.held.declared:
        said[holder] = Holding(_UNKNOWN, new.owner)
    elif not old.declared:
        said[holder] = new if new.held.declared else Holding(_UNKNOWN, new.owner)


def _holder(spec: LanguageSpec, name: str, owner: Definition | None) -> Holder:
    word, _, attribute = name.rpartition(".")
    if word in spec.receivers or (not word and owner and owner.kind in TYPES):
        while owner is not None and not owner.type_name:
            owner = owner.parent
        return (owner.type_name if owner else None, attribute)
    return (owner.ordinal if owner else None, name)
