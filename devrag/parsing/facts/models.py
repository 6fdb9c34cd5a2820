"""Data models by their marks, bases or tags: JPA, TypeORM, Eloquent, gorm and kin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from devrag.parsing.code.definitions import Definition
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.marks import marks_of
from devrag.parsing.facts.model_fields import FIELDS, Field
from devrag.parsing.types import FactFacts


@dataclass(frozen=True, slots=True)
class Modelling:
    """What makes a class a model.

    packages: one of these must be imported, where any is named. marks: one that the
    class carries, or derives. bases: one that it inherits, resolved.
    """

    framework: str
    packages: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()
    bases: frozenset[str] = frozenset()


_JVM = (
    Modelling(
        "jpa",
        ("jakarta.persistence", "javax.persistence"),
        frozenset({"Entity", "Embeddable", "MappedSuperclass"}),
    ),
    Modelling(
        "mongodb", ("org.springframework.data.mongodb",), frozenset({"Document"})
    ),
)
_TYPESCRIPT = (
    Modelling("typeorm", ("typeorm",), frozenset({"Entity", "ViewEntity"})),
    Modelling("mikro-orm", ("@mikro-orm",), frozenset({"Entity", "Embeddable"})),
    Modelling("sequelize", ("sequelize-typescript",), frozenset({"Table"})),
)
_MODELLINGS: dict[str, tuple[Modelling, ...]] = {
    "java": _JVM,
    "kotlin": _JVM,
    "typescript": _TYPESCRIPT,
    "csharp": (
        Modelling(
            "ef",
            ("System.ComponentModel.DataAnnotations.Schema",),
            frozenset({"Table"}),
        ),
    ),
    "php": (
        Modelling(
            "doctrine", ("Doctrine.ORM.Mapping",), frozenset({"Entity", "Embeddable"})
        ),
        Modelling(
            "laravel",
            bases=frozenset(
                {
                    "Illuminate.Database.Eloquent.Model",
                    "Illuminate.Foundation.Auth.User",
                }
            ),
        ),
    ),
    "ruby": (
        Modelling(
            "activerecord", bases=frozenset({"ApplicationRecord", "ActiveRecord.Base"})
        ),
    ),
    "rust": (
        Modelling("diesel", ("diesel",), frozenset({"Queryable", "Insertable"})),
        Modelling("sea-orm", ("sea_orm",), frozenset({"DeriveEntityModel"})),
        Modelling("sqlx", ("sqlx",), frozenset({"FromRow"})),
    ),
}
_GO_TAG = re.compile(r"\b(gorm|bun|db|bson|protobuf|json):\"")
# What a struct is kept by, before what it is only sent as.
_GO_TAGS = ("gorm", "bun", "db", "bson", "protobuf", "json")
_WORD = re.compile(r"\w+")


def models(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a model per class that is one, with its fields."""
    modellings = [
        modelling
        for modelling in _MODELLINGS.get(analysis.language, ())
        if _is_used(analysis, modelling)
    ]
    known: set[str] = set()
    for definition in analysis.definitions:
        if definition.kind != "class":
            continue
        framework = _framework(analysis, definition, modellings, known)
        if not framework and analysis.language == "go":
            framework = _tagged(analysis, definition)
        if framework:
            fields = list(FIELDS[analysis.language](analysis, definition))
            known.add(definition.qualified_name)
            yield model(definition, framework, fields)


def model(
    definition: Definition, framework: str, fields: list[Field], table: str = ""
) -> FactFacts:
    """Return the fact of a model. table: where the code says its name."""
    bases = [name for name, _ in definition.about.bases]
    data: dict[str, object] = {"framework": framework, "fields": fields, "bases": bases}
    if table:
        data["table"] = table
    lines = definition.start_line, definition.end_line
    return FactFacts("model", definition.qualified_name, *lines, data)


def _is_used(analysis: CodeAnalysis, modelling: Modelling) -> bool:
    packages = tuple(f"{package}." for package in modelling.packages)
    paths = (f"{item.path}." for item in analysis.uses.imports)
    return not packages or any(path.startswith(packages) for path in paths)


def _framework(
    analysis: CodeAnalysis,
    definition: Definition,
    modellings: list[Modelling],
    known: set[str],
) -> str:
    bases = {name for name, _ in definition.about.bases}
    resolved = {analysis.uses.resolve(base) for base in bases}
    is_known = not known.isdisjoint(bases)
    marks = {mark.name for mark in marks_of(definition)} if modellings else set()
    for attribute in definition.about.attributes:
        if attribute.startswith("#[derive"):
            marks.update(_WORD.findall(attribute))
    for modelling in modellings:
        if not modelling.marks.isdisjoint(marks):
            return modelling.framework
        if modelling.bases and (is_known or not modelling.bases.isdisjoint(resolved)):
            return modelling.framework
    return ""


def _tagged(analysis: CodeAnalysis, definition: Definition) -> str:
    """Return what the tags of an exported struct say it is kept by, or sent as."""
    body = definition.about.body
    if body is None or not definition.about.name[:1].isupper():
        return ""
    found = set(_GO_TAG.findall(node_text(analysis.source, body)))
    if any(base == "gorm.Model" for base, _ in definition.about.bases):
        found.add("gorm")
    return next((tag for tag in _GO_TAGS if tag in found), "")
