"""What containers start: Dockerfile's CMD and ENTRYPOINT, compose services."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from devrag.parsing.located_values import Placed
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts
from devrag.parsing.yaml_data import require_yaml

_INSTRUCTION = re.compile(r"\s*([A-Za-z]+)\s+(.*)", re.DOTALL)
# `RUN <<EOF`: the lines up to the mark are no instructions.
_HERE = re.compile(r"<<-?[\"']?(\w+)[\"']?(?!\S*<)")
_HOLDS_TEXT = re.compile(r"(?i)(?:RUN|COPY|ADD)\s")
_VARIABLE = re.compile(r"[A-Za-z_]\w*")


def dockerfile(source: SourceText) -> Iterator[FactFacts]:
    """Yield the last stage's ENTRYPOINT and CMD: an image starts no other.

    A stage has those of the stage it is built from until it sets its own.
    """
    stages: dict[str, dict[str, FactFacts]] = {}
    final: dict[str, FactFacts] = {}
    own: set[str] = set()
    for start, end, text in _instructions(source):
        match = _INSTRUCTION.match(text)
        word = match[1].upper() if match else ""
        if match and word == "FROM":
            base, name = _stage(match[2])
            final, own = dict(stages.get(base, {})), set()
            stages[name] = final
        elif match and word in {"CMD", "ENTRYPOINT"}:
            if word == "ENTRYPOINT" and "CMD" not in own:
                final.pop("CMD", None)
            own.add(word)
            command = _command(match[2])
            data = {"type": "container", "instruction": word, "command": command}
            final[word] = FactFacts("entry_point", command, start, end, data)
    yield from (fact for fact in final.values() if fact.name)


def _stage(written: str) -> tuple[str, str]:
    """Return what a stage is built from and its name, in lower case."""
    words = [w.lower() for w in written.split() if not w.startswith("--")]
    is_named = len(words) == 3 and words[1] == "as"
    return words[0] if words else "", words[2] if is_named else ""


def _instructions(source: SourceText) -> Iterator[tuple[int, int, str]]:
    """Yield (first line, last line, text) with continuation lines joined."""
    parts: list[str] = []
    start = 0
    closing: list[str] = []
    for number, line in enumerate(source.lines, start=1):
        stripped = line.strip()
        if closing:
            closing = closing[1:] if stripped == closing[0] else closing
            continue
        if stripped.startswith("#") or not stripped:
            continue
        start = start if parts else number
        parts.append(stripped.removesuffix("\\").strip())
        if not stripped.endswith("\\"):
            text = " ".join(parts)
            yield start, number, text
            parts = []
            closing = _HERE.findall(text) if _HOLDS_TEXT.match(text) else []


def _command(written: str) -> str:
    """Return an exec form as one line; a shell form is one already."""
    try:
        words = json.loads(written)
    except ValueError:
        return " ".join(written.split())
    return " ".join(map(str, words)) if isinstance(words, list) else str(words)


def compose(source: SourceText) -> Iterator[FactFacts]:
    """Yield an entry point per service, and a setting per variable that it gives."""
    for name, service in require_yaml(source).at("services").items():
        yield from _service(name, service)
        yield from _variables(name, service.at("environment"))


def _service(name: str, service: Placed) -> Iterator[FactFacts]:
    """Yield the service with its command, image or build, and its ports."""
    found: dict[str, str | list[str]] = {"type": "service", "service": name}
    for key in ("command", "entrypoint", "image"):
        if text := " ".join(service.at(key).texts()):
            found[key] = text
    build = service.get("build")
    if build is not None:
        found["build"] = build.text() or build.at("context").text() or "."
    if len(found) > 2:
        if ports := list(_ports(service.at("ports"))):
            found["ports"] = ports
        lines = (service.start_line, service.end_line)
        yield FactFacts("entry_point", name, *lines, found)


def _ports(ports: Placed) -> Iterator[str]:
    for port in ports.listed():
        published = port.at("published").text()
        long = f"{published}:{port.at('target').text()}" if published else ""
        if text := port.text() or long:
            yield text


def _variables(service: str, environment: Placed) -> Iterator[FactFacts]:
    """Yield names only: a value may be a secret."""
    named = [(name, place) for name, place in environment.items()]
    named += [(i.text().partition("=")[0], i) for i in environment.listed()]
    for name, place in named:
        if _VARIABLE.fullmatch(name):
            data = {"set_in": "compose", "service": service}
            yield FactFacts("setting", name, place.start_line, place.start_line, data)
