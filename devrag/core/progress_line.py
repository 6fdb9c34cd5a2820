"""What happens, told while it happens: on a terminal in place, else line by line."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

_SPEAK_SECONDS = 5.0


@dataclass
class ProgressLine:
    """One line that changes; elsewhere a line for each step and every few seconds."""

    write: Callable[[str], object] = field(default_factory=lambda: sys.stderr.write)
    is_terminal: bool = field(default_factory=lambda: bool(sys.stderr.isatty()))
    _line: str = ""
    _step: str = ""
    _spoke_at: float = 0.0

    def show(self, step: str, line: str, seconds: float) -> None:
        """Show how far it is; a new step speaks at once."""
        if self.is_terminal:
            width = shutil.get_terminal_size().columns - len(f"  {seconds:.0f} s") - 1
            self.write(f"\r\x1b[2K{line[:width]}  {seconds:.0f} s")
            self._line = line
            return
        is_new = step != self._step
        if is_new or (line != self._line and self._is_due()):
            self.write(f"{line}  {seconds:.0f} s\n")
            self._spoke_at = time.monotonic()
            self._step, self._line = step, line

    def say(self, sentence: str) -> None:
        """Leave a sentence standing above the line."""
        self.end()
        self.write(f"{sentence}\n")

    def end(self) -> None:
        """Take the line away."""
        if self.is_terminal and self._line:
            self.write("\r\x1b[2K")

    def _is_due(self) -> bool:
        return time.monotonic() - self._spoke_at > _SPEAK_SECONDS
