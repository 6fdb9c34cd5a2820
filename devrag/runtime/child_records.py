"""The record of running children, so that a next start finds those of a killed one."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from devrag.runtime.identity import (
    ProcessRef,
    end_processes,
    session_members,
    wait_gone,
)
from devrag.runtime.layout import Home, Say
from devrag.runtime.state_files import read_json, write_json

_TELL_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Child:
    """A named process of ours."""

    name: str
    ref: ProcessRef


def write_children(home: Home, children: Iterable[Child]) -> None:
    """Write `run/children.json`, 0600."""
    rows = [
        {"name": child.name, "pid": child.ref.pid, "created": child.ref.created}
        for child in children
    ]
    write_json(_path(home), rows)


def read_children(home: Home) -> list[Child]:
    """Return the recorded children, running or not."""
    rows = read_json(_path(home)) or []
    return [Child(r["name"], ProcessRef(r["pid"], r["created"])) for r in rows]


def end_orphans(home: Home, say: Say, timeout_seconds: float = 180.0) -> None:
    """End what a killed supervisor left running; running tasks may finish first."""
    children = read_children(home)
    leaders = [child.ref for child in children if child.ref.is_alive()]
    if leaders:
        names = ", ".join(child.name for child in children if child.ref in leaders)
        say(f"stopping processes left over from an earlier run: {names}")
        _end_told(leaders, say, timeout_seconds)
    for child in children:
        end_processes(session_members(child.ref), 5)
    _path(home).unlink(missing_ok=True)


def _end_told(leaders: list[ProcessRef], say: Say, timeout_seconds: float) -> None:
    began = time.monotonic()
    for leader in leaders:
        leader.send(signal.SIGTERM)
    while left := wait_gone(leaders, min(_TELL_SECONDS, timeout_seconds)):
        seconds = time.monotonic() - began
        if seconds >= timeout_seconds:
            end_processes(left, 0)
            return
        say(f"waiting for their running tasks ({round(seconds)} s)")


def _path(home: Home) -> Path:
    return home.run / "children.json"
