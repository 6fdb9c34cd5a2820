"""Manifests of Gradle: build scripts in Groovy and Kotlin, and version catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.facts.manifests import dependency
from devrag.parsing.located_values import Placed
from devrag.parsing.source import SourceText
from devrag.parsing.toml_data import load_toml
from devrag.parsing.types import FactFacts

# What of a script says where its blocks are and what its statements ask for.
_TOKEN = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<long>\"{3}.*?(?:\"{3}|\Z)|'{3}.*?(?:'{3}|\Z))"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?)"
    r"|(?P<word>[A-Za-z_][\w.]*)|(?P<mark>[{}\n;()])",
    re.DOTALL,
)
_COORDINATES = re.compile(r"([\w.-]+:[\w.-]+)(?::([^:@]+))?(?:[:@].*)?")
_CONFIGURATIONS = {
    "implementation": "",
    "api": "",
    "compile": "",
    "runtimeOnly": "runtime",
    "runtime": "runtime",
    "compileOnly": "provided",
    "compileOnlyApi": "provided",
    "developmentOnly": "dev",
    "annotationProcessor": "build",
    "kapt": "build",
    "ksp": "build",
    "classpath": "build",
    "testImplementation": "test",
    "testApi": "test",
    "testCompile": "test",
    "testCompileOnly": "test",
    "testRuntimeOnly": "test",
    "testRuntime": "test",
    "testAnnotationProcessor": "test",
    "androidTestImplementation": "test",
    "testFixturesImplementation": "test",
    "testFixturesApi": "test",
}
_ENDS = {"{", "}", "\n", ";"}
_PARTS = ("group", "name", "version")


class _Statement:
    """A configuration with what stands behind it up to the end of the statement."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.configuration = ""
        self.word = ""
        self.parts: dict[str, str] = {}
        self.line = 0
        self.brackets = 0

    def coordinates(self) -> tuple[str, str] | None:
        """Return (group:name, version) once, when all of it is written out."""
        given = self.parts.pop("", "")
        match = _COORDINATES.fullmatch(given)
        if match and "$" not in match[1]:
            return match[1], match[2] or ""
        if "group" in self.parts and "name" in self.parts:
            group, name, version = (self.parts.get(part, "") for part in _PARTS)
            return f"{group}:{name}", version
        return None


def gradle(source: SourceText) -> Iterator[FactFacts]:
    """Yield what the `dependencies` blocks of a script ask for by coordinates."""
    blocks: list[str] = []
    statement = _Statement()
    line, counted, last = 1, 0, ""
    for token in _TOKEN.finditer(source.text):
        line += source.text.count("\n", counted, token.start())
        counted = token.start()
        inside = bool(blocks) and blocks[-1] == "dependencies"
        mark = token["mark"] or ""
        if mark in "()":
            statement.brackets += {"(": 1, ")": -1}.get(mark, 0)
        ends = mark in _ENDS and not (mark == "\n" and statement.brackets > 0)
        if ends:
            if inside and (found := statement.coordinates()):
                yield _asked(statement, found)
            statement.clear()
            _nest(blocks, mark, last)
        elif inside:
            _read(statement, token, line)
        last = token["word"] or ("" if ends else last)


def _asked(statement: _Statement, found: tuple[str, str]) -> FactFacts:
    name, version = found
    group = _CONFIGURATIONS[statement.configuration]
    return dependency(name, statement.line, "gradle", version, group)


def _nest(blocks: list[str], mark: str, name: str) -> None:
    if mark == "{":
        blocks.append(name)
    elif mark == "}" and blocks:
        blocks.pop()


def _read(statement: _Statement, token: re.Match[str], line: int) -> None:
    if word := token["word"]:
        if not statement.configuration and word in _CONFIGURATIONS:
            statement.configuration, statement.line = word, line
        statement.word = word
    elif token["text"] and statement.configuration:
        key = statement.word if statement.word in _PARTS else ""
        statement.parts.setdefault(key, token["text"][1:-1])


def version_catalog(source: SourceText) -> Iterator[FactFacts]:
    """Yield the libraries of a catalogue, with the versions it gives by reference."""
    data = load_toml(source)
    for library in data.at("libraries").values():
        match = _COORDINATES.fullmatch(library.text())
        name, spec = (match[1], match[2] or "") if match else _named(data, library)
        if name:
            yield dependency(name, library, "gradle", spec, "catalogue")


def _named(data: Placed, library: Placed) -> tuple[str, str]:
    parts = [library.at(key).text() for key in ("group", "name")]
    name = library.at("module").text() or (":".join(parts) if all(parts) else "")
    version = library.at("version")
    reference = version.at("ref").text()
    spec = data.at("versions", reference).text() if reference else version.text()
    return name, spec
