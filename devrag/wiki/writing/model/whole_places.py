"""Whole definitions with the comment above them, whole sections of documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.analysis.topics.types import DocumentSection
from devrag.wiki.evidence.noise import stating_lines
from devrag.wiki.writing.model.page_context import SurveyLines

BODIES = {"class", "interface", "type", "enum", "function", "method"}
LONGEST_LINES, LONGEST_FUNCTION = 120, 200
_HEAD_LINES = 40
_COMMENT_LINES = 25
_ATTRIBUTES, _SIGNATURE_LINES = 6, 15
_SHORT_SECTION = 40  # lines: a section is taken with those inside it
_COMMENT = re.compile(
    r"^\s*(//|/\*|\*|--|;;|@|\[\w+[\](]|#(?!\s*(include|define|undef|if|else|elif|end)\b))"
)


@dataclass(frozen=True, slots=True)
class Whole:
    """A definition with the comment above it, or a section of a document.

    head_end: the last line of its signature and docstring. name: of a definition, '' of
    a section.
    """

    start_line: int
    end_line: int
    head_end: int
    name: str = ""


class WholePlaces:
    """Finds whole definitions and sections of one product."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._of_documents: dict[int, list[SurveyLines]] = {}
        self._of_files: dict[int, list[Whole]] = {}

    def lines(self, place: SurveyLines) -> list[str]:
        """Return the lines of a place."""
        lines = self._analysis.lines.of(place.file)
        return lines[place.start_line - 1 : place.end_line]

    def around(self, file: SurveyFile, start: int, end: int) -> SurveyLines | None:
        """Return the definition or section that holds lines, None for none of use.

        Of lines that none holds, the definition that most of them belong to; without
        any the lines themselves, as far as they state something.
        """
        wanted = SurveyLines(file.id, start, end)
        if file.kind == "doc":
            sections = self._sections(file)
            held = [p for p in sections if p.start_line <= start <= p.end_line]
            return min(held, key=_size, default=wanted)
        symbols = self._analysis.symbols_of.get(file.id, ())
        bodies = [(s, self._whole(s)) for s in symbols if s.kind in BODIES]
        short = [p for s, p in bodies if p.size <= _longest(s) and shared(p, wanted)]
        around = [p for p in short if p.start_line <= start and end <= p.end_line]
        if around:
            return min(around, key=_size)
        inside = max(short, key=lambda p: (shared(p, wanted), p.size), default=None)
        return inside or self._stating(wanted, file.language)

    def _stating(self, place: SurveyLines, language: str) -> SurveyLines | None:
        told = stating_lines(self.lines(place), language)
        first, last = place.start_line + told.start, place.start_line + told.stop - 1
        return replace(place, start_line=first, end_line=last) if told else None

    def all_in(self, file: int) -> list[Whole]:
        """Return the definitions of a file, or the sections of a document."""
        if file not in self._of_files:
            self._of_files[file] = list(self._all_in(self._analysis.files[file]))
        return self._of_files[file]

    def _all_in(self, file: SurveyFile) -> Iterable[Whole]:
        if file.kind == "doc":
            for place in self._sections(file):
                start, end = place.start_line, place.end_line
                yield Whole(start, end, start)
            return
        for symbol in self._analysis.symbols_of.get(file.id, ()):
            if symbol.kind in BODIES:
                start = self._whole(symbol).start_line
                end = max(symbol.end_line, symbol.start_line)
                yield Whole(start, end, min(self._head_end(symbol), end), symbol.name)

    def _head_end(self, symbol: SurveySymbol) -> int:
        """Return the last line of a signature, with the docstring right below it."""
        lines = self._analysis.lines.of(symbol.file)
        end = _end_of_signature(lines, symbol)
        said = symbol.docstring.strip().partition("\n")[0]
        below = enumerate(lines[end : end + 2], 1)
        at = next((n for n, line in below if said and said in line), 0)
        return end + at + symbol.docstring.strip().count("\n") if at else end

    def named(self, file: SurveyFile, name: str, near: int) -> SurveyLines | None:
        """Return the definition or section that bears a name, near a line."""
        symbols = self._analysis.symbols_of.get(file.id, ())
        places = [self.of_symbol(s) for s in symbols if s.qualified_name == name]
        if file.kind == "doc":
            places = [p for p in self._sections(file) if p.name == name]
        return min(places, key=lambda p: abs(p.start_line - near), default=None)

    def of_symbol(self, symbol: SurveySymbol) -> SurveyLines:
        """Return a definition, of one that is too long its head."""
        whole = self._whole(symbol)
        is_short = whole.size <= _longest(symbol)
        return whole if is_short else self.head_of(symbol)

    def head_of(self, symbol: SurveySymbol) -> SurveyLines:
        """Return a definition, of a long one what stands before what it contains."""
        whole = self._whole(symbol)
        if whole.size <= _HEAD_LINES:
            return whole
        inside = [
            s.start_line - 1
            for s in self._analysis.symbols_of[symbol.file]
            if s.parent == symbol.id and s.kind in BODIES
        ]
        end = min([*inside, symbol.start_line + _HEAD_LINES - 1])
        return replace(whole, end_line=max(end, symbol.start_line))

    def of_document(self, section: DocumentSection) -> list[SurveyLines]:
        """Return the sections that a larger one is made of."""
        places = self._sections(self._analysis.files[section.file])
        first, last = section.start_line, section.end_line
        return [p for p in places if first <= p.start_line <= last]

    def _whole(self, symbol: SurveySymbol) -> SurveyLines:
        """Return the lines of a definition with the comment right above it."""
        lines = self._analysis.lines.of(symbol.file)
        start = symbol.start_line
        least = max(1, start - _COMMENT_LINES)
        while start > least and _COMMENT.match(lines[start - 2]):
            start -= 1
        name = symbol.qualified_name
        return SurveyLines(symbol.file, start, symbol.end_line, name)

    def _sections(self, file: SurveyFile) -> list[SurveyLines]:
        if file.id not in self._of_documents:
            self._of_documents[file.id] = list(self._read(file))
        return self._of_documents[file.id]

    def _read(self, file: SurveyFile) -> Iterable[SurveyLines]:
        """Yield each heading's text, with that of the headings inside it if short."""
        sections = self._analysis.sections(file)
        starts = [s.line for s in sections] + [file.lines + 1]
        above: list[tuple[int, str]] = []
        done = 0
        for number, section in enumerate(sections):
            above = [each for each in above if each[0] < section.level]
            above.append((section.level, section.title))
            if number < done:
                continue
            inside = number + 1
            while inside < len(sections) and sections[inside].level > section.level:
                inside += 1
            is_short = starts[inside] - section.line <= _SHORT_SECTION
            done = inside if is_short else number + 1
            heading = " > ".join(title for _, title in above if title)
            # Above the first heading stand badges, imports and metadata.
            start = section.line if section.level else section.blocks[0].start_line
            end = min(starts[done] - 1, start + LONGEST_LINES - 1)
            yield SurveyLines(file.id, start, max(end, start), heading)


def shared(one: SurveyLines, other: SurveyLines) -> int:
    """Return how many lines of a file two places of it have in common."""
    first = max(one.start_line, other.start_line)
    return max(0, min(one.end_line, other.end_line) - first + 1)


def _longest(symbol: SurveySymbol) -> int:
    """Return how long a definition may be to be taken whole; a type has members."""
    is_function = symbol.kind in {"function", "method"}
    return LONGEST_FUNCTION if is_function else LONGEST_LINES


def _size(place: SurveyLines) -> int:
    return place.size


def _end_of_signature(lines: Sequence[str], symbol: SurveySymbol) -> int:
    """Return the line that closes what the line of a symbol's name opens, if near."""
    first = symbol.start_line
    named = (
        n
        for n in range(first, min(first + _ATTRIBUTES, len(lines) + 1))
        if symbol.name in lines[n - 1]
    )
    at = next(named, first)
    opened = 0
    for number in range(at, min(at + _SIGNATURE_LINES, len(lines) + 1)):
        line = lines[number - 1]
        opened += line.count("(") - line.count(")")
        if opened <= 0:
            return number
    return at
