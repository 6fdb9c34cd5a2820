"""A document's text taken out of another syntax, each line with where it stood."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from devrag.parsing.source import Parsed


@dataclass
class MappedText:
    """Lines of text, and for each the number of the line of the file it stands on."""

    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def add(self, text: str, number: int) -> None:
        """Append one text, of one line of the file."""
        lines = text.split("\n")
        self.lines += lines
        self.numbers += [number] * len(lines)

    def extend(self, other: MappedText) -> None:
        """Append all lines of another text."""
        self.lines += other.lines
        self.numbers += other.numbers

    def restore_lines(self, parsed: Parsed) -> None:
        """Turn the lines of what was parsed from this text into those of the file."""
        numbers = self.numbers
        parsed.chunks = [
            replace(
                chunk,
                start_line=numbers[chunk.start_line - 1],
                end_line=numbers[chunk.end_line - 1],
            )
            for chunk in parsed.chunks
        ]
        parsed.references = [
            replace(reference, line=numbers[reference.line - 1])
            for reference in parsed.references
        ]
