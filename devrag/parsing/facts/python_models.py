"""Data models of Python: Django, SQLAlchemy, pydantic, dataclasses; their fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.definitions import Definition
from devrag.parsing.code.engine import Analysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.calls import read_arguments
from devrag.parsing.facts.marks import marks_of
from devrag.parsing.facts.model_fields import Field
from devrag.parsing.facts.models import model
from devrag.parsing.languages.python_names import name_of
from devrag.parsing.languages.python_text import flat
from devrag.parsing.types import FactFacts

_BASES = {
    "django.db.models.Model": "django",
    "django.contrib.gis.db.models.Model": "django",
    "django.contrib.auth.models.AbstractUser": "django",
    "django.contrib.auth.models.AbstractBaseUser": "django",
    "django.contrib.auth.base_user.AbstractBaseUser": "django",
    "pydantic.BaseModel": "pydantic",
    "pydantic.main.BaseModel": "pydantic",
    "pydantic.RootModel": "pydantic",
    "sqlmodel.SQLModel": "sqlmodel",
}
_DECORATORS = {
    "dataclasses.dataclass": "dataclass",
    "pydantic.dataclasses.dataclass": "pydantic",
    "attrs.define": "attrs",
    "attrs.frozen": "attrs",
    "attr.s": "attrs",
}
_RELATIONS = {"ForeignKey", "OneToOneField", "ManyToManyField", "relationship"}
_SQLALCHEMY = {"Column", "mapped_column", "relationship"}
_CLASS = re.compile(r"[A-Z]\w*")
_TYPED = {"pydantic", "sqlmodel", "dataclass", "attrs"}
# `db.Model` of Flask is a base without a name that imports could tell.
_SQLALCHEMY_PACKAGES = ("sqlalchemy", "flask_sqlalchemy", "sqlmodel")


def models(analysis: Analysis) -> Iterator[FactFacts]:
    """Yield a model per class that is one, by its own or its base's base."""
    known: dict[str, str] = {}
    for definition in analysis.definitions:
        if definition.kind != "class":
            continue
        framework, fields = _read(analysis, definition, known)
        if framework:
            known[definition.qualified_name] = framework
            yield model(definition, framework, fields)


def _read(
    analysis: Analysis, definition: Definition, known: dict[str, str]
) -> tuple[str, list[Field]]:
    """Return the framework of a class, '' for none, and the fields it has with it."""
    framework = _framework(analysis, definition, known)
    if framework:
        return framework, list(_fields(analysis, definition, framework))
    columns = list(_fields(analysis, definition, "sqlalchemy"))
    is_used = columns and (
        analysis.uses.imports_from(*_SQLALCHEMY_PACKAGES)
        or any(name == "db.Model" for name, _ in definition.about.bases)
    )
    return ("sqlalchemy", columns) if is_used else ("", [])


def _framework(
    analysis: Analysis, definition: Definition, known: dict[str, str]
) -> str:
    # What decides is the base; the private dataclasses of a module are nobody's data.
    for base, _ in definition.about.bases:
        found = known.get(base) or _BASES.get(analysis.uses.resolve(base))
        if found and found not in {"sqlalchemy", "dataclass", "attrs"}:
            return found
    for mark in marks_of(definition):
        found = _DECORATORS.get(analysis.uses.resolve(mark.path))
        if found and not definition.about.name.startswith("_"):
            return found
    return ""


def _fields(
    analysis: Analysis, definition: Definition, framework: str
) -> Iterator[Field]:
    body = definition.about.body
    for child in body.named_children if body is not None else ():
        left = child.child_by_field_name("left") if child.type == "assignment" else None
        if left is None or left.type != "identifier":
            continue
        name = node_text(analysis.source, left)
        if framework in _TYPED:
            yield from _annotated(analysis, child, name)
        else:
            yield from _called(analysis, child, name, framework)


def _annotated(analysis: Analysis, assignment: Node, name: str) -> Iterator[Field]:
    kind = assignment.child_by_field_name("type")
    written = flat(node_text(analysis.source, kind)) if kind is not None else ""
    if written and not written.startswith(("ClassVar", "typing.ClassVar")):
        yield {"name": name, "type": written}


def _called(
    analysis: Analysis, assignment: Node, name: str, framework: str
) -> Iterator[Field]:
    """Read `models.CharField()`, `Column(String)` and `Mapped[str]`."""
    source = analysis.source
    right = assignment.child_by_field_name("right")
    function = right.child_by_field_name("function") if right is not None else None
    called = name_of(source, function) if function is not None else ""
    last = called.rpartition(".")[2]
    kind = assignment.child_by_field_name("type")
    annotation = flat(node_text(source, kind)) if kind is not None else ""
    if framework == "django":
        is_field, written = last.endswith(("Field", "ForeignKey")), last
    else:
        is_mapped = annotation.startswith(("Mapped[", "orm.Mapped["))
        is_field = is_mapped or last in _SQLALCHEMY
        written = annotation.partition("[")[2][:-1] if is_mapped else last
        if last == "Column" and right is not None:
            written = _column_type(analysis, right)
    if is_field:
        found = {"name": name, "type": written}
        if last in _RELATIONS and right is not None:
            named = _CLASS.findall(written) if annotation else []
            to = _target(analysis, right) or (named[-1] if named else "")
            found |= {"to": to} if to else {}
        yield found


def _column_type(analysis: Analysis, call: Node) -> str:
    """Return the type that a column is given, after the name it may be given."""
    given = read_arguments(analysis.source, call)
    first = 0 if given.text(0) is None else 1
    return given.shown(first, "type_")


def _target(analysis: Analysis, call: Node) -> str:
    """Return the model that a relation's first argument names."""
    given = read_arguments(analysis.source, call)
    first = given.argument(0, "to") or given.argument(0, "argument")
    if first is None or first.type not in {"identifier", "attribute", "string"}:
        return ""
    return flat(node_text(analysis.source, first)).strip("\"'")
