"""What containers start: Dockerfile's CMD and ENTRYPOINT, compose services."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from devrag.parsing.placed import Placed
from devrag.parsing.source import Source
from devrag.parsing.types import FactFacts
from devrag.parsing.yaml_data import require_yaml

_INSTRUCTION = re.compile(r"\s*([A-Za-z]+)\s+(.*)", re.DOTALL)


def dockerfile(source: Source) -> Iterator[FactFacts]:
    """Yield the last stage's ENTRYPOINT and CMD: an image starts no other."""
    final: dict[str, FactFacts] = {}
    for start, end, text in _instructions(source):
        match = _INSTRUCTION.match(text)
        word = match[1].upper() if match else ""
        if word == "FROM":
            final.clear()
        elif match and word in {"CMD", "ENTRYPOINT"}:
            command = _command(match[2])
            data = {"type": "container", "instruction": word, "command": command}
            final[word] = FactFacts("entry_point", command, start, end, data)
    yield from final.values()


def _instructions(source: Source) -> Iterator[tuple[int, int, str]]:
    """Yield (first line, last line, text) with continuation lines joined."""
    parts: list[str] = []
    start = 0
    for number, line in enumerate(source.lines, start=1):
        stripped = line.strip()
        if stripped.startswith("#") or not stripped:
            continue
        start = start if parts else number
        parts.append(stripped.removesuffix("\\").strip())
        if not stripped.endswith("\\"):
            yield start, number, " ".join(parts)
            parts = []


def _command(written: str) -> str:
    """Return an exec form as one line; a shell form is one already."""
    try:
        words = json.loads(written)
    except ValueError:
        return " ".join(written.split())
    return " ".join(map(str, words)) if isinstance(words, list) else str(words)


def compose(source: Source) -> Iterator[FactFacts]:
    """Yield an entry point per service, with its command, image or build."""
    data = require_yaml(source)
    services = data.get("services") if data is not None else None
    for name, service in services.items() if services is not None else ():
        found = {"type": "service", "service": name}
        for key in ("command", "entrypoint", "image"):
            if text := _joined(service.get(key)):
                found[key] = text
        build = service.get("build")
        if build is not None:
            context = build.get("context")
            found["build"] = build.text() or (context.text() if context else "") or "."
        if len(found) > 2:
            lines = (service.start_line, service.end_line)
            yield FactFacts("entry_point", name, *lines, found)


def _joined(value: Placed | None) -> str:
    return " ".join(value.texts()) if value is not None else ""
