"""How long to wait before a process that died is started again."""

from __future__ import annotations

import time

_SECOND_SECONDS = 0.5
_MOST_SECONDS = 10.0
# A process that ran this long starts at once again.
_STABLE_SECONDS = 60.0


class Backoff:
    """No delay at first, then doubling ones from 0.5 to 10 s.

    Call `started` and `died`, ask `is_due`.
    """

    def __init__(self) -> None:
        self.failures = 0
        self._started = 0.0
        self._due = 0.0

    def started(self) -> None:
        """Note a start."""
        self._started = time.monotonic()

    def died(self) -> float:
        """Note an end; return the seconds until the next start."""
        now = time.monotonic()
        if now - self._started >= _STABLE_SECONDS:
            self.failures = 0
        delay = 0.0
        if self.failures:
            delay = min(_SECOND_SECONDS * 2 ** (self.failures - 1), _MOST_SECONDS)
        self.failures += 1
        self._due = now + delay
        return delay

    def hold(self, seconds: float) -> None:
        """Let a first start wait."""
        self._due = time.monotonic() + seconds

    def is_due(self) -> bool:
        """Return whether the delay is over."""
        return time.monotonic() >= self._due
