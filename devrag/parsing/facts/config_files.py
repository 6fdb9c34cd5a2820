"""Settings that configuration files name; their values stay where they are.

A value may be a secret, and in a sample it is no default: only names become facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.json_data import load_json
from devrag.parsing.located_values import Placed
from devrag.parsing.paths import file_name
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts
from devrag.parsing.yaml_data import require_yaml

_ASSIGNED = re.compile(r"#?\s?(?:export\s+)?(?P<name>[A-Z_][A-Z0-9_]*)\s*=(?!=)")
_ANY_CASE = re.compile(r"(?:export\s+)?(?P<name>[A-Za-z_]\w*)\s*=")
_SAMPLE = re.compile(r"example|sample|template|dist")
_PROPERTY = re.compile(r"(?P<name>[A-Za-z][\w.\[\]-]*)\s*[=:]")
_MAX_DEPTH = 8


def environment(source: SourceText) -> Iterator[FactFacts]:
    """Yield the variables of an environment file.

    Only a sample's comments are read: elsewhere they hold values that were in use.
    """
    is_sample = bool(_SAMPLE.search(file_name(source.path)))
    pattern = _ASSIGNED if is_sample else _ANY_CASE
    said: list[str] = []
    for number, line in enumerate(source.lines, start=1):
        text = line.strip()
        match = pattern.match(text) or _ANY_CASE.match(text)
        if match:
            about = " ".join(said) if is_sample else ""
            yield _setting(match["name"], number, "environment file", about)
            said = []
        elif text.startswith("#"):
            said.append(text.lstrip("#").strip())
        else:
            said = []


def spring_properties(source: SourceText) -> Iterator[FactFacts]:
    """Yield the keys of a properties file."""
    is_continued = False
    for number, line in enumerate(source.lines, start=1):
        match = _PROPERTY.match(line.strip())
        if match and not is_continued:
            yield _setting(match["name"], number, "Spring")
        is_continued = line.endswith("\\") and not line.lstrip().startswith("#")


def spring_yaml(source: SourceText) -> Iterator[FactFacts]:
    """Yield the keys of a YAML file as Spring names them: `server.port`."""
    for name, place in _leaves(require_yaml(source), "", 0):
        yield _setting(name, place.start_line, "Spring")


def _leaves(value: Placed, prefix: str, depth: int) -> Iterator[tuple[str, Placed]]:
    for key, inner in value.items():
        name = f"{prefix}{key}"
        if isinstance(inner.value, dict) and inner.value and depth < _MAX_DEPTH:
            yield from _leaves(inner, f"{name}.", depth + 1)
        elif key != "<<":
            yield name, inner


def appsettings(source: SourceText) -> Iterator[FactFacts]:
    """Yield the sections of a .NET application's settings."""
    for name, place in load_json(source).items():
        if name and not name.startswith("$"):
            yield _setting(name, place.start_line, ".NET")


def _setting(name: str, line: int, kind: str, about: str = "") -> FactFacts:
    data = {"set_in": kind, **({"help": about} if about else {})}
    return FactFacts("setting", name, line, line, data)
