"""Data models: subclasses of Django's Model with their fields."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.definitions import Definition
from devrag.parsing.code.engine import Analysis
from devrag.parsing.code.text import node_text
from devrag.parsing.languages.python_names import name_of
from devrag.parsing.languages.python_text import flat
from devrag.parsing.types import FactFacts

_BASES = {
    "django.db.models.Model",
    "django.contrib.gis.db.models.Model",
    "django.contrib.auth.models.AbstractUser",
    "django.contrib.auth.models.AbstractBaseUser",
    "django.contrib.auth.base_user.AbstractBaseUser",
}
_RELATIONS = {"ForeignKey", "OneToOneField", "ManyToManyField"}


def models(analysis: Analysis) -> Iterator[FactFacts]:
    """Yield a model per class that is one, by its own or its base's base."""
    known: set[str] = set()
    for definition in analysis.definitions:
        if definition.kind != "class":
            continue
        bases = [name for name, _ in definition.about.bases]
        if any(b in known or analysis.uses.resolve(b) in _BASES for b in bases):
            known.add(definition.qualified_name)
            yield FactFacts(
                "model",
                definition.qualified_name,
                definition.start_line,
                definition.end_line,
                {
                    "framework": "django",
                    "fields": list(_fields(analysis, definition)),
                    "bases": bases,
                },
            )


def _fields(analysis: Analysis, definition: Definition) -> Iterator[dict[str, str]]:
    body, source = definition.about.body, analysis.source
    for child in body.named_children if body is not None else ():
        left = child.child_by_field_name("left") if child.type == "assignment" else None
        right = child.child_by_field_name("right") if left is not None else None
        if left is None or right is None or right.type != "call":
            continue
        function = right.child_by_field_name("function")
        name = name_of(source, function) if function is not None else ""
        kind = name.rpartition(".")[2]
        if kind.endswith(("Field", "ForeignKey")):
            found = {"name": node_text(source, left), "type": kind}
            if kind in _RELATIONS and (target := _target(analysis, right)):
                found["to"] = target
            yield found


def _target(analysis: Analysis, call: Node) -> str:
    """Return the model that a relation's first argument names."""
    arguments = call.child_by_field_name("arguments")
    children = arguments.named_children if arguments is not None else []
    first = next((c for c in children if c.type != "comment"), None)
    if first is not None and first.type == "keyword_argument":
        first = first.child_by_field_name("value")
    if first is None or first.type not in {"identifier", "attribute", "string"}:
        return ""
    return flat(node_text(analysis.source, first)).strip("\"'")
