"""Manifests of Python: pyproject.toml, setup.cfg and requirements files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.facts.manifests import (
    ManifestLines,
    declared_licence,
    dependency,
    installed_command,
    platform,
)
from devrag.parsing.located_values import Placed
from devrag.parsing.paths import stem
from devrag.parsing.source import SourceText
from devrag.parsing.toml_data import load_toml
from devrag.parsing.types import FactFacts

# PEP 508: a name, extras, and which versions or from where.
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?) ?(?:\[[^\]]*\] ?)?"
    r"(?P<spec>@ .*|\(? ?[<>=!~].*)?"
)
_ARCHIVES = (".whl", ".zip", ".tar.gz", ".txt")


def requirement(
    text: str, place: ManifestLines | int, group: str
) -> Iterator[FactFacts]:
    """Yield the dependency that a PEP 508 text asks for, nothing for other text."""
    match = _REQUIREMENT.fullmatch(" ".join(_without_marker(text).split()))
    if match and not match["name"].endswith(_ARCHIVES):
        yield dependency(match["name"], place, "pip", match["spec"] or "", group)


def _without_marker(text: str) -> str:
    # In a URL a semicolon may be part of it; a marker stands apart.
    return text.partition(" ;" if "://" in text else ";")[0]


def pyproject(source: SourceText) -> Iterator[FactFacts]:
    """Yield dependencies of all groups, Python's version, scripts and the licence."""
    data = load_toml(source)
    project = data.at("project")
    python = project.at("requires-python")
    yield from platform("python", python, python.text())
    yield from _listed(project.at("dependencies"), "")
    yield from _listed(data.at("build-system", "requires"), "build")
    yield from _listed(data.at("tool", "uv", "dev-dependencies"), "dev")
    for groups in (
        project.at("optional-dependencies"),
        data.at("dependency-groups"),
        data.at("tool", "pdm", "dev-dependencies"),
    ):
        for group, listed in groups.items():
            yield from _listed(listed, group)
    for table in ("scripts", "gui-scripts"):
        for name, target in project.at(table).items():
            yield installed_command(name, target, target.text())
    licence = project.at("license")
    yield from declared_licence(licence.text() or licence.at("text").text(), licence)
    yield from _poetry(data.at("tool", "poetry"))


def _listed(listed: Placed, group: str) -> Iterator[FactFacts]:
    for item in listed.listed():
        yield from requirement(item.text(), item, group)


def _poetry(poetry: Placed) -> Iterator[FactFacts]:
    yield from _poetry_group(poetry.at("dependencies"), "")
    yield from _poetry_group(poetry.at("dev-dependencies"), "dev")
    for name, group in poetry.at("group").items():
        yield from _poetry_group(group.at("dependencies"), name)
    for name, script in poetry.at("scripts").items():
        target = script.text() or script.at("reference").text()
        yield installed_command(name, script, target)
    licence = poetry.at("license")
    yield from declared_licence(licence.text(), licence)


def _poetry_group(table: Placed, group: str) -> Iterator[FactFacts]:
    for name, value in table.items():
        if name.lower() != "python":
            is_optional = value.at("optional").text() == "true"
            spec = value.text() or value.at("version").text()
            label = "optional" if is_optional and not group else group
            yield dependency(name, value, "pip", spec, label)


def requirements(source: SourceText) -> Iterator[FactFacts]:
    """Yield a dependency per requirement line; options and includes are none."""
    group = stem(source.path)
    for number, line in enumerate(source.lines, start=1):
        text = line.partition(" #")[0].strip().rstrip("\\").strip()
        if text and not line[:1].isspace() and text[0] not in "#-":
            yield from requirement(text.partition(" --")[0], number, group)


_SECTION = re.compile(r"\[(?P<name>[^\]]+)\]\s*$")
_OPTION = re.compile(r"(?P<key>[^\s=:#;][^=:]*?)\s*[=:]\s*(?P<value>.*)$")


def setup_cfg(source: SourceText) -> Iterator[FactFacts]:
    """Yield dependencies of all groups, console scripts and the licence."""
    for number, section, key, text in _options(source):
        if (section, key) in {
            ("options", "install_requires"),
            ("options", "setup_requires"),
        }:
            group = "build" if key == "setup_requires" else ""
            yield from requirement(text, number, group)
        elif section == "options.extras_require":
            yield from requirement(text, number, key)
        elif section == "options.entry_points" and key.endswith("_scripts"):
            name, _, target = (part.strip() for part in text.partition("="))
            yield installed_command(name, number, target)
        elif (section, key) == ("metadata", "license"):
            yield from declared_licence(text, number)


def _options(source: SourceText) -> Iterator[tuple[int, str, str, str]]:
    """Yield (line, section, key, text) for each line of a value that has text."""
    section = key = ""
    for number, line in enumerate(source.lines, start=1):
        text = line.strip()
        if not text or text[0] in "#;":
            continue
        if line[0].isspace():
            yield number, section, key, text
        elif match := _SECTION.match(line):
            section, key = match["name"], ""
        elif match := _OPTION.match(line):
            key = match["key"]
            if match["value"]:
                yield number, section, key, match["value"]
