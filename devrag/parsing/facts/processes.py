"""What a machine starts by itself: Procfile, systemd units, crontabs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.core.text import shorten
from devrag.parsing.paths import folders
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts

_PROCESS = re.compile(r"(?P<name>[A-Za-z0-9_-]+):\s*(?P<command>\S.*)")
_SECTION = re.compile(r"\[(?P<name>[A-Za-z]+)\]\s*$")
# What stands before a command of a unit says how systemd treats it.
_EXEC = re.compile(r"ExecStart\s*=\s*[-@:+!|]*(?P<command>[^\s-].*)")
_CALENDAR = re.compile(r"OnCalendar\s*=\s*(?P<time>\S.*)")
_FIELD = r"(?:[\d*][\d*,/-]*|[A-Za-z]{3}(?:[-,][A-Za-z]{3})*)"
_TIME = rf"(?P<time>(?:{_FIELD}\s+){{4}}{_FIELD}|@(?:yearly|annually|monthly|weekly"
_TIME += r"|daily|midnight|hourly|reboot))"
_JOB = re.compile(rf"{_TIME}\s+(?P<command>\S.*)")
_USER = re.compile(r"\S+\s+(?=\S)")
_NAME_LIMIT = 120


def procfile(source: SourceText) -> Iterator[FactFacts]:
    """Yield an entry point per process type."""
    for number, line in enumerate(source.lines, start=1):
        if match := _PROCESS.fullmatch(line.strip()):
            command = match["command"]
            data = {"type": "process", "process": match["name"], "command": command}
            yield FactFacts("entry_point", match["name"], number, number, data)


def systemd_unit(source: SourceText) -> Iterator[FactFacts]:
    """Yield what a service starts, or when a timer does."""
    section = ""
    for start, end, line in _joined_lines(source):
        if match := _SECTION.match(line):
            section = match["name"]
        elif section == "Service" and (match := _EXEC.match(line)):
            data = {"type": "unit", "command": match["command"]}
            yield FactFacts("entry_point", match["command"], start, end, data)
        elif section == "Timer" and (match := _CALENDAR.match(line)):
            data = {"framework": "systemd", "schedule": match["time"]}
            yield FactFacts("task", source.path.rpartition("/")[2], start, end, data)


def _joined_lines(source: SourceText) -> Iterator[tuple[int, int, str]]:
    """Yield (first line, last line, text) with continuation lines joined."""
    parts: list[str] = []
    start = 0
    for number, line in enumerate(source.lines, start=1):
        text = line.strip()
        if text[:1] in {"#", ";"} or not (text or parts):
            continue
        start = start if parts else number
        parts.append(text.removesuffix("\\").strip())
        if not text.endswith("\\"):
            yield start, number, " ".join(parts)
            parts = []


def crontab(source: SourceText) -> Iterator[FactFacts]:
    """Yield a task per job; those of the system name the user before the command."""
    has_user = folders(source.path)[-1:] in (["cron.d"], ["etc"])
    for number, line in enumerate(source.lines, start=1):
        match = _JOB.fullmatch(line.strip())
        if match is None:
            continue
        user = _USER.match(match["command"]) if has_user else None
        command = match["command"][user.end() if user else 0 :]
        time = " ".join(match["time"].split())
        data = {"framework": "cron", "schedule": time, "run": command}
        yield FactFacts("task", shorten(command, _NAME_LIMIT), number, number, data)
