"""What the ignore files of one source may cost: files, bytes, patterns, time. Pure.

Ignore files come with a repository, so they are hostile input. Past a limit nothing is
indexed: leaving rules out would index what somebody wanted to keep out.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from devrag.core.errors import InvalidInput
from devrag.core.text import shorten
from devrag.core.texts import gettext

MAX_IGNORE_FILES = 20_000
MAX_IGNORE_BYTES = 8_000_000
MAX_PATTERNS = 20_000
MAX_PATTERN_BYTES = 1_000
MAX_SECONDS = 120.0


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
                gettext(
                    "There are more than %(most)s ignore files. Shorten "
                    "them, or add the folders you need as separate sources."
                )
                % {"most": f"{MAX_IGNORE_FILES:,}"}
            )
        self.add_bytes(path, size)

    def add_bytes(self, path: str, size: int) -> None:
        """Count bytes of an ignore file, for example those it grew by."""
        self._bytes += size
        if self._bytes > MAX_IGNORE_BYTES:
            raise InvalidInput(
                gettext(
                    "The ignore files up to %(path)s have %(bytes)s bytes; "
                    "the limit is %(most)s. Shorten them, or add the "
                    "folders you need as separate sources."
                )
                % {
                    "path": shorten(path, 200),
                    "bytes": f"{self._bytes:,}",
                    "most": f"{MAX_IGNORE_BYTES:,}",
                }
            )

    def add_pattern(self, pattern: bytes, place: str, line: int) -> None:
        """Count a pattern before it is compiled. place: the file that holds it."""
        self._patterns += 1
        if len(pattern) > MAX_PATTERN_BYTES:
            raise InvalidInput(
                gettext(
                    "Line %(line)s of %(path)s is a pattern of %(bytes)s "
                    "bytes; the limit is %(most)s. Shorten it."
                )
                % {
                    "line": f"{line:,}",
                    "path": shorten(place, 200),
                    "bytes": f"{len(pattern):,}",
                    "most": f"{MAX_PATTERN_BYTES:,}",
                }
            )
        if self._patterns > MAX_PATTERNS:
            raise InvalidInput(
                gettext(
                    "The ignore files up to %(path)s have more than %(most)s "
                    "patterns (identical files counted once). Shorten them, or "
                    "add the folders you need as separate sources."
                )
                % {"path": shorten(place, 200), "most": f"{MAX_PATTERNS:,}"}
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
                gettext(
                    "Matching paths against the ignore files took more "
                    "than %(seconds)s s. Use fewer and simpler patterns, "
                    "or add the folders you need as separate sources."
                )
                % {"seconds": f"{self._max_seconds:g}"}
            )
