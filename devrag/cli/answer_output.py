"""An answer at a terminal: its text as it is checked, then a line for each citation."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from devrag.ask.documents import GrowingText
from devrag.core.progress_line import ProgressLine
from devrag.core.terminal import Terminal
from devrag.core.text import one_line

Document = Mapping[str, Any]
_LINK = re.compile(r"\[(\d+)\]\([^()\s]*\)")


class AnswerPrinter:
    """Prints an answer, whole or while it is written."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._text = GrowingText()
        self._progress = ProgressLine()
        self._began = time.monotonic()

    def show(self, name: str, document: Document) -> None:
        """Show an event: what is done in one changing line, settled text for good."""
        if name == "progress":
            self._tell(one_line(document["text"]))
        elif name == "evidence":
            count = len(document["passages"])
            self._tell(f"Found {count} {'place' if count == 1 else 'places'}")
        elif name == "checked" and document.get("isSettled", True):
            self._print(self._text.add(_plain(document)))

    def finish(self, answer: Document) -> None:
        """Print the rest of the answer and its citations; notes go to stderr."""
        self._print(self._text.finish(_plain(answer)))
        self._terminal.print("")
        if answer["diagram"]:
            self._terminal.print(f"\n```mermaid\n{_cleaned(answer['diagram'])}\n```")
        for line in _citation_lines(answer["citations"]):
            self._terminal.print(one_line(line))
        for note in answer["notes"]:
            self._terminal.note(one_line(note))
        if not answer["isComplete"]:
            self._terminal.note("The answer is incomplete.")

    def end_progress(self) -> None:
        """Take the line about what is done away."""
        self._progress.end()

    def _tell(self, text: str) -> None:
        self._progress.show(text, text, time.monotonic() - self._began)

    def _print(self, text: str) -> None:
        if text:
            self.end_progress()
            self._terminal.out(text)
            sys.stdout.flush()  # a sentence is shown before its line ends


def _plain(document: Document) -> str:
    """Return the text of an answer in which `[2]` is no link."""
    return _cleaned(_LINK.sub(r"[\1]", document["answer"]).rstrip())


def _cleaned(text: str) -> str:
    """Return lines without characters that could steer a terminal."""
    return "\n".join(one_line(line) for line in text.expandtabs(4).split("\n"))


def _citation_lines(citations: Sequence[Document]) -> Iterator[str]:
    """Yield `[1] path:line  title`; with sources where there are several."""
    if citations:
        yield ""
    has_sources = len({each["sourceName"] for each in citations}) > 1
    for each in citations:
        source = f"{each['sourceName']}:" if has_sources else ""
        place = f"{source}{each['path']}:{each['startLine']}"
        yield f"[{each['number']}] {place}  {each['title']}".rstrip()
