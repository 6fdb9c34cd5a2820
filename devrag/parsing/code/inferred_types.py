"""What the variables, attributes and results of one file hold, as far as it says."""

from __future__ import annotations

from dataclasses import dataclass, replace

from devrag.parsing.code.definitions import TYPES, Definition, Owners
from devrag.parsing.code.spec import Held, LanguageSpec
from devrag.parsing.code.text import node_text
from devrag.parsing.code.tree import Captures
from devrag.parsing.source import SourceText

_UNKNOWN = Held("")
# Of values that one holder may have; with more nothing is known.
_MOST_VALUES = 4

# The definition around a variable, or the name of the type that has an attribute; and
# the variable's or attribute's name.
Holder = tuple[int | str | None, str]


@dataclass(frozen=True, slots=True)
class Holding:
    """What is known of a holder, and the definition in which it was said.

    others: what it holds as well; of attributes only, which methods may set again.
    """

    held: Held
    owner: Definition | None
    others: tuple[Holding, ...] = ()

    @property
    def all(self) -> tuple[Holding, ...]:
        return (self, *self.others)


def collect_holdings(
    spec: LanguageSpec, source: SourceText, captures: Captures, owners: Owners
) -> dict[Holder, Holding]:
    """Return what variables and attributes hold; of several types said none is."""
    found = [
        (held, node.start_byte)
        for node in captures.get("hold", ())
        for held in spec.held(source, node)
    ]
    names = {held.name.rpartition(".")[2] for held, _ in found if held.is_known}
    if not names:
        return {}
    rebound = captures.get("rebound", ())
    found += [(Held(node_text(source, n)), n.start_byte) for n in rebound]
    said: dict[Holder, Holding] = {}
    for held, start in found:
        if held.name.rpartition(".")[2] in names:
            owner = owners.at(start)
            _note(_holder(spec, held, owner), Holding(held, owner), said)
    return said


def _note(holder: Holder, new: Holding, said: dict[Holder, Holding]) -> None:
    """Note one more value; unknown is known too, for it hides what is further out."""
    known = said.setdefault(holder, new)
    old = known.held
    if any(each.held == new.held for each in known.all):
        return
    if old.declared and new.held.declared:
        said[holder] = Holding(_UNKNOWN, new.owner)
    elif new.held.declared:
        said[holder] = new
    elif not old.declared:
        is_attribute = isinstance(holder[0], str)
        said[holder] = _joined(known, new) if is_attribute else _unknown(new)


def _joined(known: Holding, new: Holding) -> Holding:
    is_known = known.held.is_known and new.held.is_known
    if not is_known or len(known.all) >= _MOST_VALUES:
        return _unknown(new)
    return replace(known, others=(*known.others, new))


def _unknown(new: Holding) -> Holding:
    return Holding(_UNKNOWN, new.owner)


def _holder(spec: LanguageSpec, held: Held, owner: Definition | None) -> Holder:
    word, _, attribute = held.name.rpartition(".")
    if held.is_local and not word:
        return (owner.ordinal if owner else None, attribute)
    if word in spec.receivers or (not word and owner and owner.kind in TYPES):
        while owner is not None and not owner.type_name:
            owner = owner.parent
        return (owner.type_name if owner else None, attribute)
    return (owner.ordinal if owner else None, held.name)
