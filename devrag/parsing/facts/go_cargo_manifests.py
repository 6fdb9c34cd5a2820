"""Manifests of Go and Rust: go.mod and Cargo.toml."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.facts.manifests import (
    declared_licence,
    dependency,
    installed_command,
    platform,
)
from devrag.parsing.located_values import Placed
from devrag.parsing.source import SourceText
from devrag.parsing.toml_data import load_toml
from devrag.parsing.types import FactFacts

_BLOCK = re.compile(r"\s*(?P<word>\w+)\s*\(\s*(?://.*)?$")
_REQUIRED = re.compile(
    r"\s*(?P<word>require\s+)?(?P<name>[\w.~-]+(?:/[\w.~-]+)*)\s+(?P<spec>v\d\S*)"
)
_GO = re.compile(r"go\s+(?P<version>\d[\w.]*)\s*(?://.*)?$")
_CARGO_GROUPS = {
    "dependencies": "",
    "dev-dependencies": "dev",
    "build-dependencies": "build",
}


def go_mod(source: SourceText) -> Iterator[FactFacts]:
    """Yield Go's version and what is required; what only others need is indirect."""
    block = ""
    for number, line in enumerate(source.lines, start=1):
        if opened := _BLOCK.match(line):
            block = opened["word"]
        elif line.strip() == ")":
            block = ""
        elif version := _GO.match(line):
            yield from platform("go", number, version["version"])
        elif (match := _REQUIRED.match(line)) and (
            block == "require" or (match["word"] and not block)
        ):
            group = "indirect" if "// indirect" in line else ""
            yield dependency(match["name"], number, "go", match["spec"], group)


def cargo(source: SourceText) -> Iterator[FactFacts]:
    """Yield crates of all tables, Rust's version, binaries and the licence."""
    data = load_toml(source)
    for holder in (data, *data.at("target").values()):
        for table, group in _CARGO_GROUPS.items():
            yield from _crates(holder.at(table), group)
    yield from _crates(data.at("workspace", "dependencies"), "workspace")
    for binary in data.at("bin").listed():
        if name := binary.at("name").text():
            yield installed_command(name, binary, binary.at("path").text())
    for package in (data.at("package"), data.at("workspace", "package")):
        rust = package.at("rust-version")
        yield from platform("rust", rust, rust.text())
        licence = package.at("license")
        yield from declared_licence(licence.text(), licence)


def _crates(table: Placed, group: str) -> Iterator[FactFacts]:
    for key, value in table.items():
        name = value.at("package").text() or key
        spec = value.text() or value.at("version").text()
        is_optional = value.at("optional").text() == "true"
        label = "optional" if is_optional and not group else group
        yield dependency(name, value, "cargo", spec, label)
