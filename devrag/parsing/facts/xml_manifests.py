"""Manifests in XML: Maven's pom.xml and the project files of .NET."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.facts.manifests import declared_licence, dependency
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts
from devrag.parsing.xml_data import Element, load_xml

_PROPERTY = re.compile(r"\$\{([^${}]+)\}")
_NUGET_GROUPS = {
    "PackageReference": "",
    "PackageVersion": "managed",
    "GlobalPackageReference": "build",
}


def maven(source: SourceText) -> Iterator[FactFacts]:
    """Yield dependencies by scope and the parent; plugins are none."""
    for project in load_xml(source).at("project"):
        known = _properties(project)
        for parent in project.at("parent"):
            yield from _artifact(parent, known, "parent")
        for item in project.at("dependencies", "dependency"):
            scope = item.value("scope")
            is_optional = item.value("optional") == "true"
            group = "optional" if is_optional else scope
            yield from _artifact(item, known, "" if group == "compile" else group)
        managed = ("dependencyManagement", "dependencies", "dependency")
        for item in project.at(*managed):
            yield from _artifact(item, known, "managed")


def _properties(project: Element) -> dict[str, str]:
    found = {
        e.name: e.text for holder in project.at("properties") for e in holder.children
    }
    parent = next(project.at("parent"), project)
    for key in ("groupId", "artifactId", "version"):
        own = project.value(key) or parent.value(key)
        found |= {f"project.{key}": own, f"project.parent.{key}": parent.value(key)}
    return found


def _artifact(item: Element, known: dict[str, str], group: str) -> Iterator[FactFacts]:
    names = [_filled(item.value(key), known) for key in ("groupId", "artifactId")]
    if all(names) and "$" not in "".join(names):
        spec = _filled(item.value("version"), known)
        yield dependency(":".join(names), item, "maven", spec, group)


def _filled(text: str, known: dict[str, str]) -> str:
    """Return a text with the properties that the file itself gives."""
    return _PROPERTY.sub(lambda found: known.get(found[1]) or found[0], text)


def nuget(source: SourceText) -> Iterator[FactFacts]:
    """Yield the packages of a .NET project, and those of its solution's versions."""
    for project in load_xml(source).at("Project"):
        for holder in project.at("ItemGroup"):
            for item in holder.children:
                yield from _package(item)
        for licence in project.at("PropertyGroup", "PackageLicenseExpression"):
            yield from declared_licence(licence.text, licence)


def _package(item: Element) -> Iterator[FactFacts]:
    name = item.attributes.get("Include", "")
    if item.name not in _NUGET_GROUPS or not name or "$(" in name:
        return
    spec = item.attributes.get("Version") or item.value("Version")
    assets = item.attributes.get("PrivateAssets") or item.value("PrivateAssets")
    group = _NUGET_GROUPS[item.name]
    if not group and assets.lower() == "all":
        group = "dev"
    yield dependency(name, item, "nuget", spec, group)
