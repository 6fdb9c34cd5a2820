"""Data models of Python: Django, SQLAlchemy, pydantic, dataclasses; their fields."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.parsing.code.definitions import Definition
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.calls import literal_text
from devrag.parsing.facts.marks import marks_of
from devrag.parsing.facts.model_fields import Field
from devrag.parsing.facts.models import model
from devrag.parsing.facts.python_fields import python_fields
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
# `db.Model` of Flask is a base without a name that imports could tell.
_SQLALCHEMY_PACKAGES = ("sqlalchemy", "flask_sqlalchemy", "sqlmodel")


def models(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a model per class that is one, by its own or its base's base."""
    known: dict[str, str] = {}
    for definition in analysis.definitions:
        if definition.kind != "class":
            continue
        framework, fields = _read(analysis, definition, known)
        if framework:
            known[definition.qualified_name] = framework
            table = _table(analysis, definition, framework)
            yield model(definition, framework, fields, table)


def _read(
    analysis: CodeAnalysis, definition: Definition, known: dict[str, str]
) -> tuple[str, list[Field]]:
    """Return the framework of a class, '' for none, and the fields it has with it."""
    framework = _framework(analysis, definition, known)
    if framework:
        return framework, list(python_fields(analysis, definition, framework))
    columns = list(python_fields(analysis, definition, "sqlalchemy"))
    is_used = columns and (
        analysis.uses.imports_from(*_SQLALCHEMY_PACKAGES)
        or any(name == "db.Model" for name, _ in definition.about.bases)
    )
    return ("sqlalchemy", columns) if is_used else ("", [])


def _framework(
    analysis: CodeAnalysis, definition: Definition, known: dict[str, str]
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


def _table(analysis: CodeAnalysis, definition: Definition, framework: str) -> str:
    """Return the table that a class says it is kept in, '' when it says none."""
    head = node_text(analysis.source, definition.about.outer).partition(":")[0]
    if framework == "sqlmodel" and "table=True" in head:
        return definition.about.name.lower()
    body = definition.about.body
    for child in body.named_children if body is not None else ():
        left = child.child_by_field_name("left") if child.type == "assignment" else None
        if left is not None and node_text(analysis.source, left) == "__tablename__":
            named = child.child_by_field_name("right")
            return literal_text(analysis.source, named) or ""
    return ""
