"""What tests serve in place of a wiki or tracker, with the faults that they want."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tests.sources.pages.api_app import Reply


class FaultyServer:
    """Counts requests. faults: each may answer in place of the server."""

    def __init__(self) -> None:
        self.clock = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
        self.requests: list[str] = []
        self.faults: list[Callable[[Any, str], Reply | None]] = []
        self.lock = threading.Lock()

    def answer(self, path: str, headers: dict[str, str], body: bytes = b"") -> Reply:
        """Return status, body and headers for a request."""
        del body
        with self.lock:
            self.requests.append(path)
            for fault in self.faults:
                if reply := fault(self, path):
                    return reply
            return self.reply(path, headers)

    def reply(self, path: str, headers: dict[str, str]) -> Reply:
        """Return what the server answers without a fault."""
        raise NotImplementedError

    @property
    def now(self) -> str:
        """Return the time as APIs write it."""
        return self.clock.strftime("%Y-%m-%dT%H:%M:%SZ")


def once(reply: Any, number: int, part: str) -> Callable[..., Any]:
    """Answer one request of a kind, the nth, in this way."""
    count = 0

    def fault(_: object, path: str) -> Any:
        nonlocal count
        count += part in path
        return reply if part in path and count == number else None

    return fault
