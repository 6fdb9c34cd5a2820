"""What the ignore files of one source may cost: files, bytes, patterns, time. Pure.

Ignore files come with a repository, so they are hostile input. Past a limit nothing is
indexed: leaving rules out would index what somebody wanted to keep out.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from devrag.core.errors import InvalidInput
from devrag.core.text import shorten

MAX_IGNORE_FILES = 20_000
MAX_IGNORE_BYTES = 8_000_000
MAX_PATTERNS = 20_000
MAX_PATTERN_BYTES = 1_000
MAX_SECONDS = 120.0

_WAY_OUT = "Shorten them, or add the folders you need as sources of their own."


def _do_nothing() -> None:
    """Nobody waits to cancel this."""


class IgnoreBudget:
    """Counts what one listing spends on ignore rules; InvalidInput past a limit.

    checkpoint: called often while rules are compiled and matched; it may raise.
    max_seconds: time between `resume` and `pause`, summed up.
    """

    def __init__(
        self,
        checkpoint: Callable[[], None] = _do_nothing,
        *,
        max_seconds: float = MAX_SECONDS,
    ) -> None:
        self.checkpoint = checkpoint
        self._max_seconds = self._left = max_seconds
        self._until = 0.0
        self._files = self._bytes = self._patterns = 0

    def add_file(self, path: str, size: int) -> None:
        """Count an ignore file before it is read."""
        self._files += 1
        if self._files > MAX_IGNORE_FILES:
            raise InvalidInput(
                f"There are more than {MAX_IGNORE_FILES:,} ignore files. {_WAY_OUT}"
            )
        self.add_bytes(path, size)

    def add_bytes(self, path: str, size: int) -> None:
        """Count bytes of an ignore file, for example those it grew by."""
        self._bytes += size
        if self._bytes > MAX_IGNORE_BYTES:
            raise InvalidInput(
                f"The ignore files up to {shorten(path, 200)} hold"
                f" {self._bytes:,} bytes; at most {MAX_IGNORE_BYTES:,} are read."
                f" {_WAY_OUT}"
            )

    def add_pattern(self, pattern: bytes, place: str, line: int) -> None:
        """Count a pattern before it is compiled. place: the file that holds it."""
        self._patterns += 1
        if len(pattern) > MAX_PATTERN_BYTES:
            raise InvalidInput(
                f"Line {line:,} of {shorten(place, 200)} is a pattern of"
                f" {len(pattern):,} bytes; at most {MAX_PATTERN_BYTES:,} are allowed."
                " Shorten it."
            )
        if self._patterns > MAX_PATTERNS:
            raise InvalidInput(
                f"The ignore files up to {shorten(place, 200)} hold more than"
                f" {MAX_PATTERNS:,} patterns, equal files counted once. {_WAY_OUT}"
            )

    def resume(self) -> None:
        """Start the clock."""
        self._until = time.monotonic() + self._left

    def pause(self) -> None:
        """Stop the clock."""
        self._left = self._until - time.monotonic()

    def tick(self) -> None:
        """Stop here when the time is used up or the work is no longer wanted."""
        self.checkpoint()
        if time.monotonic() > self._until:
            raise InvalidInput(
                f"Matching paths against the ignore files took more than"
                f" {self._max_seconds:g} s. Use fewer and simpler patterns, or add the"
                " folders you need as sources of their own."
            )
