"""The fields of Python's data models: Django, SQLAlchemy, SQLModel and annotations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from devrag.parsing.code.definitions import Definition
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.calls import Call, read_arguments
from devrag.parsing.facts.model_fields import Field
from devrag.parsing.facts.relations import relation_of
from devrag.parsing.languages.python_names import name_of
from devrag.parsing.languages.python_text import flat
from devrag.parsing.source import SourceText

_TYPED = {"pydantic", "sqlmodel", "dataclass", "attrs"}
_TIES = re.compile(
    r"(?!Generic)\w*?"
    r"(ForeignKey|OneToOneField|ParentalKey|(?:Parental)?ManyToManyField)"
)
_SQLALCHEMY = {"Column", "mapped_column", "relationship"}
_CLASS = re.compile(r"(?!(?:None|Optional)\b)\b[A-Z]\w*")
_MANY = re.compile(r"(?:\w+\.)?(?:list|set|sequence|collection)\[", re.IGNORECASE)
_MAY_BE_NONE = re.compile(r"\bOptional\[|\bNone\b")


@dataclass(frozen=True, slots=True)
class _Assigned:
    """`name: annotation = called(…)`; what is missing is ''."""

    name: str
    annotation: str
    called: str
    given: Call

    def is_set(self, keyword: str, value: str = "True") -> bool:
        return self.given.shown(99, keyword) == value


def python_fields(
    analysis: CodeAnalysis, definition: Definition, framework: str
) -> Iterator[Field]:
    """Yield the fields that a class has as a model of the framework."""
    body = definition.about.body
    for child in body.named_children if body is not None else ():
        left = child.child_by_field_name("left") if child.type == "assignment" else None
        if left is None or left.type != "identifier":
            continue
        assigned = _assigned(analysis.source, child, left)
        if framework == "django":
            yield from _django(assigned, definition.about.name)
        elif framework in _TYPED:
            yield from _annotated(assigned, framework)
        else:
            yield from _sqlalchemy(assigned)


def _assigned(source: SourceText, node: Node, left: Node) -> _Assigned:
    kind = node.child_by_field_name("type")
    right = node.child_by_field_name("right")
    function = right.child_by_field_name("function") if right is not None else None
    return _Assigned(
        name=node_text(source, left),
        annotation=flat(node_text(source, kind)) if kind is not None else "",
        called=name_of(source, function) if function is not None else "",
        given=read_arguments(source, right or node),
    )


def _annotated(assigned: _Assigned, framework: str) -> Iterator[Field]:
    written = assigned.annotation
    if not written or written.startswith(("ClassVar", "typing.ClassVar")):
        return
    found = {"name": assigned.name, "type": written}
    if framework == "sqlmodel":
        key = assigned.given.text(99, "foreign_key")
        found |= _key(assigned)
        found |= _foreign(key, not _MAY_BE_NONE.search(written)) if key else {}
        if assigned.called.endswith("Relationship"):
            found |= _related(assigned, written)
    yield found


def _django(assigned: _Assigned, model: str) -> Iterator[Field]:
    last = assigned.called.rpartition(".")[2]
    if not last.endswith(("Field", "ForeignKey", "ParentalKey")):
        return
    found = {"name": assigned.name, "type": last} | _key(assigned)
    tie = _TIES.fullmatch(last)
    if tie and (to := _target(assigned.given)):
        relation = relation_of(tie[1])
        through = assigned.given.argument(99, "through")
        found |= {"to": model if to == "self" else to, "relation": relation}
        if through is not None:
            found["through"] = _named(assigned.given.source, through)
        if relation != "many-to-many" and "null" not in assigned.given.keywords:
            found["required"] = "yes"
    yield found


def _sqlalchemy(assigned: _Assigned) -> Iterator[Field]:
    """Read `Column(String)`, `mapped_column()`, `relationship()` and `Mapped[str]`."""
    annotation, last = assigned.annotation, assigned.called.rpartition(".")[2]
    is_mapped = annotation.startswith(("Mapped[", "orm.Mapped["))
    if not is_mapped and last not in _SQLALCHEMY:
        return
    written = annotation.partition("[")[2][:-1] if is_mapped else last
    if last == "Column":
        # After the name that a column may be given.
        first = 0 if assigned.given.text(0) is None else 1
        written = assigned.given.shown(first, "type_")
    found = {"name": assigned.name, "type": written} | _key(assigned)
    if last == "relationship":
        found |= _related(assigned, written if is_mapped else "")
    elif key := _foreign_key(assigned.given):
        never = is_mapped and not _MAY_BE_NONE.search(written)
        is_required = assigned.is_set("nullable", "False") or "key" in found
        found |= _foreign(key, is_required or never)
    yield found


def _key(assigned: _Assigned) -> Field:
    return {"key": "primary"} if assigned.is_set("primary_key") else {}


def _foreign(key: str, is_required: bool) -> Field:
    """Return what `users.id` or `User.id` leads to."""
    found = {"to": key.rpartition(".")[0] or key, "relation": "many-to-one"}
    return found | ({"required": "yes"} if is_required else {})


def _foreign_key(column: Call) -> str:
    """Return what the `ForeignKey()` among a column's arguments names."""
    for node in column.positional:
        function = node.child_by_field_name("function")
        called = name_of(column.source, function) if function is not None else ""
        if called.rpartition(".")[2] == "ForeignKey":
            return _target(read_arguments(column.source, node))
    return ""


def _related(assigned: _Assigned, written: str) -> Field:
    """Return what a relationship leads to; its keys may stand on either side."""
    named = _CLASS.findall(written)
    to = _target(assigned.given) or (named[-1] if named else "")
    found = {"to": to} if to else {}
    is_joined = {"secondary", "link_model"} & set(assigned.given.keywords)
    if is_joined:
        return found | {"relation": "many-to-many"}
    return found | ({"relation": "one-to-many"} if _MANY.match(written) else {})


def _target(given: Call) -> str:
    """Return the model that a relation's first argument names."""
    first = given.argument(0, "to") or given.argument(0, "argument")
    return _named(given.source, first) if first is not None else ""


def _named(source: SourceText, node: Node) -> str:
    if node.type not in {"identifier", "attribute", "string"}:
        return ""
    return flat(node_text(source, node)).strip("\"'")
