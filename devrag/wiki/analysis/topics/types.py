"""Topics and the sections of documentation that belong to them."""

from __future__ import annotations

import posixpath
from collections import Counter
from dataclasses import dataclass

from devrag.wiki.analysis.survey import SurveyFile


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A heading of a document with everything below it, or a whole document.

    file: id of the document. first, last: places in its list of sections, inclusive.
    above: the headings around it, outermost first. words: of prose. ordinal: place
    among the sections of the document that have this title, from 1.
    """

    file: int
    first: int
    last: int
    title: str
    above: tuple[str, ...]
    start_line: int
    end_line: int
    words: int
    ordinal: int = 1


@dataclass(frozen=True, slots=True)
class Topic:
    """What one feature page explains: files of code and sections of documentation.

    parent: index of the topic that this is a part of. page: path of its page in the
    version before, empty for a new one. is_given: people named it and chose its files.
    """

    title: str
    files: tuple[SurveyFile, ...]
    sections: tuple[DocumentSection, ...] = ()
    parent: int | None = None
    page: str = ""
    is_given: bool = False

    @property
    def lines(self) -> int:
        return sum(file.lines for file in self.files)

    @property
    def source(self) -> str:
        """The source that most of the lines are of, '' without files."""
        lines = Counter[str]()
        for file in self.files:
            lines[file.source] += file.lines
        return min(lines, key=lambda name: (-lines[name], name), default="")

    @property
    def directory(self) -> str:
        """The deepest directory that holds all files of the topic's main source."""
        main = self.source
        own = [file.directory for file in self.files if file.source == main]
        return posixpath.commonpath(own) if own else ""

    def inside(self, file: SurveyFile) -> str:
        """Return a file's path below the topic's directory."""
        return file.path.removeprefix(f"{self.directory}/" if self.directory else "")
