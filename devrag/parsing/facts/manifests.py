"""What the manifests of all package managers say: dependencies, commands, licences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from devrag.parsing.located_values import Placed
from devrag.parsing.types import FactFacts

_USER_INFO = re.compile(r"(?<=://)[^/@\s]+@")
# https://spdx.github.io/spdx-spec/v3.0.1/annexes/spdx-license-expressions/
_IDENTIFIER = r"\(?[A-Za-z0-9][\w.+-]*\)?"
_EXPRESSION = re.compile(rf"{_IDENTIFIER}(?: (?:AND|OR|WITH) {_IDENTIFIER})*")
_NO_LICENCES = {"UNLICENSED", "PROPRIETARY", "NONE", "OTHER", "LICENSE", "FILE"}


class ManifestLines(Protocol):
    """What stands on lines of a manifest: a value, an element."""

    @property
    def start_line(self) -> int: ...

    @property
    def end_line(self) -> int: ...


def dependency(
    name: str, place: ManifestLines | int, manager: str, spec: str = "", group: str = ""
) -> FactFacts:
    """Return a package that is asked for; group: '' for what runs the product.

    A group "platform" holds no packages but what runs them: `php` and its extensions.

    spec: the versions that will do, as the manifest writes them.
    """
    start, end = _lines(place)
    spec = _USER_INFO.sub("", " ".join(spec.split()))
    data = {"manager": manager, "spec": spec, "group": group}
    return FactFacts("dependency", name, start, end, data)


def platform(name: str, place: ManifestLines | int, spec: str) -> Iterator[FactFacts]:
    """Yield what must be there before any package: an interpreter, a compiler."""
    if spec:
        yield dependency(name, place, "", spec, "platform")


def installed_command(name: str, place: ManifestLines | int, target: str) -> FactFacts:
    """Return a command that installing the package puts on the path."""
    data = {"type": "console_script", "target": target, "command": name}
    return FactFacts("entry_point", name, *_lines(place), data)


def declared_licence(text: str, place: ManifestLines | int) -> Iterator[FactFacts]:
    """Yield a manifest's licence when it is an SPDX expression, and no other text."""
    if _EXPRESSION.fullmatch(text) and text.upper() not in _NO_LICENCES:
        yield FactFacts("licence", text, *_lines(place), {"declared": True})


def script_commands(scripts: Placed, framework: str) -> Iterator[FactFacts]:
    """Yield the scripts of a manifest, which its package manager runs by name."""
    for name, run in scripts.items():
        if name.startswith("//"):  # a comment, where JSON has none
            continue
        data = {"framework": framework, "help": "", "run": " && ".join(run.texts())}
        yield FactFacts("command", name, *_lines(run), data)


def _lines(place: ManifestLines | int) -> tuple[int, int]:
    if isinstance(place, int):
        return place, place
    return place.start_line, place.end_line
