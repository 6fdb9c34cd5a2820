"""What a steering file may say: structure only, and every problem as a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class WantedPage:
    """A page that a source asks for. paths: globs, or files and folders themselves."""

    source: str
    title: str
    paths: tuple[str, ...] = ()
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the glossary, with the lines that explain it when a file does."""

    term: str
    meaning: str
    file: int | None = None
    start_line: int = 0
    end_line: int = 0


@dataclass(frozen=True, slots=True)
class SourceSteering:
    """What the steering file of one source says."""

    title: str = ""
    pages: tuple[WantedPage, ...] = ()
    exclude: tuple[str, ...] = ()
    glossary: tuple[Term, ...] = ()


@dataclass(slots=True)
class Warnings:
    """Sentences on what could not be obeyed; the first ones, then how many more."""

    found: list[str] = field(default_factory=list)
    left: int = 0

    def add(self, sentence: str) -> None:
        """Keep a sentence while there are few."""
        if len(self.found) < 50:
            self.found.append(sentence)
        else:
            self.left += 1

    def sentences(self) -> tuple[str, ...]:
        """Return them all, with the number of those that were not kept."""
        more = [f"There are {self.left} more problems of this kind."]
        return (*self.found, *(more if self.left else []))
