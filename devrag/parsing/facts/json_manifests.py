"""Manifests in JSON: npm's package.json and PHP's composer.json."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.parsing.facts.manifests import (
    declared_licence,
    dependency,
    installed_command,
    platform,
    script_commands,
)
from devrag.parsing.json_data import load_json
from devrag.parsing.located_values import Placed
from devrag.parsing.paths import file_name
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts

_NPM_GROUPS = {
    "dependencies": "",
    "devDependencies": "dev",
    "peerDependencies": "peer",
    "optionalDependencies": "optional",
}
_COMPOSER_GROUPS = {"require": "", "require-dev": "dev"}


def package_json(source: SourceText) -> Iterator[FactFacts]:
    """Yield npm dependencies and engines, scripts, entry points and the licence."""
    data = load_json(source)
    for name, value, group in _grouped(data, _NPM_GROUPS):
        yield dependency(name, value, "npm", value.text(), group)
    for name, value in data.at("engines").items():
        yield from platform(name, value, value.text())
    yield from script_commands(data.at("scripts"), "npm")
    package = data.at("name").text()
    bins, main = data.at("bin"), data.at("main")
    if bins.text() and package:
        yield installed_command(file_name(package), bins, bins.text())
    for name, target in bins.items():
        yield installed_command(name, target, target.text())
    # What is never published has no one to load it.
    if main.text() and data.at("private").text() != "true":
        found = {"type": "library", "target": main.text(), "package": package}
        lines = (main.start_line, main.end_line)
        yield FactFacts("entry_point", main.text(), *lines, found)
    licence = data.at("license")
    yield from declared_licence(licence.text(), licence)


def composer_json(source: SourceText) -> Iterator[FactFacts]:
    """Yield Composer's dependencies, scripts, commands and licences."""
    data = load_json(source)
    for name, value, group in _grouped(data, _COMPOSER_GROUPS):
        if "/" in name:
            yield dependency(name, value, "composer", value.text(), group)
        elif not group:  # `php` and `ext-json`; packages have a vendor
            yield from platform(name, value, value.text())
    yield from script_commands(data.at("scripts"), "composer")
    for item in _each(data.at("bin")):
        yield installed_command(file_name(item.text()), item, item.text())
    for item in _each(data.at("license")):
        yield from declared_licence(item.text(), item)


def _grouped(data: Placed, groups: dict[str, str]) -> Iterator[tuple[str, Placed, str]]:
    for key, group in groups.items():
        for name, value in data.at(key).items():
            yield name, value, group


def _each(value: Placed) -> list[Placed]:
    return [item for item in value.listed() or [value] if item.text()]
