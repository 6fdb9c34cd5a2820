"""Package manifests: dependencies and console scripts."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

from devrag.parsing.paths import stem
from devrag.parsing.source import Source
from devrag.parsing.types import FactFacts

# PEP 508: a name, extras, and the rest that says which versions.
_REQUIREMENT = re.compile(
    r"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(\[[^\]]*\])?\s*(.*)"
)
_NPM_GROUPS = {
    "dependencies": "",
    "devDependencies": "dev",
    "peerDependencies": "peer",
    "optionalDependencies": "optional",
}


def pyproject(source: Source) -> Iterator[FactFacts]:
    """Yield dependencies of all groups, and console scripts as entry points."""
    data = tomllib.loads(source.text)
    project = _table(data.get("project"))
    groups = {"": project.get("dependencies"), "build": _build(data)}
    groups |= _table(project.get("optional-dependencies"))
    groups |= _table(data.get("dependency-groups"))
    for group, listed in groups.items():
        for text in listed if isinstance(listed, list) else ():
            if isinstance(text, str):
                line = _line(source, re.escape(text))
                yield from _dependency(text, line, "pip", group)
    for table in ("scripts", "gui-scripts"):
        for name, target in _table(project.get(table)).items():
            line = _line(source, rf"^\s*[\"']?{re.escape(name)}[\"']?\s*=")
            data = {"type": "console_script", "target": str(target), "command": name}
            yield FactFacts("entry_point", name, line, line, data)


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _build(data: dict[str, Any]) -> object:
    return _table(data.get("build-system")).get("requires")


def _line(source: Source, pattern: str) -> int:
    """Return the first line that matches, 1 when none does."""
    wanted = re.compile(pattern)
    numbered = enumerate(source.lines, start=1)
    return next((number for number, line in numbered if wanted.search(line)), 1)


def _dependency(text: str, line: int, manager: str, group: str) -> Iterable[FactFacts]:
    match = _REQUIREMENT.match(text.strip())
    if match:
        spec = " ".join(match[3].partition(";")[0].split())
        data = {"manager": manager, "spec": spec, "group": group}
        yield FactFacts("dependency", match[1], line, line, data)


def requirements(source: Source) -> Iterator[FactFacts]:
    """Yield a dependency per requirement line; options and includes are none."""
    group = stem(source.path)
    for number, line in enumerate(source.lines, start=1):
        text = line.partition(" #")[0].strip().rstrip("\\").strip()
        if (
            text
            and not line[:1].isspace()
            and text[0] not in "#-"
            and "://" not in text
        ):
            spec = text.partition("--hash")[0]
            yield from _dependency(spec, number, "pip", group)


def package_json(source: Source) -> Iterator[FactFacts]:
    """Yield npm dependencies of all groups, and scripts as commands."""
    data = _table(json.loads(source.text))
    for key, group in _NPM_GROUPS.items():
        for name, spec in _table(data.get(key)).items():
            line = _line(source, rf'^\s*"{re.escape(name)}"\s*:')
            found = {"manager": "npm", "spec": str(spec), "group": group}
            yield FactFacts("dependency", name, line, line, found)
    for name, run in _table(data.get("scripts")).items():
        line = _line(source, rf'^\s*"{re.escape(name)}"\s*:')
        found = {"framework": "npm", "help": "", "run": str(run)}
        yield FactFacts("command", name, line, line, found)
