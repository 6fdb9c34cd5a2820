"""What commands print: a document for programs, lines for people, questions."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from devrag.core.errors import Conflict
from devrag.core.text import one_line

Write = Callable[[str], object]
Answer = Mapping[str, Any] | Sequence[Any]


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a command's answer goes (out), and its notes and questions (err).

    is_json: the answer is one JSON document.
    """

    out: Write
    err: Write
    is_json: bool = False

    @classmethod
    def of_process(cls, *, is_json: bool) -> Terminal:
        """Return the terminal of a process without Django."""
        return cls(sys.stdout.write, sys.stderr.write, is_json=is_json)

    def print(self, line: str) -> None:
        """Print a line of the answer."""
        self.out(line if line.endswith("\n") else f"{line}\n")

    def note(self, line: str) -> None:
        """Print a line that is no part of the answer."""
        self.err(f"{line}\n")

    def print_json(self, data: Answer) -> None:
        """Print one JSON document."""
        self.print(json.dumps(data, ensure_ascii=False, indent=2, default=str))

    def answer(self, data: Answer, text: str) -> None:
        """Print the document, or the text for people."""
        if self.is_json:
            self.print_json(data)
        else:
            self.print(text)

    def answer_lines(self, data: Answer, lines: Sequence[str]) -> None:
        """Print the document, or for people each line cleaned of control characters."""
        if self.is_json:
            self.print_json(data)
            return
        for line in lines:
            self.print(one_line(line))

    def confirm_deletion(
        self, what: str, lost: Sequence[str], *, is_confirmed: bool
    ) -> None:
        """Ask before `what` is deleted, saying how much goes, as `ask` does."""
        phrases = ", ".join(lost) or "it is empty"
        question = f"This deletes {what}: {phrases}.\nIt cannot be undone."
        self.ask(question, "Nothing was deleted.", is_confirmed=is_confirmed)

    def ask(self, question: str, refused: str, *, is_confirmed: bool) -> None:
        """Ask for a yes, unless it was given with the command.

        Raises Conflict with what `refused` says for any other answer, or for none.
        """
        if is_confirmed:
            return
        self.err(f"{question} Type yes to continue: ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() != "yes":
            raise Conflict(f"{refused} Confirm it in a terminal, or use --yes.")
