"""One file being parsed, and what a parser hands back about it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from devrag.parsing.chunking import DEFAULT_CHUNKING, ChunkOptions
from devrag.parsing.types import ChunkFacts, FactFacts, ReferenceFacts, SymbolFacts


class ParseTimeout(Exception):
    """The file took longer than its deadline allows; windows take its place."""


class TooMuch(Exception):
    """Taking the file apart would need too much memory; windows take its place."""


@dataclass
class SourceText:
    """Text with what each parser derives from it.

    deadline: a thread_time, so that other work on the machine changes nothing.
    chunking: the sizes of its chunks.
    memo: what a language's rules keep of a node, by its id, instead of asking again.
    """

    path: str
    text: str
    deadline: float = float("inf")
    chunking: ChunkOptions = DEFAULT_CHUNKING
    memo: dict[int, Any] = field(default_factory=dict)

    @cached_property
    def data(self) -> bytes:
        """Return the text as UTF-8, the unit of tree-sitter's offsets."""
        return self.text.encode("utf-8", "replace")

    @cached_property
    def lines(self) -> list[str]:
        """Return the lines without their ends; a final line end adds none."""
        lines = self.text.split("\n")
        if lines[-1] == "":
            lines.pop()
        return lines

    def with_text(self, text: str) -> SourceText:
        """Return another text of the same file, under the same limits."""
        return SourceText(self.path, text, self.deadline, self.chunking)

    def is_late(self) -> bool:
        """Return whether the deadline has passed."""
        return time.thread_time() > self.deadline

    def check_deadline(self) -> None:
        """Raise ParseTimeout once the deadline has passed."""
        if self.is_late():
            raise ParseTimeout("it took too long")


@dataclass
class Parsed:
    """What a language's or document's parser found.

    fallback: why it is windows, as in FileFacts.
    """

    chunks: list[ChunkFacts] = field(default_factory=list)
    symbols: list[SymbolFacts] = field(default_factory=list)
    references: list[ReferenceFacts] = field(default_factory=list)
    facts: list[FactFacts] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    title: str = ""
    module: str = ""
    fallback: str = ""
